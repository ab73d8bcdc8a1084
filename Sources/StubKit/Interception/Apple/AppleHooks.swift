#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// Methods of the system's classes whose code was replaced, and their original code.
  struct ReplacedMethods {
    private var originals: [(method: Method, code: IMP)] = []

    /// Replaces an instance method on every class that implements it, from a class up to its oldest superclass.
    /// Methods that were replaced before stay as they are.
    ///
    /// - Parameter block: A closure that returns the replacement of the given code: a block that takes the object,
    ///   followed by the arguments.
    mutating func replace(_ selector: Selector, from type: AnyClass?, by block: (IMP) -> Any) {
      var type: AnyClass? = type
      while let current = type {
        if let method = class_getInstanceMethod(current, selector) { replace(method, by: block) }
        type = class_getSuperclass(current)
      }
    }

    mutating func replaceClassMethod(_ selector: Selector, of type: AnyClass, by block: (IMP) -> Any) {
      if let method = class_getClassMethod(type, selector) { replace(method, by: block) }
    }

    private mutating func replace(_ method: Method, by block: (IMP) -> Any) {
      guard !originals.contains(where: { $0.method == method }) else { return }
      let code = method_getImplementation(method)
      originals.append((method, code))
      method_setImplementation(method, imp_implementationWithBlock(block(code)))
    }

    /// Restores the original code unless the new one has an effect. Returns whether it has.
    func remain(ifEffective isEffective: Bool) -> Bool {
      if !isEffective { for (method, code) in originals { method_setImplementation(method, code) } }
      return isEffective
    }
  }

  /// Adds `StubURLProtocol` to the configurations of sessions that the code under test creates.
  ///
  /// It replaces the getter of `protocolClasses` on the class that implements it, and tests the effect.
  enum ConfigurationGetterHook {
    private typealias Getter = @convention(c) (URLSessionConfiguration, Selector) -> [AnyClass]?
    private typealias Block = @convention(block) (URLSessionConfiguration) -> [AnyClass]?

    static func install() -> Bool {
      let selector = Selector(("protocolClasses"))
      var methods = ReplacedMethods()
      methods.replace(selector, from: object_getClass(URLSessionConfiguration.default)) { code in
        let original = unsafeBitCast(code, to: Getter.self)
        let block: Block = { configuration in
          SessionInstallation.intercepted(original(configuration, selector))
        }
        return block
      }
      return methods.remain(ifEffective: isEffective)
    }

    private static var isEffective: Bool {
      [URLSessionConfiguration.default, .ephemeral].allSatisfy { configuration in
        configuration.protocolClasses?.contains { $0 == StubURLProtocol.self } == true
      }
    }
  }

  /// Makes a session remember the scope that created it.
  ///
  /// A session copies its configuration in one of two class methods, on the thread that creates it. The hook replaces
  /// them by methods that first mark a copy of their own.
  enum SessionFactoryHook {
    private typealias Plain = @convention(c) (AnyClass, Selector, URLSessionConfiguration) -> URLSession
    private typealias PlainBlock = @convention(block) (AnyClass, URLSessionConfiguration) -> URLSession
    private typealias Delegated =
      @convention(c) (
        AnyClass, Selector, URLSessionConfiguration, (any URLSessionDelegate)?, OperationQueue?
      ) -> URLSession
    private typealias DelegatedBlock =
      @convention(block) (AnyClass, URLSessionConfiguration, (any URLSessionDelegate)?, OperationQueue?) -> URLSession

    static func install() -> Bool {
      let plain = Selector(("sessionWithConfiguration:"))
      let delegated = Selector(("sessionWithConfiguration:delegate:delegateQueue:"))
      var methods = ReplacedMethods()
      methods.replaceClassMethod(plain, of: URLSession.self) { code in
        let original = unsafeBitCast(code, to: Plain.self)
        let block: PlainBlock = { type, configuration in original(type, plain, marked(configuration)) }
        return block
      }
      methods.replaceClassMethod(delegated, of: URLSession.self) { code in
        let original = unsafeBitCast(code, to: Delegated.self)
        let block: DelegatedBlock = { type, configuration, delegate, queue in
          original(type, delegated, marked(configuration), delegate, queue)
        }
        return block
      }
      return methods.remain(ifEffective: isEffective)
    }

    /// Returns a copy that names the scope that uses it to create a session.
    private static func marked(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
      guard let copy = configuration.copy() as? URLSessionConfiguration else { return configuration }
      let classes = SessionInstallation.intercepted(copy.protocolClasses)
      copy.protocolClasses = SessionInstallation.marked(classes) ?? classes
      return copy
    }

    private static var isEffective: Bool {
      let registry = StubRegistry(isEnabled: false)
      let sessions = StubRegistry.$local.withValue(registry) {
        [
          URLSession(configuration: .ephemeral),
          URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: nil),
        ]
      }
      return sessions.allSatisfy { session in
        session.configuration.protocolClasses?.contains { $0 == registry.mark(.madeIn) } == true
      }
    }
  }

  /// Notes who makes a request. In URLSession, only `resume()` runs where the request is made.
  ///
  /// The hook replaces the method on every task class that implements it, including those of the new loader.
  enum ResumeHook {
    private typealias Resume = @convention(c) (URLSessionTask, Selector) -> Void
    private typealias Block = @convention(block) (URLSessionTask) -> Void

    static func install() -> Bool {
      let selector = Selector(("resume"))
      var methods = ReplacedMethods()
      SampleTasks.with { task in
        methods.replace(selector, from: object_getClass(task)) { code in
          let original = unsafeBitCast(code, to: Resume.self)
          let block: Block = { task in
            TaskNote.note(task)
            original(task, selector)
          }
          return block
        }
      }
      var isEffective = true
      SampleTasks.with { task in
        task.resume()
        if task.note == nil { isEffective = false }
      }
      return methods.remain(ifEffective: isEffective)
    }
  }

  /// A task of each kind and of each of the system's loaders, with requests that never reach the network.
  enum SampleTasks {
    /// A configuration for each of the system's loaders.
    static var configurations: [URLSessionConfiguration] {
      if #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) {
        return [true, false].map { isClassic in
          let configuration = URLSessionConfiguration.ephemeral
          configuration.usesClassicLoadingMode = isClassic
          return configuration
        }
      }
      return [.ephemeral]
    }

    static func with(_ body: (URLSessionTask) -> Void) {
      for configuration in configurations {
        configuration.protocolClasses = [SampleLoader.self, Unstubbed.self]
        let session = URLSession(configuration: configuration)
        let request = URLRequest(url: SampleLoader.url)
        body(session.dataTask(with: request))
        body(session.downloadTask(with: request))
        body(session.uploadTask(with: request, from: Data()))
        session.invalidateAndCancel()
      }
    }
  }

  /// A loader that loads nothing until it is cancelled.
  private final class SampleLoader: Unstubbed {
    static let url = URL(string: "stubkit-sample://x/")!

    override class func canInit(with request: URLRequest) -> Bool { request.url == url }
  }

  /// Runs a request's completion handler in the scope of the request.
  ///
  /// A handler comes with the call that creates its task. Each of these calls is replaced by one that wraps the
  /// handler, so that it finds the note of its task. Async calls can use these calls or others, and need neither,
  /// because they return to the task that made them. Delegate methods are out of reach.
  enum HandlerHook {
    // To Objective-C, what a task is made of and what a handler receives are objects, and pass through as they are.
    private typealias Handler = @Sendable @convention(block) (AnyObject?, URLResponse?, (any Error)?) -> Void
    private typealias Make = @convention(c) (URLSession, Selector, AnyObject?, Handler?) -> URLSessionTask
    private typealias MakeBlock = @convention(block) (URLSession, AnyObject?, Handler?) -> URLSessionTask
    private typealias MakeUpload =
      @convention(c) (URLSession, Selector, AnyObject?, AnyObject?, Handler?) -> URLSessionTask
    private typealias MakeUploadBlock =
      @convention(block) (URLSession, AnyObject?, AnyObject?, Handler?) -> URLSessionTask

    static func install() -> Bool {
      var methods = ReplacedMethods()
      // The two loaders have session classes of their own, which need not inherit from one another.
      let sessions = SampleTasks.configurations.map { configuration in
        configuration.protocolClasses = [Unstubbed.self]
        return URLSession(configuration: configuration)
      }
      defer { for session in sessions { session.invalidateAndCancel() } }
      for session in sessions { replaceMakers(&methods, object_getClass(session)) }
      return methods.remain(ifEffective: sessions.allSatisfy(isEffective))
    }

    private static func replaceMakers(_ methods: inout ReplacedMethods, _ type: AnyClass?) {
      for name in [
        "dataTaskWithRequest:", "dataTaskWithURL:", "downloadTaskWithRequest:", "downloadTaskWithURL:",
        "downloadTaskWithResumeData:",
        // From macOS 14 and iOS 17 on.
        "uploadTaskWithResumeData:",
      ] {
        let selector = Selector(name + "completionHandler:")
        methods.replace(selector, from: type) { code in
          let original = unsafeBitCast(code, to: Make.self)
          let block: MakeBlock = { session, source, handler in
            wrapping(handler) { original(session, selector, source, $0) }
          }
          return block
        }
      }
      for name in ["uploadTaskWithRequest:fromData:", "uploadTaskWithRequest:fromFile:"] {
        let selector = Selector(name + "completionHandler:")
        methods.replace(selector, from: type) { code in
          let original = unsafeBitCast(code, to: MakeUpload.self)
          let block: MakeUploadBlock = { session, request, body, handler in
            wrapping(handler) { original(session, selector, request, body, $0) }
          }
          return block
        }
      }
    }

    /// The task that a handler belongs to, after it was created.
    private struct Made { weak var task: URLSessionTask? }

    /// Creates a task whose handler runs in its scope.
    private static func wrapping(_ handler: Handler?, _ make: (Handler?) -> URLSessionTask) -> URLSessionTask {
      guard let handler else { return make(nil) }
      let made = Protected(Made())
      let task = make { received, response, error in
        let callbacks = made.withLock(\.task)?.note?.callbacks
        guard let callbacks else { return handler(received, response, error) }
        callbacks.run { handler(received, response, error) }
      }
      made.withLock { $0.task = task }
      TaskNote.noteHandler(of: task)
      return task
    }

    /// Returns `true` if a call with a handler reaches the replaced code.
    private static func isEffective(_ session: URLSession) -> Bool {
      let task = session.dataTask(with: URLRequest(url: URL(string: "stubkit-handler://x/")!)) { _, _, _ in }
      task.cancel()
      return TaskNote.hasHandler(task)
    }
  }
#endif
