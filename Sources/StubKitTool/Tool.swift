import StubKitCommandLine

extension CommandLineTool {
  static var archives: CommandLineTool {
    CommandLineTool(
      "stubkit", commands: [Inspect.self, Redact.self],
      purpose: "Works with HTTP Archives (HAR 1.2): recordings, and exports of browsers.",
      usage: "COMMAND FILE … [OPTION …]",
      remark: "The file - is standard input, and the result then goes to standard output.",
      otherCommands: [
        "serve": "swift run StubKitServerTool serve", "record": "swift run StubKitServerTool record",
      ])
  }
}
