import Foundation

/// A measurement that needs a process of its own, because a process has only one peak of memory.
///
/// The parent starts the same program with `--probe` and the probe's text, and reads the output.
enum Probe {
  case body(BodyProbe)
  case stubs(count: Int)
  case archive(megabytes: Int)
  case recording(RecordingProbe)
  case firstStub(FirstStubSuite.Contender)

  init?(_ text: String) {
    let words = text.split(separator: ":").map(String.init)
    switch words.first {
    case "body":
      guard let probe = BodyProbe(words.dropFirst()) else { return nil }
      self = .body(probe)
    case "stubs":
      guard let count = words.last.flatMap({ Int($0) }) else { return nil }
      self = .stubs(count: count)
    case "archive":
      guard let megabytes = words.last.flatMap({ Int($0) }) else { return nil }
      self = .archive(megabytes: megabytes)
    case "recording":
      guard words.count == 3, let megabytes = Int(words[2]) else { return nil }
      self = .recording(RecordingProbe(isRecorded: words[1] == "true", megabytes: megabytes))
    case "first-stub":
      guard let contender = words.last.flatMap(FirstStubSuite.Contender.init) else { return nil }
      self = .firstStub(contender)
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .body(let probe): "body:\(probe.text)"
    case .stubs(let count): "stubs:\(count)"
    case .archive(let megabytes): "archive:\(megabytes)"
    case .firstStub(let contender): "first-stub:\(contender.rawValue)"
    case .recording(let probe): "recording:\(probe.isRecorded):\(probe.megabytes)"
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Measures and prints the results, in the child.
  func perform() async throws {
    let findings =
      switch self {
      case .body(let probe): try await probe.measure()
      case .stubs(let count): try StubsProbe(count: count).measure()
      case .archive(let megabytes): try ArchiveProbe(megabytes: megabytes).measure()
      case .recording(let probe): try await probe.measure()
      case .firstStub(let contender): try await contender.measure()
      }
    let text = try JSONEncoder().encode(findings)
    Terminal.print(String(decoding: text, as: UTF8.self))
  }

  /// Returns the results of the child, in the parent.
  func findings() throws -> [String: Double] {
    #if !os(macOS) && !os(Linux)
      throw Failure(description: "Only macOS and Linux let the benchmarks start a process.")
    #else
      let process = Process()
      let output = Pipe()
      process.executableURL = Bundle.main.executableURL
      process.arguments = ["--probe", text]
      process.standardOutput = output
      try process.run()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(description: "The probe \(self.text) ended with status \(process.terminationStatus).")
      }
      return try JSONDecoder().decode([String: Double].self, from: text)
    #endif
  }
}
