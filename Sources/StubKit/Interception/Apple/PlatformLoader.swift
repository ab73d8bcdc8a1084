#if canImport(Darwin)
  import Foundation

  /// The superclass of StubKit's protocol class. Only Linux needs one of its own.
  typealias PlatformLoader = URLProtocol
#endif
