import Foundation
import StubKitCommandLine

exit(CommandLineTool.archives.run(Array(CommandLine.arguments.dropFirst()), .standard))
