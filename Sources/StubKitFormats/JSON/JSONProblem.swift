/// Why a text is not JSON, and where.
package struct JSONProblem: Error, Sendable {
  /// What is wrong, in words.
  package let problem: String
  /// The line, from 1. Lines end with a line feed.
  package let line: Int
  /// The column, from 1, in Unicode scalars.
  package let column: Int

  /// - Parameter text: The text before the place, in UTF-8.
  init(_ problem: String, after text: some BidirectionalCollection<UInt8>) {
    self.problem = problem
    line = text.count { $0 == UInt8(ascii: "\n") } + 1
    // Every scalar has one byte that doesn't continue another.
    column = text.reversed().prefix { $0 != UInt8(ascii: "\n") }.count { $0 & 0xC0 != 0x80 } + 1
  }
}
