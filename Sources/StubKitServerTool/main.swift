import Foundation
import StubKitCommandLine

exit(CommandLineTool.servers.run(Array(CommandLine.arguments.dropFirst()), .standard))
