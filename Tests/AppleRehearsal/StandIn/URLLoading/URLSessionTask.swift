import Foundation

open class URLSessionTask: NSObject, NSCopying, @unchecked Sendable {
  // @unchecked holds because what changes is guarded by `lock`.
  public enum State: Int, Sendable {
    case running = 0
    case suspended
    case canceling
    case completed
  }

  struct Shown {
    var state = State.suspended
    var current: URLRequest?
    var response: URLResponse?
    var error: (any Error)?
    var delegate: (any URLSessionTaskDelegate)?
    var received: Int64 = 0
    var expectedToReceive: Int64 = 0
  }

  public let taskIdentifier: Int
  private let original: URLRequest
  public var priority: Float = 0.5
  let body: Body
  let handler: Handler
  private let lock = NSLock()
  private var shown = Shown()
  // Holds: written once, when the task is made.
  nonisolated(unsafe) private(set) var connection: Connection!
  // Until the task is over it keeps its session.
  private var session: URLSession?

  /// What is sent, apart from what the request has itself.
  public enum Body { case ofRequest, data(Data), file(URL), fromDelegate }
  public enum Handler { case none, data(Messages.DataHandler), file(Messages.FileHandler) }

  public required init(_ session: URLSession, _ number: Int, _ request: URLRequest, _ body: Body, _ handler: Handler) {
    taskIdentifier = number
    original = request
    self.body = body
    self.handler = handler
    self.session = session
    shown.current = request
    super.init()
    connection = Connection(of: self, session)
  }

  deinit { Associations.release(of: ObjectIdentifier(self)) }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  @discardableResult
  final func change<R>(_ body: (inout Shown) -> R) -> R { lock.withLock { body(&shown) } }

  /// The current request, for the system itself.
  final var request: URLRequest? { change { $0.current } }
  final var owner: URLSession? { lock.withLock { session } }
  final func letGoOfSession() { lock.withLock { session = nil } }

  public var state: State { change { $0.state } }
  open var originalRequest: URLRequest? { original }
  open var currentRequest: URLRequest? { request }
  open var response: URLResponse? { change { $0.response } }
  public var error: (any Error)? { change { $0.error } }
  public var countOfBytesReceived: Int64 { change { $0.received } }
  public var countOfBytesExpectedToReceive: Int64 { change { $0.expectedToReceive } }
  public var delegate: (any URLSessionTaskDelegate)? {
    get { change { $0.delegate } }
    set { change { $0.delegate = newValue } }
  }

  public func resume() {
    Messages.registered
    guard Fact.resumeCanBeExchanged.holds else { return resumeImplementation() }
    let code = MethodTable.code(for: "resume", of: type(of: self))
    unsafeBitCast(code, to: Messages.Resume.self)(self, "resume")
  }

  /// Sets the state and leaves the rest to the session's work queue.
  final func resumeImplementation() {
    let isResumed = change { shown in
      guard shown.state == .suspended else { return false }
      shown.state = .running
      return true
    }
    if isResumed { connection.resume() }
  }

  public func suspend() {
    let isSuspended = change { shown in
      guard shown.state == .running else { return false }
      shown.state = .suspended
      return true
    }
    if isSuspended { connection.suspend() }
  }

  public func cancel() {
    let isCancelled = change { shown in
      guard shown.state == .running || shown.state == .suspended else { return false }
      shown.state = .canceling
      return true
    }
    if isCancelled { connection.cancel() }
  }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

/// The class of the classic loader's data tasks, which implements `resume` itself and does not call the inherited one.
final class LocalDataTask: URLSessionDataTask, @unchecked Sendable {}

open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {}

/// A task of the new loader that shows by its name only what it is.
final class NWWebSocketTask: URLSessionTask, @unchecked Sendable {}

/// The tasks of AVFoundation, which raise when they are asked for what is not theirs to tell.
public class AVAssetDownloadTask: URLSessionTask, @unchecked Sendable {
  public override var originalRequest: URLRequest? { violation("\(type(of: self)) has no originalRequest") }
  public override var currentRequest: URLRequest? { violation("\(type(of: self)) has no currentRequest") }
  public override var response: URLResponse? { violation("\(type(of: self)) has no response") }
}
public final class AVAggregateAssetDownloadTask: AVAssetDownloadTask, @unchecked Sendable {}

/// The classes of the new loader's tasks.
final class NWDataTask: URLSessionDataTask, @unchecked Sendable {}
final class NWUploadTask: URLSessionUploadTask, @unchecked Sendable {}
final class NWDownloadTask: URLSessionDownloadTask, @unchecked Sendable {}
