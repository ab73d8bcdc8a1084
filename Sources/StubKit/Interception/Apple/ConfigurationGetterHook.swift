#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// Adds `StubURLProtocol` to the configurations of sessions that the code under test creates.
  ///
  /// It replaces the getter of `protocolClasses` on the class that implements it, and tests the effect.
  struct ConfigurationGetterHook {
    private typealias Getter = @convention(c) (URLSessionConfiguration, Selector) -> [AnyClass]?
    private typealias Block = @convention(block) (URLSessionConfiguration) -> [AnyClass]?

    init?() {
      let selector = Selector(("protocolClasses"))
      var methods = ReplacedMethods()
      methods.replace(selector, from: object_getClass(URLSessionConfiguration.default)) { code in
        let original = unsafeBitCast(code, to: Getter.self)
        let block: Block = { configuration in
          original(configuration, selector).map(SessionInstallation.intercepted)
        }
        return block
      }
      guard Self.isEffective else {
        methods.restore()
        return nil
      }
    }

    private static var isEffective: Bool {
      [URLSessionConfiguration.default, .ephemeral].allSatisfy { configuration in
        configuration.protocolClasses?.contains { $0 == StubURLProtocol.self } == true
      }
    }
  }
#endif
