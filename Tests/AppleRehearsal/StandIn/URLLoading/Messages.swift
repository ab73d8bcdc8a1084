import Foundation

/// The methods that are sent through the method table, as Objective-C would send them.
public enum Messages {
  typealias Resume = (URLSessionTask, Selector) -> Void
  typealias Session = (URLSessionTask, Selector) -> Any?
  typealias ProtocolClasses = (URLSessionConfiguration, Selector) -> [AnyClass]?
  typealias MakeSession = (AnyClass, Selector, URLSessionConfiguration) -> URLSession
  typealias MakeDelegatedSession = (
    AnyClass, Selector, URLSessionConfiguration, (any URLSessionDelegate)?, OperationQueue?
  ) -> URLSession
  public typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  public typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  // What a task is made of and what a handler receives are objects to Objective-C.
  typealias Handler = @Sendable (AnyObject?, URLResponse?, (any Error)?) -> Void
  typealias MakeTask = (URLSession, Selector, AnyObject?, Handler?) -> URLSessionTask
  typealias MakeUploadTask = (URLSession, Selector, AnyObject?, AnyObject?, Handler?) -> URLSessionTask

  /// Fills the table, once.
  static let registered: Void = {
    let resume: Resume = { task, _ in task.resumeImplementation() }
    // The classic loader's tasks inherit it, or implement it in a class of their own.
    MethodTable.define("resume", of: URLSessionTask.self, resume)
    MethodTable.define("resume", of: LocalDataTask.self, resume)
    if Fact.sessionCanBeRead.holds {
      MethodTable.define("session", of: URLSessionTask.self, { task, _ in task.owner } as Session)
    }
    // The new one's are no subclasses of these.
    for type in [NWDataTask.self, NWUploadTask.self, NWDownloadTask.self] as [URLSessionTask.Type] {
      MethodTable.hideSuperclass(of: type)
      MethodTable.define("resume", of: type, resume)
      if Fact.sessionCanBeRead.holds, Fact.newTasksHaveAVariable.holds {
        MethodTable.defineVariable("_session", of: type)
      }
    }
    MethodTable.hideSuperclass(of: NWSession.self)
    MethodTable.define(
      "protocolClasses", of: URLSessionConfiguration.self,
      { configuration, _ in configuration.protocolClassesImplementation() } as ProtocolClasses)
    MethodTable.define(
      "sessionWithConfiguration:", of: URLSession.self, isOfClass: true,
      { type, _, configuration in URLSession.make(configuration, nil, nil) } as MakeSession)
    MethodTable.define(
      "sessionWithConfiguration:delegate:delegateQueue:", of: URLSession.self, isOfClass: true,
      { type, _, configuration, delegate, queue in URLSession.make(configuration, delegate, queue) }
        as MakeDelegatedSession)
    for type in [LocalSession.self, NWSession.self] as [URLSession.Type] {
      func define(_ source: String, _ code: @escaping MakeTask) {
        MethodTable.define(Selector(source + "completionHandler:"), of: type, code)
      }
      define("dataTaskWithRequest:") { $0.makeDataTask($2 as! URLRequest, typed($3)) }
      define("downloadTaskWithRequest:") { $0.makeDownloadTask($2 as! URLRequest, typed($3)) }
      define("downloadTaskWithResumeData:") { $0.makeDownloadTask(resuming: $2 as! Data, typed($3)) }
      MethodTable.define(
        "uploadTaskWithRequest:fromData:completionHandler:", of: type,
        { $0.makeUploadTask($2 as! URLRequest, .data($3 as! Data? ?? Data()), typed($4)) } as MakeUploadTask)
    }
    takeBlocks()
  }()

  /// What `imp_implementationWithBlock` makes of the blocks of these methods: the block gets the object, but not the
  /// selector.
  private static func takeBlocks() {
    MethodTable.takeBlocks { (block: @escaping (URLSessionTask) -> Void) in { task, _ in block(task) } as Resume }
    MethodTable.takeBlocks { (block: @escaping (URLSessionConfiguration) -> [AnyClass]?) in
      { configuration, _ in block(configuration) } as ProtocolClasses
    }
    MethodTable.takeBlocks { (block: @escaping (AnyClass, URLSessionConfiguration) -> URLSession) in
      { type, _, configuration in block(type, configuration) } as MakeSession
    }
    typealias MakeDelegated =
      (AnyClass, URLSessionConfiguration, (any URLSessionDelegate)?, OperationQueue?) -> URLSession
    MethodTable.takeBlocks { (block: @escaping MakeDelegated) in { block($0, $2, $3, $4) } as MakeDelegatedSession }
    MethodTable.takeBlocks { (block: @escaping (URLSession, AnyObject?, Handler?) -> URLSessionTask) in
      { block($0, $2, $3) } as MakeTask
    }
    MethodTable.takeBlocks { (block: @escaping (URLSession, AnyObject?, AnyObject?, Handler?) -> URLSessionTask) in
      { block($0, $2, $3, $4) } as MakeUploadTask
    }
  }

  private static func typed<Received>(
    _ handler: Handler?
  ) -> (@Sendable (Received?, URLResponse?, (any Error)?) -> Void)? {
    guard let handler else { return nil }
    return { received, response, error in handler(received.map { $0 as AnyObject }, response, error) }
  }
}

/// A delegate that has no method for redirects. Swift's protocols can't show that of themselves.
public protocol AnswersNoRedirects: URLSessionTaskDelegate {}

extension NSObjectProtocol {
  /// Whether the object implements a method, as far as the table knows.
  public func responds(to selector: Selector!) -> Bool {
    Messages.registered
    if self is any URLSessionDelegate { return !(self is any AnswersNoRedirects) || selector != Messages.redirection }
    return class_getInstanceMethod(object_getClass(self), selector) != nil
  }

  /// Key-value coding: the value of the method that is named like the key, or of the variable.
  public func value(forKey key: String) -> Any? {
    guard let task = self as? URLSessionTask else { return unknown(key) }
    guard responds(to: Selector(key)) else {
      return class_getInstanceVariable(object_getClass(task), "_" + key) != nil ? task.owner : unknown(key)
    }
    let code = MethodTable.code(for: Selector(key), of: type(of: task))
    return unsafeBitCast(code, to: Messages.Session.self)(task, Selector(key))
  }

  private func unknown(_ key: String) -> Any? {
    fatalError("NSUnknownKeyException: \(type(of: self)) is not key value coding-compliant for the key \(key)")
  }
}

extension Messages {
  static let redirection: Selector = "URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:"
}
