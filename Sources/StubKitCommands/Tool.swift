import Foundation
import StubKitRecorder

/// The command-line tool. It finds the command, and reports its errors.
enum Tool {
  static var version: String { Version.current }
  static var commands: [(name: String, type: any Command.Type)] {
    [("inspect", Inspect.self), ("redact", Redact.self), ("serve", Serve.self), ("record", Record.self)]
  }

  private static var help: String {
    // The first line of a command's help has its arguments, and the third says what it does.
    let overview = commands.map { command in
      let lines = command.type.help.components(separatedBy: "\n")
      return "  \(lines[0].dropFirst("stubkit-har ".count))\n      \(lines[2])"
    }
    return """
      Works with HTTP Archives (HAR 1.2): recordings, and exports of browsers.

      stubkit-har COMMAND …

      \(overview.lines)

      stubkit-har COMMAND --help lists the options of a command.
      The exit status is 0 for success, 1 for a problem with a file, and 64 for a
      mistake in the arguments. The file - is standard input, and what is redacted
      then goes to standard output.
      """
  }

  static func run(_ arguments: [String], _ console: Console) -> Int32 {
    do {
      guard let word = arguments.first, !["--help", "-h", "help"].contains(word) else {
        try console.print(lines: help)
        return arguments.isEmpty ? 64 : 0
      }
      if arguments == ["--version"] {
        try console.print("stubkit-har \(version)")
        return 0
      }
      guard let command = commands.first(where: { $0.name == word })?.type else {
        let names = commands.map(\.name).listed
        throw UsageMistake("There is no command \"\(word)\". The commands are \(names).")
      }
      let options = arguments.prefix { $0 != "--" }
      guard options.contains("--help") || options.contains("-h") else {
        return try command.init(Arguments(arguments.dropFirst())).run(console)
      }
      try console.print(lines: command.help + "\n  --help                shows this text")
      return 0
    } catch let mistake as UsageMistake {
      console.warn("\(mistake.sentence) See stubkit-har --help.")
      return 64
    } catch {
      console.warn(error.sentence.withoutControls)
      return 1
    }
  }
}

/// One of the tool's commands.
protocol Command {
  /// The command with its arguments, what it does, and its options, for 80 columns.
  static var help: String { get }

  init(_ arguments: Arguments) throws
  func run(_ console: Console) throws -> Int32
}

/// A problem with a file, as a sentence.
struct FileProblem: LocalizedError, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }

  /// Returns what the file system says when a file is read, as the end of a sentence, or `nil` if it can be read.
  static func reading(_ file: URL) -> String? {
    let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    var byte: UInt8 = 0
    return descriptor < 0 || pread(descriptor, &byte, 1, 0) < 0 ? errno.systemError + "." : nil
  }
}
