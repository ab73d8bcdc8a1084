#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// What a session does with a task's events, according to its registry of running tasks.
  ///
  /// The registry is the only place where a session keeps the delegate of `data(for:delegate:)` and its siblings. It is
  /// also the only place where a task with a completion handler differs from one without.
  struct TaskBehaviours: Sendable {
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

    /// Returns whether an async call can have brought a delegate. This is a quick check for the many calls that bring
    /// none. It can return `true` without reason, and applies only to tasks that async calls created.
    func mayHaveOwnDelegate(_ task: URLSessionTask, in session: URLSession) -> Bool {
      table.mayHoldDelegate(task.taskIdentifier, at: address(in: session))
    }

    /// Call this on the task's work queue, the only place where the registry can be read.
    func audience(of task: URLSessionTask, in session: URLSession) -> Audience {
      guard let behaviour = table.behaviour(of: task.taskIdentifier, at: address(in: session)) else { return .unknown }
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

    private func address(in session: URLSession) -> UnsafeRawPointer {
      // Holds: the field's type is a class, not an optional one, and the table's type is the one found for its field.
      (Unmanaged.passUnretained(session).toOpaque() + registryOffset).load(as: UnsafeRawPointer.self) + tableOffset
    }
  }

  /// The table of the registry, whose value type can't be named here.
  private protocol BehaviourTable: SendableMetatype {
    static func behaviour(of identifier: Int, at address: UnsafeRawPointer) -> Any?
    static func mayHoldDelegate(_ identifier: Int, at address: UnsafeRawPointer) -> Bool
  }

  extension Dictionary: BehaviourTable where Key == Int {
    fileprivate static func behaviour(of identifier: Int, at address: UnsafeRawPointer) -> Any? {
      address.assumingMemoryBound(to: Self.self).pointee[identifier]
    }

    fileprivate static func mayHoldDelegate(_ identifier: Int, at address: UnsafeRawPointer) -> Bool {
      guard let behaviour = address.assumingMemoryBound(to: Self.self).pointee[identifier] else { return false }
      return withUnsafeBytes(of: behaviour) { bytes in
        // A closure of two words comes first, followed by the delegate's reference. Bits that no address uses contain
        // the case.
        guard bytes.count >= 32 else { return true }
        return bytes.load(fromByteOffset: 16, as: UInt.self) & 0x0000_FFFF_FFFF_FFF8 != 0
      }
    }
  }
#endif
