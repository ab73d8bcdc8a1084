#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// Runs a request's completion handler in the scope of the request.
  ///
  /// A handler comes with the call that creates its task. Each of these calls is replaced by one that wraps the
  /// handler, so that it finds the note of its task. Async calls can use these calls or others, and need neither,
  /// because they return to the task that made them. Delegate methods are out of reach.
  struct HandlerHook {
    typealias DataHandler = @Sendable @convention(block) (Data?, URLResponse?, (any Error)?) -> Void
    typealias FileHandler = @Sendable @convention(block) (URL?, URLResponse?, (any Error)?) -> Void

    private typealias MakeData = @convention(c) (URLSession, Selector, URLRequest, DataHandler?) -> URLSessionDataTask
    private typealias MakeDataBlock = @convention(block) (URLSession, URLRequest, DataHandler?) -> URLSessionDataTask
    private typealias MakeDataOfURL = @convention(c) (URLSession, Selector, URL, DataHandler?) -> URLSessionDataTask
    private typealias MakeDataOfURLBlock = @convention(block) (URLSession, URL, DataHandler?) -> URLSessionDataTask
    private typealias MakeFile =
      @convention(c) (URLSession, Selector, URLRequest, FileHandler?) -> URLSessionDownloadTask
    private typealias MakeFileBlock =
      @convention(block) (URLSession, URLRequest, FileHandler?) -> URLSessionDownloadTask
    private typealias MakeFileOfURL = @convention(c) (URLSession, Selector, URL, FileHandler?) -> URLSessionDownloadTask
    private typealias MakeFileOfURLBlock = @convention(block) (URLSession, URL, FileHandler?) -> URLSessionDownloadTask
    private typealias Resume = @convention(c) (URLSession, Selector, Data, FileHandler?) -> URLSessionDownloadTask
    private typealias ResumeBlock = @convention(block) (URLSession, Data, FileHandler?) -> URLSessionDownloadTask
    private typealias ResumeUpload = @convention(c) (URLSession, Selector, Data, DataHandler?) -> URLSessionUploadTask
    private typealias ResumeUploadBlock = @convention(block) (URLSession, Data, DataHandler?) -> URLSessionUploadTask
    private typealias Upload =
      @convention(c) (
        URLSession, Selector, URLRequest, Data?, DataHandler?
      ) -> URLSessionUploadTask
    private typealias UploadBlock =
      @convention(block) (URLSession, URLRequest, Data?, DataHandler?) -> URLSessionUploadTask
    private typealias UploadFile =
      @convention(c) (
        URLSession, Selector, URLRequest, URL, DataHandler?
      ) -> URLSessionUploadTask
    private typealias UploadFileBlock =
      @convention(block) (
        URLSession, URLRequest, URL, DataHandler?
      ) -> URLSessionUploadTask

    init?() {
      var methods = ReplacedMethods()
      // The two loaders have session classes of their own, which need not inherit from one another.
      let sessions = SampleTasks.configurations.map { configuration in
        configuration.protocolClasses = [Unstubbed.self]
        return URLSession(configuration: configuration)
      }
      defer { for session in sessions { session.invalidateAndCancel() } }
      for type in sessions.map({ object_getClass($0) }) {
        Self.replaceDataTasks(&methods, type)
        Self.replaceDownloadTasks(&methods, type)
        Self.replaceUploadTasks(&methods, type)
      }
      guard sessions.allSatisfy(Self.isEffective) else {
        methods.restore()
        return nil
      }
    }

    private static func replaceDataTasks(_ methods: inout ReplacedMethods, _ type: AnyClass?) {
      let byRequest = Selector(("dataTaskWithRequest:completionHandler:"))
      methods.replace(byRequest, from: type) { code in
        let original = unsafeBitCast(code, to: MakeData.self)
        let block: MakeDataBlock = { session, request, handler in
          wrapping(handler) { original(session, byRequest, request, $0) }
        }
        return block
      }
      let byURL = Selector(("dataTaskWithURL:completionHandler:"))
      methods.replace(byURL, from: type) { code in
        let original = unsafeBitCast(code, to: MakeDataOfURL.self)
        let block: MakeDataOfURLBlock = { session, url, handler in
          wrapping(handler) { original(session, byURL, url, $0) }
        }
        return block
      }
    }

    private static func replaceDownloadTasks(_ methods: inout ReplacedMethods, _ type: AnyClass?) {
      let byRequest = Selector(("downloadTaskWithRequest:completionHandler:"))
      methods.replace(byRequest, from: type) { code in
        let original = unsafeBitCast(code, to: MakeFile.self)
        let block: MakeFileBlock = { session, request, handler in
          wrapping(handler) { original(session, byRequest, request, $0) }
        }
        return block
      }
      let byURL = Selector(("downloadTaskWithURL:completionHandler:"))
      methods.replace(byURL, from: type) { code in
        let original = unsafeBitCast(code, to: MakeFileOfURL.self)
        let block: MakeFileOfURLBlock = { session, url, handler in
          wrapping(handler) { original(session, byURL, url, $0) }
        }
        return block
      }
      let byData = Selector(("downloadTaskWithResumeData:completionHandler:"))
      methods.replace(byData, from: type) { code in
        let original = unsafeBitCast(code, to: Resume.self)
        let block: ResumeBlock = { session, data, handler in
          wrapping(handler) { original(session, byData, data, $0) }
        }
        return block
      }
    }

    private static func replaceUploadTasks(_ methods: inout ReplacedMethods, _ type: AnyClass?) {
      let ofData = Selector(("uploadTaskWithRequest:fromData:completionHandler:"))
      methods.replace(ofData, from: type) { code in
        let original = unsafeBitCast(code, to: Upload.self)
        let block: UploadBlock = { session, request, body, handler in
          wrapping(handler) { original(session, ofData, request, body, $0) }
        }
        return block
      }
      let ofFile = Selector(("uploadTaskWithRequest:fromFile:completionHandler:"))
      methods.replace(ofFile, from: type) { code in
        let original = unsafeBitCast(code, to: UploadFile.self)
        let block: UploadFileBlock = { session, request, file, handler in
          wrapping(handler) { original(session, ofFile, request, file, $0) }
        }
        return block
      }
      // From macOS 14 and iOS 17 on.
      let byData = Selector(("uploadTaskWithResumeData:completionHandler:"))
      methods.replace(byData, from: type) { code in
        let original = unsafeBitCast(code, to: ResumeUpload.self)
        let block: ResumeUploadBlock = { session, data, handler in
          wrapping(handler) { original(session, byData, data, $0) }
        }
        return block
      }
    }

    /// Creates a task whose handler runs in its scope.
    private static func wrapping<Received, T: URLSessionTask>(
      _ handler: (@Sendable (Received?, URLResponse?, (any Error)?) -> Void)?,
      _ make: ((@Sendable (Received?, URLResponse?, (any Error)?) -> Void)?) -> T
    ) -> T {
      trial?.withLock { $0 = true }
      guard let handler else { return make(nil) }
      let maker = MadeTask()
      let task = make { received, response, error in
        let scope = maker.task.flatMap(TaskNote.of)?.callbackScope
        guard let scope else { return handler(received, response, error) }
        scope.run { handler(received, response, error) }
      }
      maker.task = task
      return task
    }

    /// Returns `true` if a call with a handler reaches the replaced code.
    private static func isEffective(_ session: URLSession) -> Bool {
      let isWrapped = Protected(false)
      $trial.withValue(isWrapped) {
        session.dataTask(with: URLRequest(url: URL(string: "stubkit-handler://x/")!)) { _, _, _ in }.cancel()
      }
      return isWrapped.withLock { $0 }
    }

    /// What the check on this thread notes, or `nil`, which is usual.
    @TaskLocal private static var trial: Protected<Bool>?
  }

  /// The task that a handler belongs to, after it was created.
  private final class MadeTask: @unchecked Sendable {
    // Safe because it is touched under the lock only.
    private let lock = NSLock()
    private weak var made: URLSessionTask?

    var task: URLSessionTask? {
      get { lock.withLock { made } }
      set { lock.withLock { made = newValue } }
    }
  }
#endif
