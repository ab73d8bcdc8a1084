import Foundation

/// Programs that are installed on this machine.
package enum ChildProcess {
  /// Runs a program on a thread of its own, and returns what it prints, or `nil` if it isn't installed.
  ///
  /// - Parameter environment: Variables beside those of this process.
  package static func run(
    _ name: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> String? {
    // Other platforms have no processes to start.
    #if !os(macOS) && !os(Linux)
      return nil
    #else
      let paths = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
      guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else { return nil }
      return try await onOwnThread {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return printed
      }
    #endif
  }
}
