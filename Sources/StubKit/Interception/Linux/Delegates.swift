#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// A session's registry of running tasks, which has what the session does with their events. StubKit reads it to find
  /// out who receives them.
  ///
  /// The registry is the only place where a session keeps the delegate of `data(for:delegate:)` and its siblings. It is
  /// also the only place where a task with a completion handler differs from one without. Its values have a type that
  /// can't be named here. Reflection shows their cases.
  struct TaskBehaviours: Sendable {
    private let registry: FoundField
    private let table: FoundField

    init(
      named name: FoundationInternal = .taskRegistry, behaviours: FoundationInternal = .behaviours,
      type: String = "FoundationNetworking.URLSession._TaskRegistry._Behaviour"
    ) throws(MissingInternal) {
      registry = try FoundField(name, of: URLSession.self) { $0 is AnyClass }
      guard let registryClass = registry.type as? AnyClass else { throw MissingInternal(name) }
      table = try FoundField(behaviours, of: registryClass) { ($0 as? any BehaviourTable.Type)?.nameOfValues == type }
    }

    /// Returns the case of a task's behaviour with what belongs to it, or `nil` for a task that is over. Call this on the
    /// task's work queue, the only place where the registry can be read.
    private func behaviour(of task: URLSessionTask, in session: URLSession) -> Mirror.Child? {
      // Safe because the field's type is a class, not an optional one.
      let registry = registry.address(in: session).load(as: UnsafeRawPointer.self)
      let address = registry + table.offset
      return (table.type as? any BehaviourTable.Type)?.value(of: task.taskIdentifier, at: address).map {
        Mirror(reflecting: $0).children.first ?? (nil, ())
      }
    }

    /// Returns whether an async call waits for a download, whose file is then the caller's. Call this on the task's work
    /// queue.
    func isAsyncCall(_ task: URLSessionDownloadTask, in session: URLSession) -> Bool {
      behaviour(of: task, in: session)?.label == "downloadCompletionHandlerWithTaskDelegate"
    }

    /// Call this on the task's work queue.
    func receiver(of task: URLSessionTask, in session: URLSession) -> BodyReceiver {
      guard let (label, payload) = behaviour(of: task, in: session) else { return .unknown }
      // Without a handler, the session's delegate is called. Behind a handler, there can be the delegate of the call.
      let delegate =
        if label == nil { session.delegate } else {
          Mirror(reflecting: payload).children.dropFirst().first?.value as? any URLSessionDelegate
        }
      return (delegate as? any URLSessionTaskDelegate).map { .delegate($0, isOwn: label != nil) } ?? .handler
    }
  }

  /// The table of the registry, whose value type can't be named here.
  private protocol BehaviourTable: SendableMetatype {
    static var nameOfValues: String { get }
    static func value(of identifier: Int, at address: UnsafeRawPointer) -> Any?
  }

  extension Dictionary: BehaviourTable where Key == Int {
    fileprivate static var nameOfValues: String { _typeName(Value.self) }

    fileprivate static func value(of identifier: Int, at address: UnsafeRawPointer) -> Any? {
      // Safe because this is the type of the field at the address.
      address.assumingMemoryBound(to: Self.self).pointee[identifier]
    }
  }
#endif
