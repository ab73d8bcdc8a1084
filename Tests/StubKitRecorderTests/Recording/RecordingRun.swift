import Foundation

@testable import StubKitRecorder

/// Runs the body in a scope that records. Returns what was recorded.
func recording(
  unmatched: UnmatchedPolicy = .passThrough, _ body: @Sendable () async throws -> Void
) async rethrows -> (entries: [HTTPArchive.Entry], unfinishedCount: Int) {
  let recorder = ArchiveRecorder()
  try await withStubs {
    _ = StubRegistry.current.begin(RecordingInUse(recorder, isOfTest: true))
    StubRegistry.current.unmatched = unmatched
    try await body()
  }
  return recorder.contents
}

/// The bytes of a response after which a server closes the connection.
func reply(_ head: String, _ body: String) -> Data { reply(head, Data(body.utf8)) }

func reply(_ head: String, _ body: Data) -> Data {
  Data("HTTP/1.1 \(head)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8) + body
}

extension HTTPArchive.Entry {
  /// The status and the body of the response.
  var text: String? { response.map { "\($0.status) \($0.body.text)" } }
}
