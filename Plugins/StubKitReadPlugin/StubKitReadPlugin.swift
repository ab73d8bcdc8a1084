import Foundation
import PackagePlugin

/// `swift package stubkit-read …`: runs the commands of the tool that only read, which need no permission.
@main
struct StubKitReadPlugin: CommandPlugin {
  private static let commands = ["inspect"]

  func performCommand(context: PluginContext, arguments: [String]) throws {
    let command = arguments.first { !$0.hasPrefix("-") }
    guard command.map(Self.commands.contains) ?? true else {
      throw Refusal(
        description:
          "stubkit-read has only the command inspect. Write swift package stubkit \(command ?? "").")
    }
    let tool = Process()
    tool.executableURL = try context.tool(named: "StubKitTool").url
    tool.arguments = arguments
    // Where the user stands: a file's name is meant from there.
    tool.currentDirectoryURL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    try tool.run()
    tool.waitUntilExit()
    guard tool.terminationStatus == 0 else {
      // The tool has said what is wrong.
      throw Refusal(description: "stubkit-read ended with status \(tool.terminationStatus).")
    }
  }
}

struct Refusal: Error, CustomStringConvertible {
  let description: String
}
