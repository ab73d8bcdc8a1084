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

    @Test("reads as one would write it")
    func plain() {
      #expect(Self.entry("https://a.example/x?y=1").curl == "curl 'https://a.example/x?y=1'")
      let post = Self.entry(
        "https://a.example/users", method: "POST",
        headers: ["Content-Type": "application/json", "Content-Length": "14"], body: Data(#"{"name":"O'Hara"}"#.utf8))
      #expect(
        post.curl
          == #"curl -X POST 'https://a.example/users' -H 'Content-Type: application/json' --data-raw '{"name":"O'\''Hara"}'"#
      )
      #expect(Self.entry(method: "HEAD").curl == "curl --head 'https://a.example/'")
      #expect(Self.entry(body: Data([0, 0x25, 0xFF])).curl.hasPrefix(#"printf '\000%%\377' | curl -X GET"#))
    }

    @Test("names a file for a body that is not kept")
    func notKept() {
      var entry = Self.entry(method: "PUT")
      entry.take(entry.request, body: Data(count: 1_000_001), keepsLargeBodies: false)
      #expect(entry.curl.hasSuffix("--data-binary '@body-of-1000001-bytes'"))
    }

    private static let nasty: [RecordedRequest] = [
      entry(),
      entry("https://a.example/a'b?c=$HOME&d=`id`#f"),
      entry("https://a.example/x[1-3]/{a,b}/../c"),
      entry("foo:bar"),
      entry("https://[::1]:8080/"),
      entry("-x/y"),
      entry(method: "DELETE"),
      entry(method: "M-SEARCH"),
      entry(method: "it's"),
      entry(headers: ["X-Quotes": #"a'b"c\d`e$f!g"#, "X-Empty": "", "Accept": "*/*; q=\"1\""]),
      entry(method: "POST", body: Data()),
      entry(method: "POST", body: Data("@file".utf8)),
      entry(method: "POST", body: Data("'".utf8)),
      entry(method: "POST", body: Data("''\\''\n\n".utf8)),
      entry(method: "POST", body: Data("line\r\nline".utf8)),
      entry(method: "POST", body: Data("été 🎉 \u{202E}".utf8)),
      entry(method: "POST", body: Data("-n %s %d \\n\0".utf8)),
      entry(method: "POST", body: Data([0])),
      entry(method: "POST", body: Data([0xEF, 0xBB, 0xBF, 0x61])),
      entry(method: "POST", body: Data(0...255)),
      entry(method: "POST", body: Data((0...255).reversed())),
      entry(method: "POST", body: Data(String(repeating: "it's ", count: 60_000).utf8)),
      entry(method: "POST", body: Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })),
      entry(method: "GET", body: Data("a body".utf8)),
      entry(method: "HEAD", body: Data("a body".utf8)),
    ]

    @Test("brings every byte through a POSIX shell to the curl on its path")
    func nastyInputs() async throws {
      let commands = try await FakeCurl().run(Self.nasty.map(\.curl))
      #expect(commands.count == Self.nasty.count)
      for (command, entry) in zip(commands, Self.nasty) { Self.expect(command, is: entry) }
    }

    private static func expect(_ command: FakeCurl.Command, is entry: RecordedRequest) {
      #expect(command.url == entry.request.url?.absoluteString)
      #expect(command.method == entry.request.httpMethod)
      #expect(command.headers == entry.request.allHTTPHeaderFields ?? [:])
      #expect(command.body == entry.body)
    }
  }

  /// A shell in which curl says what it was given.
  private struct FakeCurl {
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

    private static let body = #"""
      reads=no
      for argument in "$@"; do
        if [ "$before" = --data-binary ] && [ "$argument" = @- ]; then reads=yes; fi
        before=$argument
      done
      before=
      printf '%d\0' "$#"
      printf '%s\0' "$@"
      if [ $reads = yes ]; then od -An -v -tx1; fi
      printf '\0'
      """#

    func run(_ commands: [String]) async throws -> [Command] {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let script = folder.appendingPathComponent("commands.sh")
      // The shell writes the script itself. A process that another test starts meanwhile would inherit a file that this
      // process writes, and a file that is open for writing can't be run.
      let fake = "\(folder.path)/curl"
      let head = "cat >'\(fake)' <<'FAKE'\n#!/bin/sh\n\(Self.body)\nFAKE\nchmod 755 '\(fake)'\n"
      try Data((head + commands.joined(separator: "\n") + "\n").utf8).write(to: script)

      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-e", script.path]
      process.environment = ["PATH": "\(folder.path):/usr/bin:/bin"]
      process.standardInput = FileHandle.nullDevice
      let output = Pipe()
      process.standardOutput = output
      let (written, status) = try await onOwnThread { [process = Locked(process), output] in
        let process = process.withLock { $0 }
        try process.run()
        let written = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (written, process.terminationStatus)
      }
      #expect(status == 0)
      return Self.parse(written)
    }

    private static func parse(_ output: Data) -> [Command] {
      var fields = output.split(separator: 0, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }[...]
      var commands: [Command] = []
      while let count = fields.popFirst().flatMap({ Int($0) }) {
        let arguments = Array(fields.prefix(count))
        fields = fields.dropFirst(count)
        let digits = (fields.popFirst() ?? "").filter { !$0.isWhitespace }
        commands.append(Command(arguments, standardInput: bytes(digits)))
      }
      return commands
    }

    private static func bytes(_ digits: String) -> Data {
      var bytes = Data()
      var rest = digits.utf8.map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }[...]
      while let high = rest.popFirst(), let low = rest.popFirst() { bytes.append(high << 4 | low) }
      return bytes
    }
  }
#endif
