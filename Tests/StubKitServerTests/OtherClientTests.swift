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

  @Test("curl keeps connections, reads chunks, heads and ranges, uploads with Expect, and speaks HTTP/1.0")
  func curl() async throws {
    try await withStubServer(for: "https://api.example.com") { server in
      let url = server.url.absoluteString
      stub(condition: isHost("api.example.com") && isPath("/text"), response: .text("0123456789").acceptingRanges())
      stub(condition: isMethod(.put) || isMethod(.post)) { request in .text("\(request.stubBody?.count ?? 0)") }
      stub(condition: isPath("/old"), response: .redirect(to: "https://api.example.com/text"))
      stub(condition: isPath("/chunks")) { _ in .stream(AsyncStream(texts: "0123456789,", "two")) }
      // Where curl is not installed, nothing is printed. The second request needs no new connection.
      guard let both = try await Self.curl("\(url)/text", "\(url)/text", "--write-out", " %{num_connects}\n") else {
        return
      }
      #expect(both == "0123456789 1\n0123456789 0\n")
      let head = try await Self.curl("--head", "\(url)/text")
      #expect(head?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
      #expect(head?.contains("Content-Length: 10\r\n") == true)
      #expect(try await Self.curl("--range", "2-4", "\(url)/text") == "234")
      #expect(try await Self.curl("--http1.0", "\(url)/text") == "0123456789")
      #expect(try await Self.curl("--location", "\(url)/old") == "0123456789")
      #expect(try await Self.curl("\(url)/chunks") == "0123456789,two")
      let file = try LargeFile(length: 3_000_000)
      for fields in [["Expect: 100-continue"], ["Transfer-Encoding: chunked"]] {
        let printed = try await Self.curl("--upload-file", file.url.path, "--header", fields[0], "\(url)/up")
        #expect(printed == "3000000", "\(fields)")
      }
      #expect(
        try await Self.curl("\(url)/unknown")?.hasPrefix("No stub matches GET https://api.example.com/unknown") == true)
      let proxied = try await ChildProcess.run(
        "curl", ["--silent", "--proxy", url, "--noproxy", "", "http://api.example.com/text"])
      #expect(proxied == "0123456789")
    }
  }
}
