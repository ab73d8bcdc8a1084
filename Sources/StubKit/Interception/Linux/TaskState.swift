#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// A task's state. Unlike `URLSessionTask.state`, it doesn't wait for the task's internal queue.
  struct TaskState: Sendable {
    private let field: StoredField<URLSessionTask.State>

    init?(named name: String = "_state") {
      guard let field = StoredField<URLSessionTask.State>(name, of: URLSessionTask.self) else { return nil }
      self.field = field
    }

    /// Call this on the task's work queue. Until the last client call, the state changes only there.
    func of(_ task: URLSessionTask) -> URLSessionTask.State { field.load(from: task) }
  }
#endif
