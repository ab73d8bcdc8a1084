import Foundation

/// What came of a stream so far, for those who get a body whole in the end.
final class BodyCollection: Sendable {
  /// How much of it is kept, and where.
  enum Kind: Sendable {
    /// Everyone gets the chunks as they come.
    case nothing
    case memory
    /// For a download.
    case file
  }

  private let kind: Kind
  private let state = Protected(State())

  private struct State: ~Copyable {
    var byteCount = 0
    var data = Data()
    var file: OpenFile?
  }

  init(_ kind: Kind) { self.kind = kind }

  /// How many bytes came, kept or not.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// Called for one chunk after the other.
  func append(_ chunk: Data) throws {
    try state.withLock { state in
      state.byteCount += chunk.count
      switch kind {
      case .nothing: break
      case .memory: state.data.append(chunk)
      case .file:
        if state.file == nil { state.file = try OpenFile() }
        try state.file?.handle.write(contentsOf: chunk)
      }
    }
  }

  /// What is kept in memory.
  var data: Data { state.withLock { $0.data } }

  /// Makes a file of what is kept: whoever asks first gets it.
  func move(to url: URL) throws {
    let file = state.withLock { state in
      defer { state.file = nil }
      return state.file
    }
    guard let file else { return try data.write(to: url) }
    try file.move(to: url)
  }

  /// A file that is being written, removed unless it is moved away.
  private final class OpenFile: Sendable {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString).part")
    let handle: FileHandle

    init() throws {
      try Data().write(to: url)
      handle = try FileHandle(forWritingTo: url)
    }

    func move(to target: URL) throws {
      try handle.close()
      try FileManager.default.moveItem(at: url, to: target)
    }

    deinit {
      try? handle.close()
      try? FileManager.default.removeItem(at: url)
    }
  }
}
