import Foundation

/// A reference to a stub, which remains in errors and in the journal after the stub is removed.
///
/// ```swift
/// #expect(HTTPStubs.requests.map(\.stub?.id) == [login.id, search.id])
/// ```
public struct StubReference: Sendable, Hashable, Identifiable, CustomStringConvertible {
  /// The name of the stub, or `nil` if it had none.
  public let name: String?
  /// The location of the stub in the source code.
  public let location: StubLocation
  /// The identifier of the stub, which is that of ``Stub/id``.
  public let id: UInt64

  /// The stub as reports name it: `"users" (UserTests/LoginTests.swift:12)`, or without a name
  /// `at UserTests/LoginTests.swift:12`.
  public var description: String {
    guard let name else { return "at \(location)" }
    return "\"\(name)\" (\(location))"
  }
}
