/// One of a tool's commands.
package protocol Command {
  static var name: String { get }
  /// The command and its arguments, on one line.
  static var usage: String { get }
  /// What the command does, on one line of at most 74 columns.
  static var summary: String { get }
  /// The options, one on each line.
  static var options: [String] { get }

  init(_ arguments: Arguments) throws
  func run(_ console: Console) throws -> Int32
}

extension Command {
  /// - Parameter tool: What stands before the command, such as `stubkit`.
  static func help(in tool: String) -> String {
    (["\(tool) \(usage)", "", summary, ""] + options.map { "  " + $0 } + ["  --help                shows this text"])
      .joined(separator: "\n")
  }
}

/// A mistake in the arguments.
package struct Mistake: Error {
  package let description: String

  package init(_ description: String) { self.description = description }
}
