import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Why something about a request is not known afterwards. Each row is a request whose body contains "secret".
enum UnknownBody: CaseIterable, Sendable {
  case largeBody, unreadStream, unreadUpload, lostFile, unfinishedBody, droppedEntry, underWay

  /// What each place says of it.
  var reasons: [String] {
    switch self {
    case .largeBody: ["only its length is kept, 1000007 bytes", "journal.keepsLargeBodies = true"]
    case .unreadStream, .unreadUpload:
      ["no stub needed the stream, so it was not read", "Give the request's stub a condition on the body"]
    case .lostFile: ["its file could not be read", "Leave the file in its place"]
    case .unfinishedBody: ["not read to its end", "let its body end"]
    case .droppedEntry: ["1 earlier request is no longer in the journal"]
    case .underWay: ["POST http://a.example/log: StubKit waits for its body"]
    }
  }

  /// A Boolean value that indicates whether the rest of the request is known.
  var hasEntry: Bool { self != .droppedEntry }

  /// The stub's answer. A client that reaches no server sends no body.
  var answer: StubResponse {
    self == .unreadStream || self == .unreadUpload ? .failure(.cannotConnectToHost) : .status(204)
  }

  /// Makes the request, and runs the body when it is as it says.
  func run(_ body: () async throws -> Void) async throws {
    let registry = StubRegistry.current
    let (secret, release) = (Data("secret".utf8), DispatchSemaphore(value: 0))
    let request = request("http://a.example/log", method: "POST")
    switch self {
    case .largeBody:
      _ = try await Sending(.dataOfDataTask, Data(count: 1_000_001) + secret).send(request)
    case .unreadStream: _ = try? await Sending(.streamOfDataTask, secret).send(request)
    case .unreadUpload: _ = try? await Sending(.streamedUpload, secret).send(request)
    case .lostFile:
      let file = try TestFile(secret)
      registry.onActivation { _, _, _ in try? FileManager.default.removeItem(at: file.url) }
      _ = try await URLSession.shared.upload(for: request, fromFile: file.url)
    case .droppedEntry:
      _ = try await Sending(.dataOfDataTask, secret).send(request)
      registry.journal.limit = 0
    case .unfinishedBody, .underWay:
      if self == .underWay {
        stub(condition: isPath("/log") && bodyContains("other"), response: .status(204))
      } else {
        stub(condition: isPath("/log")) { _ in .status(204) }
      }
      let sending = Sending(.streamOfDataTask, secret, stream: WatchedStream(secret, release: release))
      async let sent = sending.send(request)
      try await until("the stream is read") { sending.stream.isTouched }
      try await body()
      for _ in 0..<4 { release.signal() }
      _ = try await sent
      return
    }
    try await body()
  }
}
