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
  ///
  /// - Parameters:
  ///   - fileID: The module and the file, such as `AppTests/UserTests.swift`.
  ///   - filePath: The path of the file.
  ///   - line: The line, from 1.
  ///   - column: The column, from 1.
  public init(
    _ fileID: StaticString = #fileID, _ filePath: StaticString = #filePath, _ line: UInt = #line,
    _ column: UInt = #column
  ) {
    self.init(
      fileID: fileID.description, filePath: filePath.description, line: Int(clamping: line),
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
  ///
  /// - Parameters:
  ///   - fileID: The module and the file, such as `AppTests/UserTests.swift`.
  ///   - filePath: The path of the file.
  ///   - line: The line, from 1.
  ///   - column: The column, from 1.
  public init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The location as `UserTests/LoginTests.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
