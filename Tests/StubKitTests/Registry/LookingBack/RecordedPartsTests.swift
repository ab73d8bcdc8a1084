import Foundation
import StubKit
import TestSupport
import Testing

@Suite("A recorded request", .inTurn)
struct RecordedPartsTests {
  private func entry(_ body: Data?, _ type: String?) async throws -> RecordedRequest {
    try await withStubs {
      let upload = stub(.post, "http://a.example/", response: .ok)
      let headers = type.map { ["Content-Type": $0] } ?? [:]
      let sent = request(url("http://a.example/"), method: "POST", headers: headers, body: body)
      _ = try await URLSession.shared.fetch(sent)
      return try #require(upload.lastRequest)
    }
  }

  @Test("gives the parts of a multipart form, with their names, types and bytes")
  func multipart() async throws {
    // With a line break and two hyphens, as at the end of a part.
    let photo = Data([0xFF, 0xD8, 0x0D, 0x0A, 0x00, 0x2D, 0x2D])
    let body =
      Data("--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nSunset\r\n--x\r\n".utf8)
      + Data("Content-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n".utf8)
      + Data("Content-Type: image/jpeg\r\n\r\n".utf8) + photo + Data("\r\n--x--\r\n".utf8)
    let parts = try await entry(body, "multipart/form-data; boundary=x").multipart()
    #expect(parts.map(\.name) == ["title", "photo"])
    #expect(parts.map(\.filename) == [nil, "a.jpg"])
    #expect(parts.map(\.contentType) == ["text/plain", "image/jpeg"] && parts.map(\.text) == ["Sunset", nil])
    #expect(parts.map(\.data) == [Data("Sunset".utf8), photo] && parts[1].data.first == 0xFF)
  }

  @Test(
    "says why it has no parts",
    arguments: [
      ("--x\r\n\r\na\r\n--x--", "multipart/form-data", "its Content-Type is multipart/form-data, without a boundary."),
      ("{}", "application/json", "its Content-Type is application/json, without a boundary."),
      ("--x\r\n\r\na", "multipart/form-data; boundary=x", "no line --x-- ends its body."),
      (
        "--x\n\na\n--x--", "multipart/form-data; boundary=x",
        #"its lines end with LF alone: write CR and LF, "\r\n" in Swift."#
      ),
      (nil, "multipart/form-data; boundary=x", "POST http://a.example/ has no body."),
    ] as [(Lines?, String, String)])
  func noParts(body: Lines?, type: String, reason: String) async throws {
    let entry = try await entry(body.map { Data($0.text.utf8) }, type)
    let error = #expect(throws: (any Error).self) { try entry.multipart() }
    #expect(error.map { "\($0)".hasSuffix(reason) } == true, "\(error as Any)")
  }

  @Test("has a whole response, and the error that came in place of its end")
  func failureAtTheEnd() async throws {
    try await withStubs {
      stub(condition: isPath("/code"), response: .text("whole").failing(with: .networkConnectionLost))
      stub(condition: isPath("/error"), response: .text("whole").failing(with: NSError(domain: "Proxy", code: 7)))
      for (path, domain) in [("code", NSURLErrorDomain), ("error", "Proxy")] {
        let told = try await DelegateEvents().told { $0.dataTask(with: url("http://a.example/\(path)")) }
        #expect(told.contains("data whole"), "\(path)")
        #expect(told.last?.hasPrefix("error") == true, "\(path)")
        let entry = try #require(HTTPStubs.journal.entries.last)
        #expect((entry.outcome.error as NSError?)?.domain == domain)
        #expect(entry.outcome.status == 200, "\(path)")
        #expect(entry.response?.bodyLength == 5, "\(path)")
      }
    }
  }
}
