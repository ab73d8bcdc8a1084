import Foundation
import StubKitServer
import TestSupport
import Testing

@Suite("Other clients", .inTurn)
struct OtherClientTests {
  private static func curl(_ arguments: String...) async throws -> String? {
    try await ChildProcess.run(
      "curl", ["--silent", "--show-error", "--noproxy", "*", "--max-time", "3600"] + arguments)
  }

  /// Runs a test with a server that curl can ask, where curl is installed: for a text of ten digits, and for pieces.
  /// An upload is answered with the number of its bytes.
  private static func withServerForCurl(_ test: (_ url: String) async throws -> Void) async throws {
    guard try await curl("--version") != nil else { return }
    try await withStubServer(for: "https://api.example.com") { server in
      stub(condition: isHost("api.example.com") && isPath("/text"), response: .text("0123456789").acceptingRanges())
      stub(condition: isMethod(.put) || isMethod(.post)) { request in .text("\(request.stubBody?.count ?? 0)") }
      stub(condition: isPath("/old"), response: .redirect(to: "https://api.example.com/text"))
      stub(condition: isPath("/chunks")) { _ in .stream(AsyncStream(texts: "0123456789,", "two")) }
      try await test(server.url.absoluteString)
    }
  }

  @Test("curl keeps its connection for a second request")
  func curlKeepsConnection() async throws {
    try await Self.withServerForCurl { url in
      let both = try await Self.curl("\(url)/text", "\(url)/text", "--write-out", " %{num_connects} new\n")
      #expect(both == "0123456789 1 new\n0123456789 0 new\n")
    }
  }

  @Test("curl reads heads, ranges, chunks and redirects, and speaks HTTP/1.0")
  func curlReads() async throws {
    try await Self.withServerForCurl { url in
      let head = try #require(try await Self.curl("--head", "\(url)/text"))
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(head.contains("Content-Length: 10\r\n"))
      #expect(try await Self.curl("--range", "2-4", "\(url)/text") == "234")
      #expect(try await Self.curl("\(url)/chunks") == "0123456789,two")
      #expect(try await Self.curl("--location", "\(url)/old") == "0123456789")
      #expect(try await Self.curl("--http1.0", "\(url)/text") == "0123456789")
    }
  }

  @Test("curl uploads a long file", arguments: ["Expect: 100-continue", "Transfer-Encoding: chunked"])
  func curlUploads(field: String) async throws {
    try await Self.withServerForCurl { url in
      let file = try LargeFile(length: 3_000_000)
      let printed = try await Self.curl("--upload-file", file.url.path, "--header", field, "\(url)/up")
      #expect(printed == "3000000")
    }
  }

  @Test("curl prints the report of a request that no stub matches")
  func curlUnmatched() async throws {
    try await Self.withServerForCurl { url in
      let report = try await Self.curl("\(url)/unknown")
      #expect(report?.hasPrefix("No stub matches GET https://api.example.com/unknown") == true)
    }
  }

  @Test("curl takes a server for a proxy")
  func curlProxy() async throws {
    try await withStubServer(for: "https://api.example.com") { server in
      stub(condition: isHost("api.example.com"), response: .text("stubbed"))
      let arguments = ["--silent", "--proxy", server.url.absoluteString, "--noproxy", "", "http://api.example.com/"]
      // Where curl isn't installed, there is nothing to expect.
      guard let text = try await ChildProcess.run("curl", arguments) else { return }
      #expect(text == "stubbed")
    }
  }
}
