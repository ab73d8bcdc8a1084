import Foundation
import StubKit

@_exported import enum StubKit.HTTPStubs
@_exported import struct StubKit.StubLocation
@_exported import class StubKit.StubRegistry
@_exported import struct StubKit.StubScopeEndedError
@_exported import struct StubKit.UnmatchedPolicy
@_exported import struct StubKit.UnmatchedRequestError
// What tests with mocks need of StubKit, and no name that another library has too.
@_exported import func StubKit.withStubs

#if canImport(FoundationNetworking)
  @_exported import FoundationNetworking
#endif

/// The mocks of Mocker 3, on top of StubKit's registries.
///
/// The mock that was registered first answers, and mocks with a URL come before mocks for file extensions. Stubs that
/// you register with StubKit's own functions come before all mocks.
public struct Mocker {
  /// How requests without a mock are treated.
  public enum Mode: Sendable {
    /// They fail, unless they are ignored. This is the default.
    case optout
    /// They go to the network.
    case optin
  }

  /// The versions of HTTP.
  public enum HTTPVersion: String, Sendable {
    case http1_0 = "HTTP/1.0"
    case http1_1 = "HTTP/1.1"
    case http2_0 = "HTTP/2.0"
  }

  /// How requests without a mock are treated. Setting it sets the policy of the current registry for unmatched
  /// requests.
  public static var mode: Mode {
    get { if case .passThrough = StubRegistry.current.unmatched.kind { .optin } else { .optout } }
    set {
      let registry = StubRegistry.current
      registry.unmatched = newValue == .optin ? .passThrough : .fail
      MockStore.shared.update(isOptIn: newValue == .optin, in: registry)
    }
  }

  /// Unavailable: the version is HTTP/1.1.
  @available(*, unavailable, message: "The version of StubKit's responses is HTTP/1.1. Remove this line.")
  public static var httpVersion: HTTPVersion {
    get { .http1_1 }
    set {}
  }

  private init() {}

  /// Registers a mock. It replaces one that is equal.
  public static func register(_ mock: Mock) { MockStore.shared.register(mock, in: .current) }

  /// Lets the requests for a URL go to the network, even if there is a mock for it.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - matchType: Which part of it counts. Defaults to the whole URL.
  ///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
  ///   - filePath: The path of the source file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public static func ignore(
    _ url: URL, matchType: URLMatchType = .full, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    MockStore.shared.ignore(url, matchType, in: .current, at: StubLocation(fileID, filePath, line, column))
  }

  /// Lets the requests for a URL go to the network. Use ``ignore(_:matchType:fileID:filePath:line:column:)``.
  @available(*, deprecated, renamed: "ignore(_:matchType:)")
  public static func ignore(_ url: URL, ignoreQuery: Bool) {
    ignore(url, matchType: ignoreQuery ? .ignoreQuery : .full)
  }

  /// Returns whether a request is kept from the network: by a mock, or because nothing lets it through.
  public static func shouldHandle(_ request: URLRequest) -> Bool {
    MockStore.shared.shouldHandle(request, isOptIn: mode == .optin, in: .current)
  }

  /// Removes all mocks and ignored URLs of the current registry: those of the scope in a scope, and otherwise the
  /// global ones.
  public static func removeAll() { MockStore.shared.removeAll(in: .current) }
}
