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
    let resume = IMP({ task, _ in task.resumeImplementation() } as Resume)
    // The classic loader's tasks inherit it, or implement it in a class of their own.
    MethodTable.define("resume", of: URLSessionTask.self, resume)
    MethodTable.define("resume", of: LocalDataTask.self, IMP({ task, _ in task.resumeImplementation() } as Resume))
    if Fact.sessionCanBeRead.holds {
      MethodTable.define("session", of: URLSessionTask.self, IMP({ task, _ in task.owner } as Session))
    }
    // The new one's are no subclasses of these.
    for type in [NWDataTask.self, NWUploadTask.self, NWDownloadTask.self] as [URLSessionTask.Type] {
      MethodTable.hideSuperclass(of: type)
      MethodTable.define("resume", of: type, IMP({ task, _ in task.resumeImplementation() } as Resume))
      if Fact.sessionCanBeRead.holds, Fact.newTasksHaveAVariable.holds {
        MethodTable.defineVariable("_session", of: type)
      }
    }
    MethodTable.hideSuperclass(of: NWSession.self)
    MethodTable.define(
      "protocolClasses", of: URLSessionConfiguration.self,
      IMP({ configuration, _ in configuration.protocolClassesImplementation() } as ProtocolClasses))
    MethodTable.define(
      "sessionWithConfiguration:", of: URLSession.self, isOfClass: true,
      IMP({ type, _, configuration in URLSession.make(configuration, nil, nil) } as MakeSession))
    MethodTable.define(
      "sessionWithConfiguration:delegate:delegateQueue:", of: URLSession.self, isOfClass: true,
      IMP(
        { type, _, configuration, delegate, queue in URLSession.make(configuration, delegate, queue) }
          as MakeDelegatedSession))
    for type in [LocalSession.self, NWSession.self] as [URLSession.Type] {
      MethodTable.define(
        "dataTaskWithRequest:completionHandler:", of: type,
        IMP(
          { session, _, request, handler in session.makeDataTask(request as! URLRequest, typed(handler)) } as MakeTask)
      )
      MethodTable.define(
        "downloadTaskWithRequest:completionHandler:", of: type,
        IMP(
          { session, _, request, handler in session.makeDownloadTask(request as! URLRequest, typed(handler)) }
            as MakeTask))
      MethodTable.define(
        "uploadTaskWithRequest:fromData:completionHandler:", of: type,
        IMP(
          { session, _, request, body, handler in
            session.makeUploadTask(request as! URLRequest, .data(body as! Data? ?? Data()), typed(handler))
          } as MakeUploadTask))
      MethodTable.define(
        "uploadTaskWithRequest:fromFile:completionHandler:", of: type,
        IMP(
          { session, _, request, file, handler in
            session.makeUploadTask(request as! URLRequest, .file(file as! URL), typed(handler))
          } as MakeUploadTask))
      MethodTable.define(
        "downloadTaskWithResumeData:completionHandler:", of: type,
        IMP(
          { session, _, data, handler in session.makeDownloadTask(resuming: data as! Data, typed(handler)) } as MakeTask
        )
      )
    }
    takeBlocks()
  }()

  /// What `imp_implementationWithBlock` makes of the blocks of these methods: the block gets the object, but not the
  /// selector.
  private static func takeBlocks() {
    MethodTable.takeBlocks { block in
      (block as? (URLSessionTask) -> Void).map { block in IMP({ task, _ in block(task) } as Resume) }
    }
    MethodTable.takeBlocks { block in
      (block as? (URLSessionConfiguration) -> [AnyClass]?).map { block in
        IMP({ configuration, _ in block(configuration) } as ProtocolClasses)
      }
    }
    MethodTable.takeBlocks { block in
      (block as? (AnyClass, URLSessionConfiguration) -> URLSession).map { block in
        IMP({ type, _, configuration in block(type, configuration) } as MakeSession)
      }
    }
    MethodTable.takeBlocks { block in
      typealias Block =
        (AnyClass, URLSessionConfiguration, (any URLSessionDelegate)?, OperationQueue?) -> URLSession
      return (block as? Block).map { block in
        IMP({ block($0, $2, $3, $4) } as MakeDelegatedSession)
      }
    }
    MethodTable.takeBlocks { block in
      (block as? (URLSession, AnyObject?, Handler?) -> URLSessionTask).map { block in
        IMP({ block($0, $2, $3) } as MakeTask)
      }
    }
    MethodTable.takeBlocks { block in
      (block as? (URLSession, AnyObject?, AnyObject?, Handler?) -> URLSessionTask).map { block in
        IMP({ block($0, $2, $3, $4) } as MakeUploadTask)
      }
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
