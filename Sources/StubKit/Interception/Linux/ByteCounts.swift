#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The byte counts of a task, updated as the system's own loader updates them.
  ///
  /// Use it on the load's queue only.
  struct ByteCounts {
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
      requestLength = request.httpMethod == "GET" ? 0 : Int64(Self.bodyLength(of: request, task))
      if requestLength > 0 { show(.countOfBytesExpectedToSend, requestLength) }
    }

    /// Resets the counts before the system's own loader takes the task and counts from the beginning.
    func resetForSystemLoader() { if requestLength > 0 { show(.countOfBytesExpectedToSend, 0) } }

    /// Sets the expected length from a head. It is unknown for an encoded body, because the system decodes it.
    mutating func expect(_ head: HTTPURLResponse, isEncoded: Bool) {
      let isKnown = head.expectedContentLength > 0 && !isEncoded && head.statusCode != 304
      expectedToReceive = isKnown ? head.expectedContentLength : Self.unknown
      show(.countOfBytesExpectedToReceive, expectedToReceive)
      // Like the native loader, this leaves the progress unchanged if the request has no body.
      if requestLength > 0 { updateProgress() }
    }

    mutating func send(_ byteCount: Int) {
      sent += Int64(byteCount)
      show(.countOfBytesSent, sent)
      updateProgress()
    }

    mutating func receive(_ byteCount: Int) {
      received += Int64(byteCount)
      show(.countOfBytesReceived, received)
      updateProgress()
    }

    private func show(_ count: FoundationInternal, _ value: Int64) {
      Platform.internals?.task.set(count, to: value, of: task)
    }

    /// Makes URLSession update the task's `progress`, as it does whenever a count changes.
    private func updateProgress() {
      guard Platform.internals != nil else { return }
      let expected = task.countOfBytesClientExpectsToReceive
      task.countOfBytesClientExpectsToReceive = expected
    }

    /// Returns the length of the request's body, or 0 if it is unknown, as for a stream.
    private static func bodyLength(of request: URLRequest, _ task: URLSessionTask) -> Int {
      switch Platform.bodyOfUpload(task) {
      case nil: request.httpBody?.count ?? 0
      case .data(let data): data.count
      case .file(let file): (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
      case .some(.none), .stream, .fromDelegate: 0
      }
    }
  }
#endif
