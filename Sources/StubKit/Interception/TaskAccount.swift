import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a task says of the bytes it has moved, kept as the system's own loader keeps it.
///
/// Used on the load's queue only.
struct TaskAccount {
  enum Count { case sent, received, expectedToSend, expectedToReceive }

  /// What is expected of a body whose length is not known.
  static let unknown = Int64(-1)

  let requestLength: Int64
  private(set) var sent: Int64 = 0
  private(set) var received: Int64 = 0
  private(set) var expectedToReceive: Int64 = 0

  private let task: URLSessionTask

  init(_ task: URLSessionTask, requestLength: Int) {
    self.task = task
    self.requestLength = Int64(requestLength)
    if requestLength > 0 { Platform.count(.expectedToSend, self.requestLength, of: task) }
  }

  /// The system's own loader gets the task, and counts from the beginning.
  func giveUp() { if requestLength > 0 { Platform.count(.expectedToSend, 0, of: task) } }

  /// Takes the length that a head announces. Of an encoded body it is not known, since the system decodes it.
  mutating func expect(_ head: HTTPURLResponse, isEncoded: Bool) {
    let isKnown = head.expectedContentLength > 0 && !isEncoded && head.statusCode != 304
    expectedToReceive = isKnown ? head.expectedContentLength : Self.unknown
    Platform.count(.expectedToReceive, expectedToReceive, of: task)
    // Without a request's body the progress stays as it is, and so it would natively.
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
