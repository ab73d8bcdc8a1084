#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// Makes a session remember the scope that created it.
  ///
  /// A session copies its configuration in one of two class methods, on the thread that creates it. The hook replaces
  /// them by methods that first mark a copy of their own.
  struct SessionFactoryHook {
    private typealias Plain = @convention(c) (AnyClass, Selector, URLSessionConfiguration) -> URLSession
    private typealias PlainBlock = @convention(block) (AnyClass, URLSessionConfiguration) -> URLSession
    private typealias Delegated =
      @convention(c) (
        AnyClass, Selector, URLSessionConfiguration, (any URLSessionDelegate)?, OperationQueue?
      ) -> URLSession
    private typealias DelegatedBlock =
      @convention(block) (
        AnyClass, URLSessionConfiguration, (any URLSessionDelegate)?, OperationQueue?
      ) -> URLSession

    init?() {
      let plain = Selector(("sessionWithConfiguration:"))
      let delegated = Selector(("sessionWithConfiguration:delegate:delegateQueue:"))
      var methods = ReplacedMethods()
      methods.replaceClassMethod(plain, of: URLSession.self) { code in
        let original = unsafeBitCast(code, to: Plain.self)
        let block: PlainBlock = { type, configuration in original(type, plain, Self.marked(configuration)) }
        return block
      }
      methods.replaceClassMethod(delegated, of: URLSession.self) { code in
        let original = unsafeBitCast(code, to: Delegated.self)
        let block: DelegatedBlock = { type, configuration, delegate, queue in
          original(type, delegated, Self.marked(configuration), delegate, queue)
        }
        return block
      }
      guard Self.isEffective else {
        methods.restore()
        return nil
      }
    }

    /// Returns a copy that names the scope that uses it to create a session.
    private static func marked(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
      guard let copy = configuration.copy() as? URLSessionConfiguration,
        let classes = copy.protocolClasses.map(SessionInstallation.intercepted)
      else { return configuration }
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
#endif
