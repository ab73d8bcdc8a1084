#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// The note that StubKit takes about a task when it is first resumed, for the loads that follow. There is one load
  /// for each redirect.
  ///
  /// The note is attached to the task and disappears with it, so a task that is cancelled before its load leaves
  /// nothing behind.
  final class TaskNote: Sendable {
    private let state: Protected<State>

    private struct State {
      /// The code that made the request, or `nil` if that could not be seen.
      var requester: Requester?
      /// The class that marks the session, as far as it was known.
      var mark: ObjectIdentifier?
      var context: RequestContext?
      /// A Boolean value that indicates whether a load has begun, which settles everything itself.
      var hasLoad = false
      var redirectCount = 0
      /// The body of the current request, if it was read from the request's stream.
      var body: Data?
    }

    /// Creates the note of the task that is resumed on this thread.
    private init(_ task: URLSessionTask) {
      let type = task.stubClass
      let requester = Requester.current
      let isOfBackground = !type.isIntercepted && task.ownSession?.configuration.identifier != nil
      let request = type.isIntercepted || isOfBackground ? task.currentRequest : nil
      if let request, isOfBackground || !Platform.canIntercept(request) { RequestWarnings.addEscape(of: request) }
      let context = request.flatMap { request in
        type.isIntercepted && Platform.canIntercept(request)
          ? Attribution.context(
            for: request, type.stubClass?.mark, by: requester, beginning: RequestLife.Callbacks.none) : nil
      }
      state = Protected(
        State(requester: requester, mark: type.stubClass.map { ObjectIdentifier($0) }, context: context))
      if let context, context.isAwaitedByClock || context.isInJournal { awaitLoad(of: task) }
    }

    /// Creates the note of a task that StubKit doesn't take.
    init() { state = Protected(State()) }

    /// The task's callbacks, among them its completion handler.
    var callbacks: RequestCallbacks? { state.withLock { $0.context }?.callbacks }

    /// Returns whether the class of a session takes a load of the task. URLSession can ask this anywhere, and any
    /// number of times.
    func isTaken(_ request: URLRequest, by type: StubURLProtocol.Type) -> Bool {
      // Usually it is known already.
      let (known, requester) = state.withLock { state in
        (state.mark == ObjectIdentifier(type) || type.mark == nil ? state.context : nil, state.requester)
      }
      if let known { return Self.takesLoad(known, request) }
      guard let requester else { return false }
      let context = Attribution.context(for: request, type.mark, by: requester, beginning: RequestLife.Callbacks.none)
      let replaced = state.withLock { state in
        state.mark = ObjectIdentifier(type)
        return exchange(&state.context, with: context)
      }
      replaced?.reachedExchange()
      replaced?.withdrawEntry()
      return context.map { Self.takesLoad($0, request) } == true
    }

    /// Returns whether StubKit loads a request of a context, the first one or that of a redirect, and doesn't leave it
    /// to the system.
    private static func takesLoad(_ context: RequestContext, _ request: URLRequest) -> Bool {
      if case .network(let passage) = context.route { passage.refusal(of: request) != nil } else { true }
    }

    /// Returns the context for a load that begins.
    func takeContext(of task: URLSessionTask) -> RequestContext? {
      let (context, isFirst) = state.withLock { ($0.context, !exchange(&$0.hasLoad, with: true)) }
      if isFirst, let context, let request = task.currentRequest {
        if Self.hasHandler(task) { context.callbacks.begin() }
        context.beginCallbacks()
        context.awaitCallbacks(of: request)
      }
      return context
    }

    var redirectCount: Int { state.withLock { $0.redirectCount } }

    /// Counts a redirect, and returns its request. If the request has the body of the one before, and that was read
    /// from its stream, the body goes on as data.
    func redirect(to request: URLRequest) -> URLRequest {
      let body = state.withLock { state in
        state.redirectCount += 1
        return state.body.take()
      }
      guard let body, request.httpBodyStream != nil || request.httpBody != nil else { return request }
      return request.with(body)
    }

    /// Keeps the body that was read of a request, for the case that it is redirected.
    func keep(_ body: Data) { state.withLock { $0.body = body } }
  }

  extension TaskNote {
    // Safe because it is never read or written. Its address is the key.
    nonisolated(unsafe) fileprivate static let key = UnsafeRawPointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

    // Safe as above.
    nonisolated(unsafe) private static let handlerKey = UnsafeRawPointer(
      UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

    /// Notes that a task has a completion handler, which says when it has returned.
    static func noteHandler(of task: URLSessionTask) {
      objc_setAssociatedObject(task, handlerKey, NSNumber(value: true), .OBJC_ASSOCIATION_RETAIN)
    }

    static func hasHandler(_ task: URLSessionTask) -> Bool { objc_getAssociatedObject(task, handlerKey) != nil }

    /// Call this on the thread that resumes the task, before it is resumed.
    static func note(_ task: URLSessionTask) {
      guard !task.isLeftAlone else {
        return RequestWarnings.addEscape(of: nil)
      }
      guard task.state == .suspended, task.note == nil else { return }
      task.note = TaskNote(task)
    }

    /// Returns the note of a task that is asked for. If `resume()` could not be seen, it is created here, and the
    /// code that makes the request is unknown.
    static func ofAsked(_ task: URLSessionTask) -> TaskNote {
      if let note = task.note { return note }
      let note = TaskNote(task)
      task.note = note
      return note
    }

    /// Lets a manual clock and the journal go on without a request that never reaches its load, because it is cancelled
    /// before, or because another class takes it. Nothing reports either case, so this checks repeatedly, for a second
    /// at most.
    fileprivate func awaitLoad(of task: URLSessionTask) {
      @Sendable func look(_ task: URLSessionTask?, _ count: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self, weak task] in
          guard let self, let context = state.withLock({ $0.hasLoad ? nil : $0.context }) else { return }
          if count == 20 || task?.isListening != true {
            context.withdrawEntry()
            return context.reachedExchange()
          }
          look(task, count + 1)
        }
      }
      look(task, 1)
    }
  }

  extension URLSessionTask {
    /// The note that StubKit has taken about the task.
    var note: TaskNote? {
      get { objc_getAssociatedObject(self, TaskNote.key) as? TaskNote }
      set { objc_setAssociatedObject(self, TaskNote.key, newValue, .OBJC_ASSOCIATION_RETAIN) }
    }
  }

  /// The session that owns a task, by key-value coding, because the property is not public.
  ///
  /// Each class of tasks is asked by itself. Those of the new loader have an instance variable and no such property.
  struct SessionByKey {
    private static let key = "session"

    /// Returns `nil` if no class of the system's tasks knows its session.
    init?() {
      var isAnywhere = false
      SampleTasks.with { task in
        if of(task) != nil { isAnywhere = true }
      }
      guard isAnywhere else { return nil }
    }

    func of(_ task: URLSessionTask) -> URLSession? {
      // Key-value coding finds the variable too.
      guard
        task.responds(to: Selector((Self.key)))
          || class_getInstanceVariable(object_getClass(task), "_" + Self.key) != nil,
        let value = task.value(forKey: Self.key)
      else { return nil }
      if let session = value as? URLSession { return session }
      // A session of the new loader is a URLSession by its methods only.
      guard let object = value as? NSObject, object.responds(to: Selector(("configuration"))),
        object.responds(to: Selector(("delegateQueue")))
      else { return nil }
      // Safe because the methods of a class of the system are called by their names.
      return Unmanaged<URLSession>.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
    }
  }
#endif
