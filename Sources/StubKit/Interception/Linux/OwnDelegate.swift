#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The delegate of the task itself, which URLSession asks before the delegate of the session.
  /// `URLSessionTask.delegate` can't be set any more once a task runs.
  struct OwnDelegate: Sendable {
    private let field: StoredField<(any URLSessionTaskDelegate)?>

    init?(named name: String = "_taskDelegate") {
      guard let field = StoredField<(any URLSessionTaskDelegate)?>(name, of: URLSessionTask.self) else { return nil }
      self.field = field
    }

    /// Call this and `set(_:of:)` on the task's work queue.
    func of(_ task: URLSessionTask) -> (any URLSessionTaskDelegate)? { field.load(from: task) }

    func set(_ delegate: (any URLSessionTaskDelegate)?, of task: URLSessionTask) { field.store(delegate, in: task) }
  }
#endif
