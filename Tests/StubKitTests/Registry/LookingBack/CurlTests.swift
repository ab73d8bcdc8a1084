#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("A request as a curl command", .inTurn)
  struct CurlTests {
    private static func entry(
      _ text: String = "https://a.example/", method: String = "GET", headers: [String: String] = [:], body: Data? = nil
    ) -> RecordedRequest {
      RecordedRequest(
        request: request(url(text), method: method, headers: headers, body: body), isUnscoped: false,
        startedAt: Date(), outcome: .inProgress)
    }

    @Test("reads as one would write it")
    func plain() {
      var large = Self.entry(method: "PUT", body: Data(count: 1_000_001))
      _ = large.take(large.request, keepsLargeBodies: false)
      // A body that is no text, has a carriage return or is very long would come from a file.
      for (entry, curl) in [
        (Self.entry("https://a.example/x?y=1"), "curl 'https://a.example/x?y=1'"),
        (Self.entry("http://[::1]/../c"), "curl --globoff --path-as-is 'http://[::1]/../c'"),
        (
          Self.entry(
            "http://a/", method: "POST", headers: ["X": "y", "Content-Length": "8"], body: Data("O'Hara".utf8)),
          #"curl -X POST 'http://a/' -H 'X: y' -H 'Content-Type:' --data-raw 'O'\''Hara'"#
        ),
        (
          Self.entry(method: "POST", headers: ["Content-Type": "text/csv"], body: Data("a".utf8)),
          "curl -X POST 'https://a.example/' -H 'Content-Type: text/csv' --data-raw 'a'"
        ), (Self.entry(method: "HEAD"), "curl --head 'https://a.example/'"),
        (
          Self.entry(body: Data([0, 0x25, 0xFF])),
          "curl -X GET 'https://a.example/' -H 'Content-Type:' --data-binary '@body-of-3-bytes'"
        ),
        (
          Self.entry(body: Data("a\r\n".utf8)),
          "curl -X GET 'https://a.example/' -H 'Content-Type:' --data-binary '@body-of-3-bytes'"
        ),
        (large, "curl -X PUT 'https://a.example/' -H 'Content-Type:' --data-binary '@body-of-1000001-bytes'"),
        (
          Self.entry(body: Data(repeating: 0x61, count: 100_001)),
          "curl -X GET 'https://a.example/' -H 'Content-Type:' --data-binary '@body-of-100001-bytes'"
        ),
      ] {
        #expect(entry.curl == curl)
      }
    }

    private static let nasty: [RecordedRequest] =
      [
        "https://a.example/", "https://a.example/a'b?c=$HOME&d=`id`#f", "https://a.example/x[1-3]/{a,b}/../c",
        "foo:bar", "https://[::1]:8080/", "-x/y",
      ].map { entry($0) } + ["DELETE", "M-SEARCH", "it's"].map { entry(method: $0) } + [
        entry(headers: ["X-Quotes": #"a'b"c\d`e$f!g"#, "X-Empty": "", "Accept": "*/*; q=\"1\""]),
        entry(method: "GET", body: Data("a body".utf8)), entry(method: "HEAD", body: Data("a body".utf8)),
      ]
      + [
        "", "@file", "'", "''\\''\n\n", "été 🎉 \u{202E}", "-n %s %d \\n", "\u{FEFF}a",
        String(repeating: "it's ", count: 20_000),
      ].map { entry(method: "POST", body: Data($0.utf8)) }

    /// In place of curl, a function writes its arguments, each with a zero byte after it. A program takes no argument
    /// that is too long.
    @Test("brings every byte through a POSIX shell")
    func nastyInputs() async throws {
      let folder = try TestFolder()
      let file = folder.url.appendingPathComponent("command.sh")
      let script = #"curl() { env printf '%s\0' "$@"; }"#
      for entry in Self.nasty {
        try Data("\(script)\n\(entry.curl)\n".utf8).write(to: file)
        let output = try #require(await ChildProcess.run("env", ["sh", "-e", file.path]), "\(entry.curl.prefix(500))")
        let pieces = output.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        let pairs = zip(pieces, pieces.dropFirst())
        func values(_ option: String) -> [String] { pairs.filter { $0.0 == option }.map { $0.1 } }
        let method = values("-X").first ?? (pieces.contains("--head") ? "HEAD" : "GET")
        #expect(pieces.contains(entry.request.url!.absoluteString) && method == entry.request.httpMethod, "\(pieces)")
        let fields =
          (entry.request.allHTTPHeaderFields ?? [:]).map { $1.isEmpty ? "\($0);" : "\($0): \($1)" }
          // Without it, curl would add the type of a form.
          + (entry.body == nil ? [] : ["Content-Type:"])
        #expect(values("-H").sorted() == fields.sorted(), "\(pieces)")
        #expect(values("--data-raw").first.map { Data($0.utf8) } == entry.body, "\(pieces)")
      }
    }
  }
#endif
