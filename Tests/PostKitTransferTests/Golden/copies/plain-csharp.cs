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
        var handler = new HttpClientHandler { AllowAutoRedirect = false, AutomaticDecompression = DecompressionMethods.GZip | DecompressionMethods.Deflate, UseCookies = false };
        var client = new HttpClient(handler);
        client.Timeout = TimeSpan.FromMilliseconds(2500);
        var request = new HttpRequestMessage(new HttpMethod("POST"), "https://h.example/orders?a=1");
        request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes("{\n  \"a\": \"it's\"\n}"));
        request.Content.Headers.TryAddWithoutValidation("Content-Type", "application/json");
        request.Headers.TryAddWithoutValidation("User-Agent", "p");
        request.Headers.TryAddWithoutValidation("X-Price", "$5 {x}");
        var response = await client.SendAsync(request);
        Console.Write(await response.Content.ReadAsStringAsync());
    }
}
