import Foundation
import StubKitFormats

/// A location in the source code of the tests.
public struct StubLocation: Sendable, Hashable, CustomStringConvertible {
  /// The module and the file, as `#fileID` returns them.
  public let fileID: String
  /// The path of the file, as `#filePath` returns it.
  public let filePath: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// Creates a location. Without arguments, it is that of the call.
  ///
  /// ```swift
  /// stubUser(42, at: StubLocation())
  /// ```
  public init(
    _ fileID: StaticString = #fileID, _ filePath: StaticString = #filePath, _ line: UInt = #line,
    _ column: UInt = #column
  ) {
    self.init(
      fileID: LiteralText.string(fileID), filePath: LiteralText.string(filePath), line: Int(clamping: line),
      column: Int(clamping: column))
  }

  /// Creates a location from values that are known only at run time, such as those of a table of tests.
  ///
  /// ```swift
  /// stubUser(
  ///   42,
  ///   at: StubLocation(
  ///     fileID: "AppTests/Users.csv", filePath: file.path, line: row, column: 1))
  /// ```
  public init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The location as `UserTests/LoginTests.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}

/// The strings of literals, one for each literal, because few files create thousands of stubs.
private enum LiteralText {
  private static let strings = Protected<[UInt: String]>([:])

  static func string(_ literal: StaticString) -> String {
    guard literal.hasPointerRepresentation else { return literal.description }
    // A literal stays in place as long as the process lives.
    let address = UInt(bitPattern: literal.utf8Start)
    return strings.withLock { strings in
      if let string = strings[address] { return string }
      let string = literal.description
      strings[address] = string
      return string
    }
  }
}

/// A reference to a stub, which remains in errors and in the journal after the stub is removed.
public struct StubReference: Sendable, Hashable, CustomStringConvertible {
  /// The name of the stub, or `nil` if it had none.
  public let name: String?
  /// The location of the stub in the source code.
  public let location: StubLocation
  /// Distinguishes stubs that were created at the same location.
  let id: UInt64

  /// The stub as reports name it: `"users" (UserTests/LoginTests.swift:12)`, or without a name
  /// `at UserTests/LoginTests.swift:12`.
  public var description: String {
    guard let name else { return "at \(location)" }
    return "\"\(name)\" (\(location))"
  }
}

/// One of StubKit's errors.
///
/// On Apple platforms, URLSession doesn't pass an error on as it is. It creates an `NSError` with the same domain,
/// code and user info, and can wrap that in another one. Client code often adds an error type of its own. In all of
/// these, `init(from:)` finds the error again, on every platform:
///
/// ```swift
/// do {
///   _ = try await URLSession.shared.data(from: url)
/// } catch {
///   guard let miss = UnmatchedRequestError(from: error) else { throw error }
///   print(miss.nearest)
/// }
/// ```
///
/// The `localizedDescription` of the error that arrives is the description of StubKit's error.
public protocol StubKitError: CustomNSError, LocalizedError, CustomStringConvertible, Sendable {}

extension StubKitError {
  /// Finds the error in an error that arrived from somewhere else.
  ///
  /// It can be that error itself, the `NSError` that stands for it, or an underlying error of either, at any depth. It
  /// can also be a value inside of an error that is a Swift type, such as `case transport(any Error)`.
  ///
  /// Returns `nil` if there is no such error.
  ///
  /// - Parameter error: The error that arrived.
  public init?(from error: any Error) {
    guard let found = OriginalError.find(Self.self, in: error) else { return nil }
    self = found
  }

  /// The domain of the error as an `NSError`: `StubKit.` and the name of the type.
  public static var errorDomain: String { "StubKit.\(Self.self)" }

  /// The code of the error as an `NSError`: 1, unless the type says otherwise.
  public var errorCode: Int { 1 }

  /// The user info of the error as an `NSError`, with the description under `NSLocalizedDescriptionKey`.
  public var errorUserInfo: [String: Any] { OriginalError.userInfo(of: self) }

  /// The description, so that `localizedDescription` contains it.
  public var errorDescription: String? { description }
}

/// How StubKit knows that a request belongs to its registry.
enum AttributionConfidence: Sendable, CaseIterable {
  /// By the code that makes it, or by a session that is bound to the registry.
  case certain
  /// Only by its session, which was created in the registry's scope.
  case session
  /// Only because no other scope is open.
  case onlyScope
  /// Only because no scope claims it, though scopes are open. The registry is the global one.
  case unclaimed

  var isInferred: Bool { self == .session || self == .onlyScope }
}
