import Foundation
import StubKitFormats

/// An error that says why a text is not JSON, and where.
///
/// ```swift
/// do {
///   _ = try JSONValue(parsing: "[1, 2,]")
/// } catch {
///   // This is not valid JSON: line 1, column 7: a value is missing before "]".
///   print(error)
/// }
/// ```
public struct JSONSyntaxError: StubKitError, Hashable {
  /// What is wrong, in words.
  public let problem: String
  /// The line, from 1. Lines end with a line feed.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int

  /// The problem and its place, in a sentence.
  public var description: String { "This is not valid JSON: line \(line), column \(column): \(problem)." }

  init(_ problem: JSONProblem) { (self.problem, line, column) = (problem.problem, problem.line, problem.column) }
}
