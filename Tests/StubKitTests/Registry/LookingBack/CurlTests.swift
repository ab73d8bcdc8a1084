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
        request: request(url(text), method: method, headers: headers, body: body), body: body, stub: nil, match: nil,
        isInferred: false, startedAt: Date(), duration: nil, outcome: .inProgress)
    }

    @Test("reads as one would write it, and names a file for a body that is not kept or no plain text")
    func plain() {
      var large = Self.entry(method: "PUT")
      large.take(large.request, body: Data(count: 1_000_001), keepsLargeBodies: false)
      for (entry, curl) in [
        (Self.entry("https://a.example/x?y=1"), "curl 'https://a.example/x?y=1'"),
        (
          Self.entry(
            "http://a/", method: "POST", headers: ["X": "y", "Content-Length": "8"], body: Data("O'Hara".utf8)),
          #"curl -X POST 'http://a/' -H 'X: y' --data-raw 'O'\''Hara'"#
        ), (Self.entry(method: "HEAD"), "curl --head 'https://a.example/'"),
        (Self.entry(body: Data([0, 0x25, 0xFF])), "curl -X GET 'https://a.example/' --data-binary '@body-of-3-bytes'"),
        (Self.entry(body: Data("a\r\n".utf8)), "curl -X GET 'https://a.example/' --data-binary '@body-of-3-bytes'"),
        (large, "curl -X PUT 'https://a.example/' --data-binary '@body-of-1000001-bytes'"),
      ] {
        #expect(entry.curl == curl)
      }
    }

    private static let nasty: [RecordedRequest] =
      [
        "https://a.example/", "https://a.example/a'b?c=$HOME&d=`id`#f", "https://a.example/x[1-3]/{a,b}/../c",
        "foo:bar",
        "https://[::1]:8080/", "-x/y",
      ].map { entry($0) } + ["DELETE", "M-SEARCH", "it's"].map { entry(method: $0) } + [
        entry(headers: ["X-Quotes": #"a'b"c\d`e$f!g"#, "X-Empty": "", "Accept": "*/*; q=\"1\""]),
        entry(method: "GET", body: Data("a body".utf8)), entry(method: "HEAD", body: Data("a body".utf8)),
      ]
      + [
        "", "@file", "'", "''\\''\n\n", "été 🎉 \u{202E}", "-n %s %d \\n", "\u{FEFF}a",
        String(repeating: "it's ", count: 60_000),
      ].map { entry(method: "POST", body: Data($0.utf8)) }

    @Test("brings every byte through a POSIX shell to the curl on its path")
    func nastyInputs() async throws {
      let commands = try await FakeCurl.run(Self.nasty.map(\.curl))
      #expect(commands.count == Self.nasty.count)
      for (command, entry) in zip(commands, Self.nasty) {
        #expect(command.url == entry.request.url?.absoluteString && command.method == entry.request.httpMethod)
        #expect(command.headers == entry.request.allHTTPHeaderFields ?? [:] && command.body == entry.body)
      }
    }
  }

  /// A shell in which curl says what it was given.
  private enum FakeCurl {
    /// What curl would make of its arguments.
    struct Command {
      var method = "GET"
      var url: String?
      var headers: [String: String] = [:]
      var body: Data?

      init(_ arguments: [String], standardInput: Data) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
          switch argument {
          case "-X": method = rest.popFirst() ?? ""
          case "--head": method = "HEAD"
          case "--globoff", "--path-as-is": break
          case "--url": url = rest.popFirst()
          case "--data-raw": body = rest.popFirst().map { Data($0.utf8) }
          case "--data-binary": body = rest.popFirst() == "@-" ? standardInput : nil
          case "-H":
            let field = rest.popFirst() ?? ""
            if field.hasSuffix(";"), !field.contains(":") {
              headers[String(field.dropLast())] = ""
            } else if let colon = field.range(of: ": ") {
              headers[String(field[..<colon.lowerBound])] = String(field[colon.upperBound...])
            }
          default: url = argument
          }
        }
      }
    }

    /// Writes the number of its arguments, them, and the bytes of its standard input in hexadecimal digits if curl would
    /// read it, each with a zero byte after it. The arguments go to a program, which takes none that is too long.
    private static let script = #"""
      curl() {
        env printf '%s\0' "$#" "$@"
        case "$*" in *"--data-binary @-"*) od -An -v -tx1 | tr -d ' \n' ;; esac
        printf '\0'
      }

      """#

    static func run(_ commands: [String]) async throws -> [Command] {
      let folder = try TestFolder()
      defer { withExtendedLifetime(folder) {} }
      let file = folder.url.appendingPathComponent("commands.sh")
      try Data((script + commands.joined(separator: "\n") + "\n").utf8).write(to: file)
      let output = try #require(await ChildProcess.run("env", ["sh", "-e", file.path]))
      var fields = output.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)[...]
      var commands: [Command] = []
      while let count = fields.popFirst().flatMap({ Int($0) }) {
        let arguments = Array(fields.prefix(count))
        fields = fields.dropFirst(count)
        let digits = Array((fields.popFirst() ?? "").utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
          UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        commands.append(Command(arguments, standardInput: Data(bytes)))
      }
      return commands
    }
  }
#endif
