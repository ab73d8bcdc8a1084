#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// A task's `error`, which URLSession's own loaders set before they tell their client of it.
  struct TaskError: Sendable {
    private let field: StoredField<(any Error)?>

    init?(named name: String = "error") {
      guard let field = StoredField<(any Error)?>(name, of: URLSessionTask.self) else { return nil }
      self.field = field
    }

    /// Call this on the task's work queue.
    func set(_ error: any Error, of task: URLSessionTask) { field.store(error, in: task) }
  }
#endif
