#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// The session that owns a task, by key-value coding, because the property is not public.
  struct SessionByKey {
    private static let key = "session"

    /// Returns `nil` if a task has no such property.
    init?() {
      var isThere = true
      SampleTasks.with { task in
        if Self.session(of: task) == nil { isThere = false }
      }
      guard isThere else { return nil }
    }

    func of(_ task: URLSessionTask) -> URLSession? { Self.session(of: task) }

    private static func session(of task: URLSessionTask) -> URLSession? {
      guard task.responds(to: Selector(key)) else { return nil }
      return task.value(forKey: key) as? URLSession
    }
  }
#endif
