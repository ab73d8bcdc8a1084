import Foundation
import StubKitArchive

/// The command-line tool. It finds the command, and reports its errors.
struct Tool {
  static var commands: [any Command.Type] { [Inspect.self, Validate.self, Redact.self, WriteSwift.self, Prune.self] }

  let console: Console

  /// - Returns: The exit status: 0 for success, 1 for a problem with a file, and 64 for a mistake in the arguments.
  func run(_ arguments: [String]) -> Int32 {
    do {
      return try perform(arguments)
    } catch let mistake as Mistake {
      console.warn("\(mistake.description) See stubkit --help.")
      return 64
    } catch let error as any Error & CustomStringConvertible & LocalizedError {
      console.warn(error.description.withoutControls)
      return 1
    } catch let problem as FileProblem {
      console.warn(problem.description.withoutControls)
      return 1
    } catch {
      console.warn(FileProblem.reason(error).withoutControls)
      return 1
    }
  }

  private func perform(_ arguments: [String]) throws -> Int32 {
    guard let name = arguments.first, !["--help", "-h", "help"].contains(name) else {
      try console.print(lines: Self.help)
      return arguments.isEmpty ? 64 : 0
    }
    for command in Self.commands where command.name == name {
      if arguments.contains("--help") || arguments.contains("-h") {
        try console.print(lines: command.help)
        return 0
      }
      let given = try command.init(Arguments(arguments.dropFirst()))
      return try given.run(console)
    }
    if name == "serve" || name == "record" {
      throw Mistake("\(name) is a command of another tool: swift run StubKitServerTool \(name).")
    }
    let names = Self.commands.map { $0.name }
    throw Mistake("There is no command \"\(name)\". The commands are \(names.joined(separator: ", ")).")
  }

  static var help: String {
    let lines = commands.map { "  " + $0.usage + "\n      " + $0.summary }
    return """
      Works with HTTP Archives (HAR 1.2): recordings, and exports of browsers.

      stubkit COMMAND FILE … [OPTION …]

      \(lines.joined(separator: "\n"))

      stubkit COMMAND --help lists the options of a command. The exit status is 0
      for success, 1 for a problem with a file, and 64 for a mistake in the arguments.
      The file - is standard input, and the result then goes to standard output.
      """
  }
}

/// One of the tool's commands.
protocol Command {
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
  static var help: String {
    (["stubkit \(usage)", "", summary, ""] + options.map { "  " + $0 } + ["  --help                shows this text"])
      .joined(separator: "\n")
  }
}

/// A mistake in the arguments.
struct Mistake: Error {
  let description: String
  init(_ description: String) { self.description = description }
}
