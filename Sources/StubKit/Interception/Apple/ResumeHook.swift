import StubKitFormats

#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// Notes who makes a request. In URLSession, only `resume()` runs where the request is made.
  ///
  /// The hook replaces the method on every task class that implements it, including those of the new loader.
  struct ResumeHook {
    private typealias Resume = @convention(c) (URLSessionTask, Selector) -> Void
    private typealias Block = @convention(block) (URLSessionTask) -> Void

    init?() {
      let selector = Selector(("resume"))
      var methods = ReplacedMethods()
      SampleTasks.with { task in
        methods.replace(selector, from: object_getClass(task)) { code in
          let original = unsafeBitCast(code, to: Resume.self)
          let block: Block = { task in
            TaskNote.take(of: task)
            original(task, selector)
          }
          return block
        }
      }
      var isEffective = !methods.isEmpty
      SampleTasks.with { task in
        task.resume()
        if TaskNote.of(task) == nil { isEffective = false }
      }
      guard isEffective else {
        methods.restore()
        return nil
      }
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
  private final class SampleLoader: URLProtocol {
    static let url = URL(string: "stubkit-sample://x/")!

    override class func canInit(with request: URLRequest) -> Bool { request.url == url }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
  }
#endif
