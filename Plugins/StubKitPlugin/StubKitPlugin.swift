import Foundation
import PackagePlugin

/// `swift package stubkit …`: hands its arguments to the command line tool.
@main
struct StubKitPlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let tool = Process()
    tool.executableURL = try context.tool(named: "StubKitTool").url
    tool.arguments = arguments
    // Where the user stands: a file's name is meant from there.
    tool.currentDirectoryURL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    try tool.run()
    tool.waitUntilExit()
    guard tool.terminationStatus == 0 else { throw ToolFailure(status: tool.terminationStatus) }
  }
}

/// The tool has said what is wrong.
struct ToolFailure: Error, CustomStringConvertible {
  let status: Int32

  var description: String { "stubkit ended with status \(status)." }
}
