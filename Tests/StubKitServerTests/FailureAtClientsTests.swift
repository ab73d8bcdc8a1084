import Foundation
import StubKit
import StubKitServer
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The table in the guide "UI tests and other clients", made anew.
@Suite("A failure at a client that used its connection before", .inTurn)
struct FailureAtClientsTests {
  /// A client, and a program that asks `BASE/ok`, then `BASE/PATH` over the same connection, and prints what it sees.
  struct Client: CustomTestStringConvertible, Sendable {
    let name: String
    let program: [String]
    /// What it prints for the paths `lost`, `bad`, `broken` and `silent`.
    let seen: [String]
    /// Whether it takes seconds to start.
    var isSlow = false

    var testDescription: String { name }
    /// The row of the guide.
    var row: String { "| \(name) | " + seen.map { $0.isEmpty ? "–" : "`\($0)`" }.joined(separator: " | ") + " |" }
  }

  static let paths = ["lost", "bad", "broken", "silent"]

  static let clients = [
    Client(
      name: "curl",
      program: [
        "sh", "-c",
        "curl --noproxy '*' -s -m 1 -o /dev/null BASE/ok -o /dev/null BASE/PATH; echo exit code $?",
      ],
      seen: ["exit code 56", "exit code 8", "exit code 56", "exit code 28"]),
    Client(
      name: "wget, `--tries=1`",
      program: [
        "sh", "-c",
        "wget --no-proxy --tries=1 --timeout=1 -q -O /dev/null BASE/ok BASE/PATH; echo exit code $?",
      ],
      seen: ["exit code 4", "", "exit code 4", "exit code 4"]),
    Client(
      name: "Python, requests",
      program: [
        "python3", "-c",
        """
        import sys
        try: import requests
        except ImportError: sys.exit()
        s = requests.Session()
        s.trust_env = False
        s.get("BASE/ok", timeout=60)
        try: print(s.get("BASE/PATH", timeout=1).status_code)
        except Exception as e: print(type(e).__name__)
        """,
      ],
      seen: ["ConnectionError", "InvalidHeader", "ChunkedEncodingError", "ReadTimeout"]),
    Client(
      name: "Node.js, fetch",
      program: [
        "node", "-e",
        """
        (async () => {
          await (await fetch("BASE/ok")).text()
          try {
            const response = await fetch("BASE/PATH", { signal: AbortSignal.timeout(1000) })
            console.log(response.status, (await response.text()).length)
          } catch (error) { console.log(error.name == "TypeError" ? error.message : error.name) }
        })()
        """,
      ],
      seen: ["fetch failed", "fetch failed", "terminated", "TimeoutError"]),
    Client(
      name: "Java, HttpClient",
      program: [
        "sh", "-c",
        """
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
        """,
      ],
      seen: ["IOException", "IOException", "IOException", "HttpTimeoutException"], isSlow: true),
    Client(
      name: "Go, net/http",
      program: [
        "sh", "-c",
        """
        cd "$(mktemp -d)"; trap 'chmod -R u+w "$PWD"; rm -rf "$PWD"' EXIT
        cat > ask.go <<'END'
        package main
        import ("fmt"; "io"; "net/http"; "strings"; "time")
        func main() {
          client := &http.Client{Timeout: time.Second, Transport: &http.Transport{}}
          ok, _ := client.Get("BASE/ok")
          io.ReadAll(ok.Body)
          ok.Body.Close()
          response, err := client.Get("BASE/PATH")
          if err == nil { _, err = io.ReadAll(response.Body) }
          text := fmt.Sprint(err)
          for _, part := range []string{"connection reset", "malformed MIME header", "Timeout exceeded"} {
            if strings.Contains(text, part) { text = part }
          }
          fmt.Println(text)
        }
        END
        go run ask.go
        """,
      ],
      seen: ["connection reset", "malformed MIME header", "connection reset", "Timeout exceeded"], isSlow: true),
    Client(
      name: "Chromium, fetch",
      program: [
        "sh", "-c",
        """
        timeout 60 chromium --headless --no-sandbox --disable-gpu --no-proxy-server --virtual-time-budget=10000 --timeout=10000 \
        --dump-dom BASE/page/PATH 2> /dev/null | sed -n 's/.*<p id="seen">\\([^<]*\\)<.*/\\1/p'
        """,
      ],
      // Its virtual time stands still while a request waits.
      seen: ["TypeError", "TypeError", "200, then TypeError", ""], isSlow: true),
  ]

  private static func page(_ path: String) -> String {
    """
    <p id="seen"></p><script>
    (async () => {
      let seen = ""
      await (await fetch("/ok")).text()
      try {
        const response = await fetch("/\(path)", { signal: AbortSignal.timeout(1000) })
        seen = response.status + ", then "
        seen += (await response.text()).length
      } catch (error) { seen += error.name }
      document.getElementById("seen").textContent = seen
    })()
    </script>
    """
  }

  private static func withFailures(
    _ body: (StubServer, _ failures: [String: Stub]) async throws -> Void
  ) async throws {
    try await withStubServer { server in
      stub(condition: isPath("/ok"), response: .text("ok"))
      stub(condition: isPath(template: "/page/{path}")) { _, match in
        .text(page(match["path"] ?? ""), headers: ["Content-Type": "text/html"])
      }
      stub(condition: isPath("/favicon.ico"), response: .empty(status: 404))
      // A client that repeats its request in silence gets an answer, and prints it.
      let failures = [
        "lost": StubResponse.failure(.networkConnectionLost), "bad": .failure(.badServerResponse),
        "broken": .text("0123456789").failing(afterBytes: 3), "silent": .failure(.timedOut),
      ].map { path, failure in
        (path, stub(condition: isPath("/\(path)"), responses: [failure, .text("repeated")]))
      }
      try await body(server, Dictionary(uniqueKeysWithValues: failures))
    }
  }

  @Test("is seen by the client, and asked for once, as the guide says", arguments: clients)
  func client(_ client: Client) async throws {
    guard !client.isSlow || TestSize.of(1, inPart: 0) == 1 else { return }
    try await Self.withFailures { server, failures in
      for (path, expected) in zip(Self.paths, client.seen) where !expected.isEmpty {
        let arguments = client.program.map {
          $0.replacingOccurrences(of: "BASE", with: server.url.absoluteString)
            .replacingOccurrences(of: "PATH", with: path)
        }
        let printed = try await ChildProcess.run(arguments[0], Array(arguments.dropFirst()))
        let lines = printed?.split(separator: "\n").map(String.init) ?? []
        guard failures[path]!.callCount > 0 else {
          print("\(client.name) is not installed: its row of the guide was not made.", lines)
          return
        }
        #expect(lines.last == expected, "\(client.name), \(path): \(lines)")
        #expect(failures[path]!.callCount == 1, "\(client.name) repeated \(path)")
      }
    }
  }

  @Test("is an error of URLSession")
  func urlSession() async throws {
    #if os(Linux)
      let codes: [URLError.Code] = [.networkConnectionLost, .unknown, .networkConnectionLost, .timedOut]
      try await Self.withFailures { server, failures in
        let configuration = URLSessionConfiguration.ephemeral
        SessionInstallation.leaveAlone(configuration)
        let session = URLSession(configuration: configuration)
        for (path, code) in zip(Self.paths, codes) {
          _ = try await session.data(from: server.url.appending(path: "ok"))
          let request = request(server.url.appending(path: path), timeout: 2)
          await #expect("\(path)") {
            _ = try await session.data(for: request)
          } throws: { ($0 as? URLError)?.code == code }
          #expect(failures[path]!.callCount == 1, "\(path)")
        }
      }
    #endif
  }

  @Test("has a row in the guide for each client", arguments: clients)
  func rows(_ client: Client) throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
    let guide = sources.appending(path: "StubKit/StubKit.docc/UITestsAndOtherClients.md")
    #expect(try String(contentsOf: guide, encoding: .utf8).contains(client.row))
  }
}
