#if canImport(Darwin)
  import Foundation
  import ObjectiveC

  /// Puts `StubURLProtocol` into the configurations of sessions that the code under test makes for itself.
  enum ConfigurationSwizzle {
    static func install() {
      let type: AnyClass = object_getClass(URLSessionConfiguration.default) ?? URLSessionConfiguration.self
      guard
        let original = class_getInstanceMethod(type, #selector(getter: URLSessionConfiguration.protocolClasses)),
        let replacement = class_getInstanceMethod(
          URLSessionConfiguration.self, #selector(URLSessionConfiguration.stubKit_protocolClasses))
      else { return }
      method_exchangeImplementations(original, replacement)
    }
  }

  extension URLSessionConfiguration {
    /// After the exchange the call inside is the original getter.
    @objc fileprivate func stubKit_protocolClasses() -> [AnyClass]? {
      stubKit_protocolClasses().map(SessionInstallation.intercepted)
    }
  }
#endif
