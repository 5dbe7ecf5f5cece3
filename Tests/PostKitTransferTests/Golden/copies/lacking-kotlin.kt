// HttpClient speaks HTTP/1.1; the request asks for HTTP/3.
// HttpClient can't ask for the target `*`; it asks for that of the URL.
// HttpClient does not support NTLM authentication; it is left out.
// HttpClient adds `User-Agent` of its own.
// HttpClient can't send the field `Host: other`; it is left out.
// HttpClient checks certificates here; the request does not.
// The copy trusts the system's certificates; the request those of /ca.pem.
// The copy has no client certificate; the request has /c.pem.
// HttpClient follows a redirect of a POST with GET; the request keeps its method.
// HttpClient follows 5 redirects; jdk.httpclient.redirects.retrylimit changes it.
// HttpClient may write the target of https://h/a/../b?c={d} differently.
import java.io.ByteArrayInputStream
import java.io.SequenceInputStream
import java.net.InetSocketAddress
import java.net.ProxySelector
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.Base64
import java.util.Collections
import java.util.List

fun main() {
  val client = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .followRedirects(HttpClient.Redirect.NORMAL)
      .connectTimeout(Duration.ofMillis(100))
      .proxy(ProxySelector.of(InetSocketAddress("p", 8080)))
      .build()
  val request = HttpRequest.newBuilder(URI.create("https://h/a/../b?c=%7Bd%7D"))
      .header("x-a", "1")
      .header("X-A", "2")
      .method("PURGE", HttpRequest.BodyPublishers.ofInputStream({ SequenceInputStream(Collections.enumeration(listOf(ByteArrayInputStream(Base64.getDecoder().decode("/wA=")), ByteArrayInputStream(Files.readAllBytes(Path.of("/f.bin")))))) }))
      .build()
  val response = client.send(request, HttpResponse.BodyHandlers.ofByteArray())
  System.out.write(response.body(), 0, response.body().size)
  System.out.flush()
}
