/// The command-line tool for servers. It finds the command, and reports its errors.
///
/// It is not a part of the tool for archives, which is built much faster without a server.
struct Tool {
  private static let name = "StubKitServerTool"
  static var commands: [any Command.Type] { [Serve.self, Record.self] }

  let console: Console

  /// - Returns: The exit status: 0 for success, 1 for a problem with a file, and 64 for a mistake in the arguments.
  func run(_ arguments: [String]) -> Int32 {
    do {
      return try perform(arguments)
    } catch let mistake as Mistake {
      console.warn("\(mistake.description) See \(Self.name) --help.")
      return 64
    } catch {
      console.warn("\(error)")
      return 1
    }
  }

  private func perform(_ arguments: [String]) throws -> Int32 {
    guard let name = arguments.first, !["--help", "-h", "help"].contains(name) else {
      console.print(help)
      return arguments.isEmpty ? 64 : 0
    }
    for command in Self.commands where command.name == name {
      if arguments.contains("--help") || arguments.contains("-h") {
        console.print(command.help(in: Self.name))
        return 0
      }
      let given = try command.init(Arguments(arguments.dropFirst()))
      return try given.run(console)
    }
    let names = Self.commands.map { $0.name }
    throw Mistake("There is no command \"\(name)\". The commands are \(names.joined(separator: ", ")).")
  }

  private var help: String {
    let lines = Self.commands.map { "  " + $0.usage + "\n      " + $0.summary }
    return """
      Plays recordings to any program that speaks HTTP, and records them.

      \(Self.name) COMMAND … [OPTION …]

      \(lines.joined(separator: "\n"))

      \(Self.name) COMMAND --help lists the options of a command.
      The exit status is 0 for success, 1 for a problem with a file, and 64 for a
      mistake in the arguments.
      """
  }
}
