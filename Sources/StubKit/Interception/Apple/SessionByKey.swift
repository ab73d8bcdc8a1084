#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// The session that owns a task, by key-value coding, because the property is not public.
  ///
  /// Each class of tasks is asked by itself. Those of the new loader have an instance variable and no such property.
  struct SessionByKey {
    private static let key = "session"
    private let answers = Protected<[ObjectIdentifier: Bool]>([:])

    /// Returns `nil` if no class of the system's tasks knows its session.
    init?() {
      var isAnywhere = false
      SampleTasks.with { task in
        if of(task) != nil { isAnywhere = true }
      }
      guard isAnywhere else { return nil }
    }

    func of(_ task: URLSessionTask) -> URLSession? {
      guard isKnown(to: task), let value = task.value(forKey: Self.key) else { return nil }
      if let session = value as? URLSession { return session }
      // A session of the new loader is a URLSession by its methods only.
      guard let object = value as? NSObject, object.responds(to: Selector(("configuration"))),
        object.responds(to: Selector(("delegateQueue")))
      else { return nil }
      // Holds: the methods of a class of the system are called by their names.
      return Unmanaged<URLSession>.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
    }

    private func isKnown(to task: URLSessionTask) -> Bool {
      guard let type = object_getClass(task) else { return false }
      return answers.withLock { answers in
        if let answer = answers[ObjectIdentifier(type)] { return answer }
        // Key-value coding finds the variable too.
        let answer =
          task.responds(to: Selector((Self.key))) || class_getInstanceVariable(type, "_" + Self.key) != nil
        answers[ObjectIdentifier(type)] = answer
        return answer
      }
    }
  }
#endif
