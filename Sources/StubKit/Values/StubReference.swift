import Foundation

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
  package let id: UInt64

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

/// A value of one of StubKit's error types, inside the `NSError` that stands for it.
///
/// On Apple platforms, URLSession passes on only the domain, the code and the user info of an error. This one carries
/// the value through. It has no user info itself, because `NSError` prints the errors in its user info.
final class OriginalError: NSError, @unchecked Sendable {
  // Safe because nothing in it changes.
  private let value: any StubKitError

  /// The key of the original error in the user info of StubKit's errors.
  private static let key = "StubKitOriginalError"

  private init(_ value: any StubKitError) {
    self.value = value
    super.init(domain: type(of: value).errorDomain, code: value.errorCode, userInfo: nil)
  }

  /// An archive contains only the domain and the code.
  required init?(coder: NSCoder) { nil }

  override var localizedDescription: String { value.description }

  /// Returns the user info of an error: its sentence, and the error itself under the key for an underlying error and
  /// under a key of its own.
  static func userInfo(of error: any StubKitError) -> [String: Any] {
    let original = OriginalError(error)
    return [NSLocalizedDescriptionKey: error.description, NSUnderlyingErrorKey: original, key: original]
  }

  /// Returns the error of a type that another error is, stands for, or contains at any depth.
  ///
  /// It looks into the user info of each error, and into the values of errors that are Swift types.
  static func find<Wanted: Error>(_ type: Wanted.Type, in error: any Error) -> Wanted? {
    var limit = 1_000
    return find(type, in: error, &limit)
  }

  /// - Parameter limit: The number of values to look at. An error can contain itself, or very much.
  private static func find<Wanted: Error>(_ type: Wanted.Type, in value: Any, _ limit: inout Int) -> Wanted? {
    limit -= 1
    guard limit > 0 else { return nil }
    if let error = value as? any Error {
      if let wanted = error as? Wanted { return wanted }
      let info = (error as NSError).userInfo
      if let original = (error as? Self) ?? info[Self.key] as? Self { return original.value as? Wanted }
      // The second one is `NSMultipleUnderlyingErrorsKey`, which Foundation on Linux doesn't have.
      for key in [NSUnderlyingErrorKey, "NSMultipleUnderlyingErrorsKey"] {
        if let inner = info[key], let wanted = find(type, in: inner, &limit) { return wanted }
      }
    }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle != .class else { return nil }
    for child in mirror.children {
      if let wanted = find(type, in: child.value, &limit) { return wanted }
    }
    return nil
  }
}

/// Something wrong in the caller's code, as a sentence that says what to write instead.
///
/// It is a value and not a trap, so that a typo fails its test and not the whole run.
package struct UsageMistake: Error, Hashable {
  package let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}

/// Throws a mistake unless a condition on the caller's code is met.
package func require(
  _ condition: Bool, _ sentence: @autoclosure () -> String
) throws(UsageMistake) {
  guard condition else { throw UsageMistake(sentence()) }
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
