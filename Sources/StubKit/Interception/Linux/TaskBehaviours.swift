#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// What a session means to do with a task's events, as its registry of running tasks says it.
  ///
  /// Only there does a session keep the delegate of `data(for:delegate:)` and its kin, and only there can a task with a
  /// completion handler be told from one without.
  struct TaskBehaviours {
    private let registryOffset: Int
    private let tableOffset: Int
    private let table: any BehaviourTable.Type

    init?(named name: String = "taskRegistry", behaviours: String = "behaviours") {
      var registry: AnyClass?
      let registryOffset = offsetOfField(name, of: URLSession.self) { type in
        registry = type as? AnyClass
        return registry != nil
      }
      guard let registryOffset, let registry else { return nil }
      var table: (any BehaviourTable.Type)?
      let tableOffset = offsetOfField(behaviours, of: registry) { type in
        table = type as? any BehaviourTable.Type
        return table != nil
      }
      guard let tableOffset, let table else { return nil }
      self.registryOffset = registryOffset
      self.tableOffset = tableOffset
      self.table = table
    }

    /// Call on the task's work queue, where alone the registry may be looked at.
    func audience(of task: URLSessionTask, in session: URLSession) -> Audience {
      // Holds: the field's type is a class, not an optional one, and the table's type is the one found for its field.
      let registry = (Unmanaged.passUnretained(session).toOpaque() + registryOffset).load(as: UnsafeRawPointer.self)
      guard let behaviour = table.behaviour(of: task.taskIdentifier, at: registry + tableOffset) else {
        return .unknown
      }
      guard let (label, payload) = Mirror(reflecting: behaviour).children.first else {
        guard "\(behaviour)" == "callDelegate" else { return .unknown }
        let delegate = session.delegate as? any URLSessionTaskDelegate
        return delegate.map { .listener(TaskListener(session: session, delegate: $0, isOwn: false)) } ?? .nobody
      }
      switch label {
      case "dataCompletionHandler", "downloadCompletionHandler":
        return .nobody
      case "dataCompletionHandlerWithTaskDelegate", "downloadCompletionHandlerWithTaskDelegate":
        let delegate = Mirror(reflecting: payload).children.lazy.compactMap { $0.value as? any URLSessionTaskDelegate }
        return delegate.first.map { .listener(TaskListener(session: session, delegate: $0, isOwn: true)) } ?? .nobody
      default:
        return .unknown
      }
    }
  }

  /// The registry's table, whose values' type cannot be named here.
  private protocol BehaviourTable {
    static func behaviour(of identifier: Int, at address: UnsafeRawPointer) -> Any?
  }

  extension Dictionary: BehaviourTable where Key == Int {
    fileprivate static func behaviour(of identifier: Int, at address: UnsafeRawPointer) -> Any? {
      address.assumingMemoryBound(to: Self.self).pointee[identifier]
    }
  }
#endif
