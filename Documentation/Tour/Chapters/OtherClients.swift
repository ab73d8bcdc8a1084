import Foundation
import StubKitServer

extension Chapter {
  static let otherClients = Chapter(
    "The same stubs, for a client that isn't URLSession",
    code: #"""
      let server = try await StubServer(for: "https://api.example.com")
      stub(condition: isHost("api.example.com") && isPath("/me"),
           response: .json(["name": "Ann"]), name: "me")
      let answer = try await Shell.run("curl --silent \(server.url)/me")
      """#
  ) { page in
    let server = try await StubServer(for: "https://api.example.com")
    stub(
      condition: isHost("api.example.com") && isPath("/me"),
      response: .json(["name": "Ann"]), name: "me")
    let answer = try await Shell.run("curl --silent \(server.url)/me")

    await server.stop()
    page.show("curl received \(answer)")
    page.expect(answer == #"{"name":"Ann"}"# || answer == Shell.notInstalled, "the stub's answer")
  }
}

/// Runs a program with arguments that contain no spaces.
private enum Shell {
  static let notInstalled = "nothing, because it isn't installed"

  static func run(_ line: String) async throws -> String {
    #if !os(macOS) && !os(Linux)
      return notInstalled
    #else
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = line.split(separator: " ").map(String.init) + ["--noproxy", "*"]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      return try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          do {
            try process.run()
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            continuation.resume(
              returning: process.terminationStatus == 127 ? notInstalled : String(decoding: bytes, as: UTF8.self))
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    #endif
  }
}
