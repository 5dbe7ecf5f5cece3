import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

public class Main {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build();
    var request = HttpRequest.newBuilder(URI.create("https://h.example/orders?a=1"))
        .header("Content-Type", "application/json")
        .header("User-Agent", "p")
        .header("X-Price", "$5 {x}")
        .timeout(Duration.ofMillis(2500))
        .method("POST", HttpRequest.BodyPublishers.ofByteArray("{\n  \"a\": \"it's\"\n}".getBytes(StandardCharsets.UTF_8)))
        .build();
    var response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    System.out.write(response.body());
    System.out.flush();
  }
}
