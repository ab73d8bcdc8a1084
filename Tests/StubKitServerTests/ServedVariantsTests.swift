import Foundation
import StubKit
import StubKitRecorder
import StubKitServer
import TestSupport
import Testing

/// The same stubs as for `URLSession`, for a client of a server.
@Suite("A server with a version of HTTP, a lost upload or a part of a recording", .inTurn)
struct ServedVariantsTests {
  @Test("speaks HTTP/1.1 with names in lower case, and names its own fields as ever", arguments: [false, true])
  func version(isOfAll: Bool) async throws {
    try await withStubServer { server in
      if isOfAll { HTTPStubs.httpVersion = .http2 }
      let busy = StubResponse.json([1], status: 503).headers([
        "Retry-After": "1", "Keep-Alive": "timeout=5", "Connection": "X-Own",
      ])
      stub(condition: isPath("/busy"), response: isOfAll ? busy : busy.httpVersion(.http2))
      let bytes = try await server.connected(server.request(line: "GET /busy", ["Connection: close"])) {
        $0.readToEnd().bytes.text
      }
      #expect(bytes.hasPrefix("HTTP/1.1 503 "), "\(bytes)")
      for field in ["retry-after: 1", "content-type: application/json", "Content-Length: 3", "Connection: close"] {
        #expect(bytes.contains("\r\n\(field)\r\n"), "\(field): \(bytes)")
      }
      for name in ["Retry-After", "Content-Type", "eep-", "X-Own"] { #expect(!bytes.contains(name), "\(bytes)") }
    }
  }

  @Test("reads an upload that is lost to its end, and then resets the connection")
  func upload() async throws {
    try await withStubServer { server in
      let uploads = stub(condition: isPath("/photos"), response: .failing(afterUploadedBytes: 2))
      let (bytes, end) = try await server.connected(server.request(line: "POST /photos", body: "photo")) {
        $0.readToEnd()
      }
      // An interim head keeps the client from sending it again.
      #expect(bytes.text == "HTTP/1.1 100 Continue\r\n\r\n", "\(bytes.text)")
      #expect(end == .reset)
      #expect(uploads.lastRequest?.text == "photo")
      #expect(uploads.lastRequest?.outcome == .failed(URLError(.networkConnectionLost)))
    }
  }

  @Test("records only the requests that meet the condition of the recording, and passes on the others")
  func recording() async throws {
    let real = try LoopbackServer()
    let (folder, origin) = (try TestFolder(), "http://127.0.0.1:\(real.port)")
    let condition = isPath("/kept") && { $0.httpMethod == "GET" }
    try await RunningTest.$sink.withValue({ _ in }) {
      for mode in [RecordingMode.all, .replay] {
        try await withStubs {
          HTTPStubs.unmatched = .passThrough
          try await withRecording(Recording("session", in: folder.url, mode: mode, where: condition)) {
            let server = try await StubServer(for: origin)
            for path in ["/kept", "/other"] {
              let text = try await server.get(path)?.text
              #expect(text == "real GET \(path)", "\(mode)")
            }
            await server.stop()
          }
        }
      }
    }
    #expect(real.requests == ["GET /kept", "GET /other", "GET /other"])
    let archive = try HTTPArchive(contentsOf: folder.url.appendingPathComponent("session.har"))
    #expect(archive.entries.compactMap { $0.request.url?.path } == ["/kept"])
  }
}
