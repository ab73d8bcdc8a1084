#if !canImport(Darwin)
  import Foundation

  /// The system's own loaders, as they were before StubKit was installed.
  enum NativeLoader {
    /// The classes of a default configuration: HTTP, FTP, WebSocket. Must be read before the configuration hook is
    /// installed.
    static let classes = (URLSessionConfiguration.default.protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }

    /// Returns the class that loads a request, or `nil` for a scheme that the system doesn't load.
    static func of(_ request: URLRequest) -> URLProtocol.Type? { classes.first { $0.canInit(with: request) } }
  }

  /// Keeps a task quiet between its last client call and the moment when its owner learns of it.
  ///
  /// URLSession forgets a task's loader with the last client call, but marks the task as completed only after the
  /// delegate queue has run. A `resume()` in between finds a running task without a loader. URLSession then treats it
  /// as an unsupported URL and completes it a second time, or crashes because the task is gone from the session's
  /// registry. This gives the task a loader again, which does nothing and keeps nothing.
  ///
  /// The type of the field that contains the loader can't be named here. This recognises it by its size and by its
  /// case: `LoaderState.existing`, reinterpreted as a value of the field's type, must show the same label and the same
  /// loader.
  struct IdleLoader: @unchecked Sendable {
    // Safe because neither changes, and the loader does nothing.
    private let field: FoundField
    private let idle: LoaderState

    init(named name: FoundationInternal = .protocolStorage) throws {
      field = try FoundField(name, of: URLSessionTask.self) { _typeName($0).hasSuffix(".ProtocolState") }
      let request = URLRequest(url: URL(string: "stubkit-idle:")!)
      let loader = Unstubbed(request: request, cachedResponse: nil, client: nil)
      // URLSession gives every loader a client, and calls that of a task that is cancelled.
      loader.client = nil
      let idle = LoaderState.existing(loader)
      func isShown<State>(by _: State.Type) -> Bool {
        guard haveSameLayout(State.self, LoaderState.self) else { return false }
        // Safe because the sizes are equal, and both cases with a payload have one reference, so it can be retained
        // whichever case it shows.
        let shown = Mirror(reflecting: unsafeBitCast(idle, to: State.self)).children.first
        return shown?.label == "existing" && shown?.value as? Unstubbed === loader
      }
      guard _openExistential(field.type, do: isShown) else { throw MissingInternal(name) }
      self.idle = idle
    }

    /// Call this on the task's work queue, right after the last client call.
    func install(in task: URLSessionTask) {
      // Safe because the layouts are equal, and URLSession changes the field on the task's work queue only, once the
      // loader exists.
      field.address(in: task).assumingMemoryBound(to: LoaderState.self).pointee = idle
    }
  }

  private func haveSameLayout<A, B>(_: A.Type, _: B.Type) -> Bool {
    // The stride follows from both.
    MemoryLayout<A>.size == MemoryLayout<B>.size && MemoryLayout<A>.alignment == MemoryLayout<B>.alignment
  }

  /// Where a task's loader is. The cases, their payloads and their order are those of the task's own type.
  private enum LoaderState {
    case toBeCreated
    case awaitingCacheReply(AnyObject)
    case existing(URLProtocol)
    case invalidated
  }

  /// The values that completion handlers and download tasks receive at the end.
  ///
  /// A defect of swift-corelibs-foundation up to Swift 6.3.1: URLSession reads both from `URLProtocol.properties`, an
  /// internal dictionary that only its own loaders write. Of any other loader, a completion handler gets the last piece
  /// of the body, and a download task gets nothing. This writes the same keys.
  struct LoadProperties {
    private let dictionary: any LoadPropertyDictionary.Type
    private let field: FoundField

    init(named name: FoundationInternal = .properties) throws {
      field = try FoundField(name, of: URLProtocol.self) { $0 is any LoadPropertyDictionary.Type }
      guard let dictionary = field.type as? any LoadPropertyDictionary.Type,
        LoadProperty.allCases.allSatisfy(dictionary.accepts)
      else { throw MissingInternal(name) }
      self.dictionary = dictionary
    }

    func set(_ property: LoadProperty, to value: Any, of loader: URLProtocol) {
      // Safe because offset and dictionary type are those of the field itself, and only the load's own queue touches
      // it.
      dictionary.set(property, to: value, at: field.address(in: loader))
    }
  }

  enum LoadProperty: String, CaseIterable { case responseData, temporaryFileURL }

  /// The type of the internal dictionary. Its key type can't be named here, so it is recognised by its shape.
  private protocol LoadPropertyDictionary: SendableMetatype {
    static func accepts(_ property: LoadProperty) -> Bool
    static func set(_ property: LoadProperty, to value: Any, at address: UnsafeMutableRawPointer)
  }

  extension Dictionary: LoadPropertyDictionary where Key: RawRepresentable, Key.RawValue == String, Value == Any {
    fileprivate static func accepts(_ property: LoadProperty) -> Bool { Key(rawValue: property.rawValue) != nil }

    fileprivate static func set(_ property: LoadProperty, to value: Any, at address: UnsafeMutableRawPointer) {
      guard let key = Key(rawValue: property.rawValue) else { return }
      address.assumingMemoryBound(to: Self.self).pointee[key] = value
    }
  }

  /// Passing a task's request to the system's own loader, in the plain mode.
  extension TaskClient {
    /// Lets the system's loader take the task. Returns `false` if a fetch can load it, because this loader follows
    /// redirects by itself, and asks nobody whether a stub answers them, or whether they may leave.
    ///
    /// In the plain mode, a fetch could neither hand over a download nor ask a delegate, and doesn't know the session.
    func passNatively(_ exchange: Exchange) -> Bool {
      guard Platform.internals == nil else { return false }
      guard let native = task.currentRequest.flatMap(NativeLoader.of) else {
        exchange.fail(with: URLError.unsupported(loader.request))
        return true
      }
      exchange.pass(
        to: NativeLoad(
          native.init(
            task: task, cachedResponse: loader.cachedResponse, client: loader.client as? ObservedClient)))
      return true
    }
  }

  /// A task that the system's own loader has. Use it only on the task's queue.
  final class NativeLoad: NetworkLoad {
    private let loader: URLProtocol
    private var isRunning = false

    init(_ loader: URLProtocol) { self.loader = loader }

    func start() {
      guard !isRunning else { return }
      isRunning = true
      loader.startLoading()
    }

    func pause() {
      isRunning = false
      loader.stopLoading()
    }

    /// The loader can't be stopped for a cancellation before the task's error is set, because it traps then.
    func leave() -> Bool {
      guard let task = loader.task, task.state == .canceling else { return true }
      guard task.error != nil else { return false }
      loader.stopLoading()
      return true
    }
  }

  /// What a session does with a task's events.
  ///
  /// It mirrors the private enum `URLSession._TaskRegistry._Behaviour` of FoundationNetworking. Cases, payloads and
  /// order must be the same, or memory is misread.
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
  /// This recognises the type of its values by its name, its size and its cases: a case of `TaskBehaviour`,
  /// reinterpreted as one of the session's, must show the same label and the same type of payload.
  struct TaskBehaviours {
    private let registry: FoundField
    private let tableOffset: Int
    private let table: any BehaviourTable.Type

    init(
      named name: FoundationInternal = .taskRegistry, behaviours: FoundationInternal = .behaviours,
      type: String = "FoundationNetworking.URLSession._TaskRegistry._Behaviour"
    ) throws {
      registry = try FoundField(name, of: URLSession.self) { $0 is AnyClass }
      guard let registryClass = registry.type as? AnyClass else { throw MissingInternal(name) }
      let found = try FoundField(behaviours, of: registryClass) { $0 is any BehaviourTable.Type }
      guard let table = found.type as? any BehaviourTable.Type, table.hasValues(of: type) else {
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

    /// Call this on the task's work queue, the only place where the registry can be read.
    func receiver(of task: URLSessionTask, in session: URLSession) -> BodyReceiver {
      // Safe because the field's type is a class, not an optional one, and the table's type is the one found for its
      // field.
      let address = registry.address(in: session).load(as: UnsafeMutableRawPointer.self) + tableOffset
      let (delegate, isOwn): ((any URLSessionTaskDelegate)?, Bool)
      switch table.behaviour(of: task.taskIdentifier, at: address) {
      // The task is over.
      case nil: return .unknown
      case .callDelegate: (delegate, isOwn) = (session.delegate as? any URLSessionTaskDelegate, false)
      case let behaviour?: (delegate, isOwn) = (behaviour.ownDelegate, true)
      }
      return delegate.map { .delegate($0, isOwn: isOwn) } ?? .handler
    }

    private final class Sample: NSObject, URLSessionTaskDelegate {}
  }

  /// The table of the registry, whose value type can't be named here.
  private protocol BehaviourTable: SendableMetatype {
    static func hasValues(of typeName: String) -> Bool
    static func looksTheSame(_ behaviour: TaskBehaviour) -> Bool
    static func behaviour(of identifier: Int, at address: UnsafeMutableRawPointer) -> TaskBehaviour?
  }

  extension Dictionary: BehaviourTable where Key == Int {
    fileprivate static func hasValues(of typeName: String) -> Bool {
      _typeName(Value.self) == typeName && haveSameLayout(Value.self, TaskBehaviour.self)
    }

    // Safe, here and below, because `hasValues(of:)` has checked that the type has the expected name and layout, and
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
