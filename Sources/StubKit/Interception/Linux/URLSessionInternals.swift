#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  @_spi(Reflection) import Swift

  /// Everything beyond public API that StubKit reads of Foundation and the Swift runtime. The raw values are the
  /// names by which it is looked up. Foundation.md, beside this file, says what each is for.
  enum FoundationInternal: String, CaseIterable {
    // Fields of URLSessionTask.
    case workQueue, session, syncQ, error, countOfBytesExpectedToSend, countOfBytesExpectedToReceive
    case knownBody
    case callCompletionHandlerInline = "_callCompletionHandlerInline"
    case currentRequest = "_currentRequest"
    case response = "_response"
    case countOfBytesSent = "_countOfBytesSent"
    case countOfBytesReceived = "_countOfBytesReceived"
    case protocolStorage = "_protocolStorage"
    // Fields of other types.
    case taskRegistry, behaviours, properties, date
    case allHeaderFields = "_allHeaderFields"
    // Words of method tables, which are found by comparison.
    case protocolClasses, urlCache
    case copy = "copy(with:)"
    case addOperation = "addOperation(_:)"
    // SPI.
    case forEachField = "_forEachField"
  }

  /// Why StubKit can't use something beyond public API.
  struct MissingInternal: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) { description = reason }
    init(_ name: FoundationInternal) { description = "this Foundation's \(name.rawValue) is not as StubKit expects" }
  }

  /// What StubKit uses of URLSession beyond public API: all of it, or none.
  ///
  /// Each part checks itself. If one is not as it expects, because Foundation has changed, none is used, and StubKit
  /// does what public API allows.
  final class URLSessionInternals: Sendable {
    let task: TaskFields
    let taskBehaviours: TaskBehaviours
    let taskBody: TaskBody
    let loadProperties: LoadProperties
    let idleLoader: IdleLoader

    /// The variable of the environment that chooses the plain mode, to see whether a problem comes from here.
    static let variable = "STUBKIT_PLAIN"

    private init() throws {
      task = try TaskFields()
      taskBehaviours = try TaskBehaviours()
      taskBody = try TaskBody()
      loadProperties = try LoadProperties()
      idleLoader = try IdleLoader()
      try CacheLookupHook.install()
      try CallbackHook.install()
      try SessionMarkHook.install()
    }

    /// Returns `nil` for the plain mode, and says why on standard error, so that it never begins in silence.
    static func orPlainMode() -> URLSessionInternals? {
      let isChosen = ProcessInfo.processInfo.environment[variable] ?? "" != ""
      do {
        if isChosen { throw MissingInternal("\(variable) is set") }
        #if os(Linux)
          return try URLSessionInternals()
        #else
          throw MissingInternal("nobody has looked at the internals of Foundation on this system")
        #endif
      } catch {
        RunningTest.tell(line(because: error, isChosen: isChosen))
        return nil
      }
    }

    /// Returns what a run in the plain mode is told once.
    ///
    /// - Parameter isChosen: Whether the environment asks for the plain mode.
    static func line(because error: any Error, isChosen: Bool) -> String {
      """
      plain mode, because \(error): see HTTPStubs.capabilities, and the guide Platforms.\
      \(isChosen ? "" : " Please report this line in an issue of StubKit's repository, with the version of Swift.")
      """
    }
  }

  /// The fields of a task whose types have names here. Only URLSession's own loaders can set them.
  ///
  /// Call everything in it on the task's work queue, where URLSession changes them too.
  struct TaskFields {
    private let workQueue: StoredField<DispatchQueue>
    private let sessionsWorkQueue: StoredField<DispatchQueue>
    private let sessionOffset: Int
    /// Whether the completion of an async call leaves the session's delegate queue alone.
    let completesInline: StoredField<Bool>
    /// URLSession's own loaders set it before they call their client.
    let error: StoredField<(any Error)?>
    let currentRequest: StoredField<URLRequest?>
    let response: StoredField<URLResponse?>
    let countOfBytesSent: StoredField<Int64>
    let countOfBytesReceived: StoredField<Int64>
    let countOfBytesExpectedToSend: StoredField<Int64>
    let countOfBytesExpectedToReceive: StoredField<Int64>
    /// Guards the current request, the response, and the counts of sent and received bytes.
    fileprivate let lock: StoredField<DispatchQueue>

    init() throws {
      func field<Value>(_ name: FoundationInternal) throws -> StoredField<Value> {
        try StoredField(name, of: URLSessionTask.self)
      }
      workQueue = try field(.workQueue)
      sessionsWorkQueue = try .init(.workQueue, of: URLSession.self)
      sessionOffset = try FoundField(.session, of: URLSessionTask.self) {
        _typeName($0) == "Swift.Optional<FoundationNetworking.URLSessionProtocol>"
      }.offset
      completesInline = try field(.callCompletionHandlerInline)
      error = try field(.error)
      currentRequest = try field(.currentRequest)
      response = try field(.response)
      countOfBytesSent = try field(.countOfBytesSent)
      countOfBytesReceived = try field(.countOfBytesReceived)
      countOfBytesExpectedToSend = try field(.countOfBytesExpectedToSend)
      countOfBytesExpectedToReceive = try field(.countOfBytesExpectedToReceive)
      lock = try field(.syncQ)
    }

    /// Returns the only queue on which URLSession's client can be called without a crash.
    func queue(of task: URLSessionTask) -> TaskQueue? {
      session(of: task).map { TaskQueue(own: workQueue.load(from: task), ofSession: sessionsWorkQueue.load(from: $0)) }
    }

    func session(of task: URLSessionTask) -> URLSession? {
      // Safe because an existential of a class-bound protocol begins with the reference to the object, or nil.
      let word = (Unmanaged.passUnretained(task).toOpaque() + sessionOffset).load(as: UnsafeRawPointer?.self)
      return word.flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? URLSession }
    }

    /// Sends the completion of `data(for:)` and its siblings through the session's delegate queue. Returns `true` if
    /// such a call created the task.
    ///
    /// Up to Swift 6.3, URLSession resumes async calls inline on the task's work queue, while `cancel()` waits for that
    /// queue inside the lock of the cancelled Swift task. If the two meet, they deadlock (swift-corelibs-foundation
    /// issue 5412). With the flag cleared, they can't. A session whose delegate queue is the main queue keeps the flag
    /// for as long as that queue would be used, because a blocked main thread must not delay an async call.
    @discardableResult
    func completeOnDelegateQueue(_ task: URLSessionTask) -> Bool {
      guard completesInline.load(from: task) else { return false }
      if session(of: task)?.delegateQueue !== OperationQueue.main { completesInline.store(false, in: task) }
      return true
    }
  }

  extension URLSessionTask {
    /// Sets a property that the task reads under its lock, if its fields are known.
    func set<Value>(_ field: KeyPath<TaskFields, StoredField<Value>>, to value: Value) {
      guard let fields = Platform.internals?.task else { return }
      fields.lock.load(from: self).sync { fields[keyPath: field].store(value, in: self) }
    }
  }

  /// A stored property of a class, found by name and type in the runtime's own field metadata.
  ///
  /// URLSession on Linux keeps things internal that a `URLProtocol` needs. The offset is looked up, never assumed.
  struct StoredField<Value> {
    private let offset: Int

    init(_ field: FoundationInternal, of type: AnyClass) throws {
      offset = try FoundField(field, of: type) { $0 == Value.self }.offset
    }

    // The pointers hold: the offset comes from the metadata of the object's class or of a superclass of it, and the
    // type found there is `Value`.
    private func pointer(in object: AnyObject) -> UnsafeMutablePointer<Value> {
      (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: Value.self)
    }

    func load(from object: AnyObject) -> Value { pointer(in: object).pointee }

    func store(_ value: Value, in object: AnyObject) { pointer(in: object).pointee = value }
  }

  /// A stored property that a class itself declares. Its type may have no name outside of Foundation.
  struct FoundField {
    private let name: String
    let offset: Int
    let type: Any.Type

    private static let known = Protected<[ObjectIdentifier: [FoundField]]>([:])
  }

  extension FoundField {
    init(_ field: FoundationInternal, of type: AnyClass, where isWanted: (Any.Type) -> Bool) throws {
      guard let found = Self.all(of: type).first(where: { $0.name == field.rawValue && isWanted($0.type) })
      else { throw MissingInternal(field) }
      self = found
    }

    func address(in object: AnyObject) -> UnsafeMutableRawPointer {
      Unmanaged.passUnretained(object).toOpaque() + offset
    }

    func value(of object: AnyObject) -> Any {
      // Safe because offset and type are those of the field itself.
      func load<Value>(_: Value.Type) -> Any { address(in: object).assumingMemoryBound(to: Value.self).pointee }
      return _openExistential(type, do: load)
    }

    /// The runtime takes long to resolve the types of fields, so StubKit asks only once for each class.
    private static func all(of type: AnyClass) -> [FoundField] {
      known.withLock { known in
        if let fields = known[ObjectIdentifier(type)] { return fields }
        var fields: [FoundField] = []
        // `_EachFieldOptions.classType`, which is declared as a variable and can therefore not be named here.
        let classType = _EachFieldOptions(rawValue: 1)
        _ = _forEachField(of: type, options: classType) { name, offset, fieldType, _ in
          fields.append(FoundField(name: String(cString: name), offset: offset, type: fieldType))
          return true
        }
        known[ObjectIdentifier(type)] = fields
        return fields
      }
    }
  }

  /// The byte counts of a task, updated as the system's own loader updates them.
  ///
  /// Use it on the load's queue only.
  struct ByteCounts {
    let requestLength: Int64
    private(set) var sent: Int64 = 0
    private(set) var received: Int64 = 0
    private(set) var expectedToReceive: Int64 = 0

    private let task: URLSessionTask

    init(_ task: URLSessionTask, _ request: URLRequest) {
      self.task = task
      // URLSession sends no GET with a body.
      requestLength = request.httpMethod == "GET" ? 0 : Int64(Self.bodyLength(of: request, task))
      if requestLength > 0 { task.set(\.countOfBytesExpectedToSend, to: requestLength) }
    }

    /// Sets the expected length from a head. It is unknown for an encoded body, because the system decodes it.
    mutating func expect(_ head: HTTPURLResponse, isEncoded: Bool) {
      let isKnown = head.expectedContentLength > 0 && !isEncoded && head.statusCode != 304
      expectedToReceive = isKnown ? head.expectedContentLength : NSURLSessionTransferSizeUnknown
      task.set(\.countOfBytesExpectedToReceive, to: expectedToReceive)
      // Like the native loader, this leaves the progress unchanged if the request has no body.
      if requestLength > 0 { updateProgress() }
    }

    mutating func send(_ byteCount: Int) {
      sent += Int64(byteCount)
      task.set(\.countOfBytesSent, to: sent)
      updateProgress()
    }

    mutating func receive(_ byteCount: Int) {
      received += Int64(byteCount)
      task.set(\.countOfBytesReceived, to: received)
      updateProgress()
    }

    /// Makes URLSession update the task's `progress`, as it does whenever a count changes.
    private func updateProgress() {
      guard Platform.internals != nil else { return }
      let expected = task.countOfBytesClientExpectsToReceive
      task.countOfBytesClientExpectsToReceive = expected
    }

    /// Returns the length of the request's body, or 0 if it is unknown, as for a stream.
    private static func bodyLength(of request: URLRequest, _ task: URLSessionTask) -> Int {
      switch task.bodyOfUpload {
      case nil: request.httpBody?.count ?? 0
      case .data(let data): data.count
      case .file(let file): (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
      case .some(.none), .stream, .fromDelegate: 0
      }
    }
  }
#endif
