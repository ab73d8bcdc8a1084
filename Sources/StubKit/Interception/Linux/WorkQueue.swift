#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// The task's internal work queue, the only queue on which URLSession's client can be called without a crash.
  struct WorkQueue: Sendable {
    private let field: StoredField<DispatchQueue>

    init?(named name: String = "workQueue") {
      guard let field = StoredField<DispatchQueue>(name, of: URLSessionTask.self) else { return nil }
      self.field = field
    }

    func of(_ task: URLSessionTask) -> DispatchQueue { field.load(from: task) }
  }
#endif
