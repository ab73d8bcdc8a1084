import Foundation

/// An error that says why a text is not JSON, and where.
///
/// ```swift
/// do {
///   _ = try StubJSON(parsing: "[1, 2,]")
/// } catch {
///   // This is not valid JSON: line 1, column 7: a value is missing before "]".
///   print(error)
/// }
/// ```
package struct JSONSyntaxError: StubKitError, Hashable {
  /// What is wrong, in words.
  public let problem: String
  /// The line, from 1. Lines end with a line feed.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int

  /// The problem and its place, in a sentence.
  public var description: String { "This is not valid JSON: line \(line), column \(column): \(problem)." }

  /// - Parameter text: The text before the place, in UTF-8.
  init(_ problem: String, after text: some BidirectionalCollection<UInt8>) {
    self.problem = problem
    line = text.count { $0 == .newline } + 1
    // Every scalar has one byte that doesn't continue another.
    column = text.reversed().prefix { $0 != .newline }.count { $0 & 0xC0 != 0x80 } + 1
  }
}
