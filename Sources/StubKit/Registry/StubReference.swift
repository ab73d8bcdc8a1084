/// Where in the tests' text a stub was made.
public struct StubLocation: Sendable, Hashable, CustomStringConvertible {
  /// Module and file, as `#fileID` gives them.
  public let fileID: String
  /// The file's path, as `#filePath` gives it.
  public let filePath: String
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1.
  public let column: Int

  /// Creates a location: without arguments, that of the call.
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

  package init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The location as `UserTests/LoginTests.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}

/// The strings of literals, one for each literal: thousands of stubs are made in few files.
private enum LiteralText {
  private static let strings = Protected<[UInt: String]>([:])

  static func string(_ literal: StaticString) -> String {
    guard literal.hasPointerRepresentation else { return literal.description }
    // A literal stays where it is as long as the process lives.
    let address = UInt(bitPattern: literal.utf8Start)
    return strings.withLock { strings in
      if let string = strings[address] { return string }
      let string = literal.description
      strings[address] = string
      return string
    }
  }
}

/// Which stub it was: what of it remains in errors and in the journal after it is removed.
public struct StubReference: Sendable, Hashable, CustomStringConvertible {
  /// The name that the stub had, if it had one.
  public let name: String?
  /// Where the stub was made.
  public let location: StubLocation
  /// Tells stubs made at the same place apart.
  let id: UInt64

  /// The stub as reports name it: `"users" (UserTests/LoginTests.swift:12)`, or without a name
  /// `at UserTests/LoginTests.swift:12`.
  public var description: String {
    guard let name else { return "at \(location)" }
    return "\"\(name)\" (\(location))"
  }
}
