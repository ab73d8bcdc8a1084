import Foundation

/// A measurement that needs a process of its own, because a process has only one peak of memory.
///
/// The parent starts the same program with `--probe`, a name and a number, and reads the output.
struct Probe {
  let name: String
  let number: Int

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Measures and prints the result, in the child.
  func perform() async throws {
    let finding =
      switch name {
      case "body-memory-memory": try await Run.bodyMemory(megabytes: number)
      case "body-file-file": try await Run.bodyMemory(inFile: true, megabytes: number)
      case "first-stub": Run.millisecondsOfFirstStub()
      case "first-task": try await Run.millisecondsOfFirstTask()
      default: throw Failure(description: "There is no probe \"\(name)\".")
      }
    print("\(finding)")
  }

  /// Returns the results of as many children, in the parent.
  func findings(_ count: Int) throws -> [Double] {
    #if !os(macOS) && !os(Linux)
      throw Failure(description: "Only macOS and Linux let the benchmarks start a process.")
    #else
      try (0..<count).map { _ in
        let (process, output) = (Process(), Pipe())
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["--probe", name, "\(number)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0, let finding = Double(text.trimmingCharacters(in: .newlines)) else {
          throw Failure(description: "The probe \(name) ended with status \(process.terminationStatus).")
        }
        return finding
      }
    #endif
  }
}
