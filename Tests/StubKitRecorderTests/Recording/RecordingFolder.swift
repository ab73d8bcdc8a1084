import Foundation
import TestSupport

@testable import StubKitRecorder

/// A folder for recordings, in a process with an environment of its own, whose messages are kept.
struct RecordingFolder {
  private let folder: TestFolder
  private let lines = Locked<[String]>([])

  init() throws { folder = try TestFolder() }

  var url: URL { folder.url }
  var names: [String] { folder.names }
  /// What was said on standard error, and of which there was a warning.
  var said: [String] { lines.withLock { $0 } }

  func file(_ name: String = "users") -> URL { url.appendingPathComponent(name + ".har") }

  func recording(_ name: String = "users", _ mode: RecordingMode? = nil) -> Recording {
    Recording(name, in: url, mode: mode)
  }

  func write(_ entries: HTTPArchive.Entry..., name: String = "users") throws {
    try HTTPArchive(entries: entries).write(to: file(name))
  }

  /// The texts of the responses in a file. An entry that failed has none.
  func texts(_ name: String = "users") throws -> [String] { try texts(in: file(name)) }

  func texts(in file: URL) throws -> [String] {
    try HTTPArchive(contentsOf: file).entries.compactMap(\.response).map(\.body.text)
  }

  /// A process with that environment.
  func surroundings(_ environment: [String: String] = [:]) -> RecordingSurroundings {
    var surroundings = RecordingSurroundings(environment: environment) { line in lines.withLock { $0.append(line) } }
    surroundings.warn = { line, _ in
      lines.withLock { $0.append("warning: " + line) }
      return true
    }
    return surroundings
  }

  /// Runs code in a process with an empty environment.
  func with<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await RecordingSurroundings.$current.withValue(surroundings(), operation: body)
  }

  /// The error of a recording that can't be used.
  func error(of recording: Recording, _ body: () async throws -> Void = {}) async -> RecordingError? {
    do {
      try await with { try await withRecording(recording, body) }
      return nil
    } catch {
      return error as? RecordingError
    }
  }
}

/// As if the network had answered a request.
func answerFromNetwork(_ entry: HTTPArchive.Entry) {
  guard let recorder = StubRegistry.current.tap as? ArchiveRecorder else { return }
  recorder.end(recorder.begin(), entry)
}

func answerFromNetwork(_ url: String, _ text: String) { answerFromNetwork(entry(url, text)) }

/// The request is for `http://a.example/TEXT`, and its answer is the text.
func answerFromNetwork(_ text: String) { answerFromNetwork("http://a.example/\(text)", text) }
