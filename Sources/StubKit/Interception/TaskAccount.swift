import Foundation

/// The byte counts of a task, updated as the system's own loader updates them.
///
/// Use it on the load's queue only.
struct TaskAccount {
  enum Count { case sent, received, expectedToSend, expectedToReceive }

  /// The expected length of a body of unknown length.
  static let unknown = Int64(-1)

  let requestLength: Int64
  private(set) var sent: Int64 = 0
  private(set) var received: Int64 = 0
  private(set) var expectedToReceive: Int64 = 0

  private let task: URLSessionTask

  init(_ task: URLSessionTask, _ request: URLRequest) {
    self.task = task
    // URLSession sends no GET with a body.
    requestLength = request.httpMethod == "GET" ? 0 : Int64(Platform.bodyLength(of: request, task))
    if requestLength > 0 { Platform.count(.expectedToSend, self.requestLength, of: task) }
  }

  /// Resets the counts before the system's own loader takes the task and counts from the beginning.
  func resetForSystemLoader() { if requestLength > 0 { Platform.count(.expectedToSend, 0, of: task) } }

  /// Sets the expected length from a head. It is unknown for an encoded body, because the system decodes it.
  mutating func expect(_ head: HTTPURLResponse, isEncoded: Bool) {
    let isKnown = head.expectedContentLength > 0 && !isEncoded && head.statusCode != 304
    expectedToReceive = isKnown ? head.expectedContentLength : Self.unknown
    Platform.count(.expectedToReceive, expectedToReceive, of: task)
    // Like the native loader, this leaves the progress unchanged if the request has no body.
    if requestLength > 0 { Platform.updateProgress(of: task) }
  }

  mutating func send(_ byteCount: Int) {
    sent += Int64(byteCount)
    Platform.count(.sent, sent, of: task)
    Platform.updateProgress(of: task)
  }

  mutating func receive(_ byteCount: Int) {
    received += Int64(byteCount)
    Platform.count(.received, received, of: task)
    Platform.updateProgress(of: task)
  }
}

/// A task knows what its request does not show: its session's headers, and its body.
extension URLSessionTask: RequestOrigin {
  func addedHeaders(to request: URLRequest) -> [String: String] { Platform.addedHeaders(to: request, of: self) }

  var separateBody: RequestBody? { Platform.separateBody(of: self) }

  func problem(of request: URLRequest) -> (any Error)? {
    guard request.httpMethod == "GET" else { return Platform.problem(of: request, self) }
    return if case .none = separateBody ?? request.ownBody { nil } else { URLError.bodyOfGET(request) }
  }

  func readBody(of request: URLRequest) async throws -> Data? { try await Platform.readBody(of: request, self) }
}
