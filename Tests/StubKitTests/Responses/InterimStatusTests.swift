import Foundation
import StubKit
import StubKitOHHTTPStubs
import StubKitRecorder
import TestSupport
import Testing

/// RFC 9110, section 15.2: a client waits for the final response.
@Suite("An interim status", .inTurn)
struct InterimStatusTests {
  private static let address = url("https://api.example.com/x")

  private static func head(_ status: Int) -> HTTPURLResponse {
    HTTPURLResponse(url: address, statusCode: status, httpVersion: nil, headerFields: nil)!
  }

  private static let forms: [(name: String, register: @Sendable (_ status: Int) -> Void)] = [
    ("status", { stub(.get, "/x", response: .status($0)) }),
    ("closure", { status in stub(.get, "/x") { _ in .status(status) } }),
    ("closure of a mock", { status in stub(.get, "/x") { _ in (head(status), Data()) } }),
    ("policy", { status in HTTPStubs.unmatched = .respond { _ in .status(status) } }),
    ("policy of a mock", { status in HTTPStubs.unmatched = .respond { _ in (head(status), Data()) } }),
    ("OHHTTPStubs", { stub(.get, "/x", response: HTTPStubsResponse(data: Data(), statusCode: $0, headers: nil)) }),
    ("message", { stub(.get, "/x", response: .message(Data("HTTP/1.1 \($0) Early\r\nA: b\r\n\r\n".utf8))) }),
    (
      "recording",
      { replay(HTTPArchive(entries: [.init(request: URLRequest(url: address), response: .init(status: $0))])) }
    ),
  ]

  @Test(
    "fails the request, in whatever form the response is given, and the error names the stub",
    arguments: [100, 103, 199])
  func everywhere(_ status: Int) async {
    for (name, register) in Self.forms {
      await withStubs {
        register(status)
        let error = await URLSession.shared.failure(of: Self.address.absoluteString) as? StubResponseError
        let sentence = "answers with the status \(status), which is an interim status, after which a client waits"
        #expect(error?.description.contains(sentence) == true, "\(name): \(error as Any)")
        // A policy has no stub that an error could name.
        let isHere = error?.stub?.location.fileID.hasSuffix("InterimStatusTests.swift") == true
        #expect(isHere != name.hasPrefix("policy"), "\(name)")
      }
    }
  }
}
