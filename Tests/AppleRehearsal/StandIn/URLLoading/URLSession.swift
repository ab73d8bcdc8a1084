import Foundation

/// Initialisers that return what a class method makes, as those that Swift imports do.
public protocol SessionFactory {}

extension SessionFactory where Self: URLSession {
  public init(configuration: URLSessionConfiguration) {
    Messages.registered
    guard Fact.factoriesCanBeExchanged.holds else {
      self = URLSession.make(configuration, nil, nil) as! Self
      return
    }
    let code = MethodTable.code(for: "sessionWithConfiguration:", of: URLSession.self, isOfClass: true)
    self =
      unsafeBitCast(code, to: Messages.MakeSession.self)(URLSession.self, "sessionWithConfiguration:", configuration)
      as! Self
  }

  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) {
    Messages.registered
    guard Fact.factoriesCanBeExchanged.holds else {
      self = URLSession.make(configuration, delegate, queue) as! Self
      return
    }
    let selector: Selector = "sessionWithConfiguration:delegate:delegateQueue:"
    let code = MethodTable.code(for: selector, of: URLSession.self, isOfClass: true)
    self =
      unsafeBitCast(code, to: Messages.MakeDelegatedSession.self)(
        URLSession.self, selector, configuration, delegate, queue)
      as! Self
  }
}

open class URLSession: NSObject, SessionFactory, @unchecked Sendable {
  // @unchecked holds because what changes is guarded by `lock`.
  public enum AuthChallengeDisposition: Int, Sendable {
    case useCredential = 0
    case performDefaultHandling
    case cancelAuthenticationChallenge
    case rejectProtectionSpace
  }
  public enum ResponseDisposition: Int, Sendable {
    case cancel = 0
    case allow
  }

  public static let shared: URLSession = LocalSession(.default, nil, nil)

  public let delegateQueue: OperationQueue
  /// Where tasks are begun, and where what their loads say is taken.
  let work = DispatchQueue(label: "com.apple.NSURLSession-work")
  let live: URLSessionConfiguration
  let place: any LoaderPlace
  private let classes: [AnyClass]
  private let lock = NSLock()
  private var theDelegate: (any URLSessionDelegate)?
  private var tasks: [Int: URLSessionTask] = [:]
  private var number = 0
  private var isInvalid = false

  init(
    _ configuration: URLSessionConfiguration, _ delegate: (any URLSessionDelegate)?, _ queue: OperationQueue?
  ) {
    live = configuration.copy() as? URLSessionConfiguration ?? configuration
    classes = live.protocolClasses ?? []
    theDelegate = delegate
    delegateQueue = queue ?? OperationQueue()
    place = (live.usesClassicLoadingMode ? LoadingMode.classic : .new).place(delegateQueue)
    if queue == nil { delegateQueue.maxConcurrentOperationCount = 1 }
  }

  deinit { Associations.release(of: ObjectIdentifier(self)) }

  public var configuration: URLSessionConfiguration { live.copy() as? URLSessionConfiguration ?? live }
  public var delegate: (any URLSessionDelegate)? { lock.withLock { theDelegate } }

  /// Those that are asked for a load, in their order.
  var askedClasses: [URLProtocol.Type] {
    let classes = Fact.classesAreAskedPerTask.holds ? live.protocolClasses ?? [] : classes
    return classes.compactMap { $0 as? URLProtocol.Type }
  }

  public func finishTasksAndInvalidate() {
    lock.withLock { isInvalid = true }
    letGoOfDelegate()
  }

  public func invalidateAndCancel() {
    let running = lock.withLock {
      isInvalid = true
      return Array(tasks.values)
    }
    for task in running { task.cancel() }
    letGoOfDelegate()
  }

  public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    work.async { [self] in
      let all = lock.withLock { Array(tasks.values) }
      delegateQueue.addOperation { completionHandler(all) }
    }
  }

  final func add<T: URLSessionTask>(
    _ type: T.Type, _ request: URLRequest, _ body: URLSessionTask.Body, _ handler: URLSessionTask.Handler
  ) -> T {
    let number = lock.withLock {
      precondition(!isInvalid, "NSGenericException: Task created in a session that has been invalidated")
      self.number += 1
      return self.number
    }
    let task = type.init(self, number, request, body, handler)
    lock.withLock { tasks[number] = task }
    return task
  }

  final func remove(_ task: URLSessionTask) {
    lock.withLock { tasks[task.taskIdentifier] = nil }
    task.letGoOfSession()
    letGoOfDelegate()
  }

  private func letGoOfDelegate() {
    // It goes after the lock.
    let gone: (any URLSessionDelegate)? = lock.withLock {
      guard isInvalid, tasks.isEmpty else { return nil }
      defer { theDelegate = nil }
      return theDelegate
    }
    withExtendedLifetime(gone) {}
  }
}

/// What the factories really return: a class of the system's own, for each of its loaders.
final class LocalSession: URLSession, @unchecked Sendable {}
final class NWSession: URLSession, @unchecked Sendable {}

extension URLSession {
  static func make(
    _ configuration: URLSessionConfiguration, _ delegate: (any URLSessionDelegate)?, _ queue: OperationQueue?
  ) -> URLSession {
    configuration.usesClassicLoadingMode
      ? LocalSession(configuration, delegate, queue) : NWSession(configuration, delegate, queue)
  }
}
