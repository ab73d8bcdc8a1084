#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The delegate that a task has of its own, which goes before its session's when something is asked. `URLSessionTask.delegate`
  /// can't be set any more when a task runs.
  struct OwnDelegate {
    private let field: StoredField<(any URLSessionTaskDelegate)?>

    init?(named name: String = "_taskDelegate") {
      guard let field = StoredField<(any URLSessionTaskDelegate)?>(name, of: URLSessionTask.self) else { return nil }
      self.field = field
    }

    /// Call on the task's work queue, here and below.
    func of(_ task: URLSessionTask) -> (any URLSessionTaskDelegate)? { field.load(from: task) }

    func set(_ delegate: (any URLSessionTaskDelegate)?, of task: URLSessionTask) { field.store(delegate, in: task) }
  }
#endif
