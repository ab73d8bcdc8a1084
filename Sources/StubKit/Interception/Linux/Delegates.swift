#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// What a session does with a task's events.
  ///
  /// It mirrors the private enum `URLSession._TaskRegistry._Behaviour` of FoundationNetworking. Cases, payloads and order
  /// must be the same, or memory is misread.
  enum TaskBehaviour {
    typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

    case callDelegate
    case dataCompletionHandler(DataHandler)
    case dataCompletionHandlerWithTaskDelegate(DataHandler, (any URLSessionTaskDelegate)?)
    case downloadCompletionHandler(FileHandler)
    case downloadCompletionHandlerWithTaskDelegate(FileHandler, (any URLSessionTaskDelegate)?)

    /// The delegate that the call has brought, or `nil` if it has brought none.
    var ownDelegate: (any URLSessionTaskDelegate)? {
      switch self {
      case .dataCompletionHandlerWithTaskDelegate(_, let delegate): delegate
      case .downloadCompletionHandlerWithTaskDelegate(_, let delegate): delegate
      case .callDelegate, .dataCompletionHandler, .downloadCompletionHandler: nil
      }
    }
  }

  /// A session's registry of running tasks, which has what the session does with their events. StubKit reads it to find
  /// out who receives them.
  ///
  /// The registry is the only place where a session keeps the delegate of `data(for:delegate:)` and its siblings. It is
  /// also the only place where a task with a completion handler differs from one without.
  ///
  /// This recognises the type of its values by its name, its size and its cases: a case of `TaskBehaviour`, reinterpreted as
  /// one of the session's, must show the same label and the same type of payload.
  struct TaskBehaviours: Sendable {
    private let registry: FoundField
    private let tableOffset: Int
    private let table: any BehaviourTable.Type

    init(
      named name: FoundationInternal = .taskRegistry, behaviours: FoundationInternal = .behaviours,
      type: String = "FoundationNetworking.URLSession._TaskRegistry._Behaviour"
    ) throws(MissingInternal) {
      registry = try FoundField(name, of: URLSession.self) { $0 is AnyClass }
      guard let registryClass = registry.type as? AnyClass else { throw MissingInternal(name) }
      let found = try FoundField(behaviours, of: registryClass) { $0 is any BehaviourTable.Type }
      guard let table = found.type as? any BehaviourTable.Type, table.holdsValues(of: type) else {
        throw MissingInternal(behaviours)
      }
      tableOffset = found.offset
      let samples: [TaskBehaviour] = [
        .callDelegate, .dataCompletionHandler { _, _, _ in },
        .dataCompletionHandlerWithTaskDelegate({ _, _, _ in }, Sample()), .downloadCompletionHandler { _, _, _ in },
        .downloadCompletionHandlerWithTaskDelegate({ _, _, _ in }, Sample()),
      ]
      guard samples.allSatisfy(table.looksTheSame) else { throw MissingInternal(behaviours) }
      self.table = table
    }

    /// Returns `nil` for a task that is over. Call this on the task's work queue, the only place where the registry can
    /// be read.
    private func behaviour(of task: URLSessionTask, in session: URLSession) -> TaskBehaviour? {
      table.behaviour(of: task.taskIdentifier, at: address(in: session))
    }

    /// Call this on the task's work queue.
    func receiver(of task: URLSessionTask, in session: URLSession) -> BodyReceiver {
      let (delegate, isOwn): ((any URLSessionTaskDelegate)?, Bool)
      switch behaviour(of: task, in: session) {
      case nil: return .unknown
      case .callDelegate: (delegate, isOwn) = (session.delegate as? any URLSessionTaskDelegate, false)
      case let behaviour?: (delegate, isOwn) = (behaviour.ownDelegate, true)
      }
      return delegate.map { .delegate($0, isOwn: isOwn) } ?? .handler
    }

    private func address(in session: URLSession) -> UnsafeMutableRawPointer {
      // Safe because the field's type is a class, not an optional one, and the table's type is the one found for its field.
      registry.address(in: session).load(as: UnsafeMutableRawPointer.self) + tableOffset
    }

    private final class Sample: NSObject, URLSessionTaskDelegate {}
  }

  /// The table of the registry, whose value type can't be named here.
  private protocol BehaviourTable: SendableMetatype {
    static func holdsValues(of typeName: String) -> Bool
    static func looksTheSame(_ behaviour: TaskBehaviour) -> Bool
    static func behaviour(of identifier: Int, at address: UnsafeMutableRawPointer) -> TaskBehaviour?
  }

  extension Dictionary: BehaviourTable where Key == Int {
    fileprivate static func holdsValues(of typeName: String) -> Bool {
      _typeName(Value.self) == typeName && MemoryLayout<Value>.size == MemoryLayout<TaskBehaviour>.size
        && MemoryLayout<Value>.stride == MemoryLayout<TaskBehaviour>.stride
        && MemoryLayout<Value>.alignment == MemoryLayout<TaskBehaviour>.alignment
    }

    // Safe, here and below, because `holdsValues(of:)` has checked that the type has the expected name and layout, and
    // `looksTheSame(_:)` that its cases are the same.
    fileprivate static func looksTheSame(_ behaviour: TaskBehaviour) -> Bool {
      let theirs = Mirror(reflecting: unsafeBitCast(behaviour, to: Value.self))
      let ours = Mirror(reflecting: behaviour)
      guard theirs.displayStyle == .enum else { return false }
      guard let ours = ours.children.first, let theirs = theirs.children.first else {
        return ours.children.isEmpty && theirs.children.isEmpty
      }
      return ours.label == theirs.label && type(of: ours.value) == type(of: theirs.value)
    }

    fileprivate static func behaviour(of identifier: Int, at address: UnsafeMutableRawPointer) -> TaskBehaviour? {
      address.assumingMemoryBound(to: Self.self).pointee[identifier].map { unsafeBitCast($0, to: TaskBehaviour.self) }
    }
  }
#endif
