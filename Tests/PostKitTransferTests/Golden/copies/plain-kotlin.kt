import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration

fun main() {
  val client = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .build()
  val request = HttpRequest.newBuilder(URI.create("https://h.example/orders?a=1"))
      .header("Content-Type", "application/json")
      .header("User-Agent", "p")
      .header("X-Price", "\$5 {x}")
      .timeout(Duration.ofMillis(2500))
      .method("POST", HttpRequest.BodyPublishers.ofByteArray("{\n  \"a\": \"it's\"\n}".toByteArray(Charsets.UTF_8)))
      .build()
  val response = client.send(request, HttpResponse.BodyHandlers.ofByteArray())
  System.out.write(response.body(), 0, response.body().size)
  System.out.flush()
}
