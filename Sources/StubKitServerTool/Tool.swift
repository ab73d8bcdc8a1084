import StubKitCommandLine

extension CommandLineTool {
  /// The tool for servers. It is not a part of the tool for archives, which is built much faster without a server.
  static var servers: CommandLineTool {
    CommandLineTool(
      "StubKitServerTool", commands: [Serve.self, Record.self],
      purpose: "Plays recordings to any program that speaks HTTP, and records them.", usage: "COMMAND … [OPTION …]")
  }
}
