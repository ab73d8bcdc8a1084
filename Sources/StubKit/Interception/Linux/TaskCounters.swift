#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// The byte counts of a task, which only URLSession's own loaders can set.
  struct TaskCounters: Sendable {
    private let sent: StoredField<Int64>
    private let received: StoredField<Int64>
    private let expectedToSend: StoredField<Int64>
    private let expectedToReceive: StoredField<Int64>
    /// Guards the counts of sent and received bytes, but not the expected ones.
    private let lock: StoredField<DispatchQueue>

    init?(sent: String = "_countOfBytesSent", lock: String = "syncQ") {
      func field<Value>(_ name: String) -> StoredField<Value>? { StoredField(name, of: URLSessionTask.self) }
      guard let sent: StoredField<Int64> = field(sent), let lock: StoredField<DispatchQueue> = field(lock),
        let received: StoredField<Int64> = field("_countOfBytesReceived"),
        let expectedToSend: StoredField<Int64> = field("countOfBytesExpectedToSend"),
        let expectedToReceive: StoredField<Int64> = field("countOfBytesExpectedToReceive")
      else { return nil }
      self.sent = sent
      self.received = received
      self.expectedToSend = expectedToSend
      self.expectedToReceive = expectedToReceive
      self.lock = lock
    }

    /// Call this on the task's work queue, where URLSession sets them too.
    func set(_ count: TaskAccount.Count, to value: Int64, of task: URLSessionTask) {
      switch count {
      case .sent: lock.load(from: task).sync { sent.store(value, in: task) }
      case .received: lock.load(from: task).sync { received.store(value, in: task) }
      case .expectedToSend: expectedToSend.store(value, in: task)
      case .expectedToReceive: expectedToReceive.store(value, in: task)
      }
    }
  }
#endif
