cd "$(mktemp -d)"; trap 'rm -rf "$PWD"' EXIT
cat > Ask.java <<'END'
import java.net.*; import java.net.http.*; import java.time.*;
public class Ask {
  static HttpRequest get(String url, int seconds) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(seconds)).build();
  }
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    client.send(get("BASE/ok", 60), HttpResponse.BodyHandlers.ofString());
    try {
      System.out.println(client.send(get("BASE/PATH", 1), HttpResponse.BodyHandlers.ofString()).statusCode());
    } catch (Exception error) { System.out.println(error.getClass().getSimpleName()); }
  }
}
END
java Ask.java
