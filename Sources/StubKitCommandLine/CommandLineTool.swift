import Foundation
import StubKitFormats

/// A command-line tool. It finds the command, and reports its errors.
package struct CommandLineTool {
  package static let version = "0.1.0"

  /// What stands before the command, such as `stubkit`.
  private let name: String
  package let commands: [any Command.Type]
  /// What the tool is for, in a sentence.
  private let purpose: String
  /// What stands after the name of the tool: `COMMAND FILE … [OPTION …]`.
  private let usage: String
  /// More about all commands, as the end of the help.
  private let remark: String
  /// The commands of other tools, with what to run instead.
  private let otherCommands: [String: String]

  package init(
    _ name: String, commands: [any Command.Type], purpose: String, usage: String, remark: String = "",
    otherCommands: [String: String] = [:]
  ) {
    (self.name, self.commands, self.purpose) = (name, commands, purpose)
    (self.usage, self.remark, self.otherCommands) = (usage, remark, otherCommands)
  }

  /// - Returns: The exit status: 0 for success, 1 for a problem with a file, and 64 for a mistake in the arguments.
  package func run(_ arguments: [String], _ console: Console) -> Int32 {
    do {
      return try perform(arguments, console)
    } catch let mistake as Mistake {
      console.warn("\(mistake.description) See \(name) --help.")
      return 64
    } catch {
      console.warn(FileProblem.sentence(error).withoutControls)
      return 1
    }
  }

  private func perform(_ arguments: [String], _ console: Console) throws -> Int32 {
    if arguments == ["--version"] {
      try console.print("\(name) \(Self.version)")
      return 0
    }
    guard let word = arguments.first, !["--help", "-h", "help"].contains(word) else {
      try console.print(lines: help)
      return arguments.isEmpty ? 64 : 0
    }
    for command in commands where command.name == word {
      if arguments.contains("--help") || arguments.contains("-h") {
        try console.print(lines: command.help(in: name))
        return 0
      }
      return try command.init(Arguments(arguments.dropFirst())).run(console)
    }
    if let other = otherCommands[word] { throw Mistake("\(word) is a command of another tool: \(other).") }
    let names = commands.map { $0.name }.joined(separator: ", ")
    throw Mistake("There is no command \"\(word)\". The commands are \(names).")
  }

  private var help: String {
    let lines = commands.map { "  " + $0.usage + "\n      " + $0.summary }
    return """
      \(purpose)

      \(name) \(usage)

      \(lines.joined(separator: "\n"))

      \(name) COMMAND --help lists the options of a command.
      The exit status is 0 for success, 1 for a problem with a file, and 64 for a
      mistake in the arguments.\(remark.isEmpty ? "" : "\n" + remark)
      """
  }
}
