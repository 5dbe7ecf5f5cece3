// HttpClient speaks HTTP/1.1; the request asks for HTTP/3.
// HttpClient can't ask for the target `*`; it asks for that of the URL.
// HttpClient does not support NTLM authentication; it is left out.
// The copy does not limit the time to connect; the request has 0.100 s.
// The copy trusts the system's certificates; the request those of /ca.pem.
// The copy has no client certificate; the request has /c.pem.
// HttpClient follows a redirect of a POST with GET; the request keeps its method.
// HttpClient may write the target of https://h/a/../b?c={d} differently.
using System;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;

class Program
{
    static async Task Main()
    {
        var handler = new HttpClientHandler { AllowAutoRedirect = true, AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate, UseCookies = false, MaxAutomaticRedirections = 3, Proxy = new WebProxy("http://p:8080") };
        handler.ServerCertificateCustomValidationCallback = (a, b, c, d) => true;
        var client = new HttpClient(handler);
        var request = new HttpRequestMessage(new HttpMethod("PURGE"), "https://h/a/../b?c={d}");
        var body = new MemoryStream();
        byte[] piece;
        piece = Convert.FromBase64String("/wA=");
        body.Write(piece, 0, piece.Length);
        piece = File.ReadAllBytes("/f.bin");
        body.Write(piece, 0, piece.Length);
        request.Content = new ByteArrayContent(body.ToArray());
        request.Headers.TryAddWithoutValidation("Host", "other");
        request.Headers.TryAddWithoutValidation("x-a", "1");
        request.Headers.TryAddWithoutValidation("X-A", "2");
        request.Headers.TransferEncodingChunked = true;
        var response = await client.SendAsync(request);
        Console.Write(await response.Content.ReadAsStringAsync());
    }
}
