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

  private struct State {
    var byteCount = 0
    var data = Data()
    var file: TemporaryFile?
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
        if state.file == nil { state.file = try TemporaryFile() }
        try state.file?.append(chunk)
      }
    }
  }

  /// What is kept in memory.
  var data: Data { state.withLock { $0.data } }

  /// The file that it is kept in, for whoever asks first; nil if there is none.
  func takeFile() -> TemporaryFile? {
    state.withLock { state in
      defer { state.file = nil }
      return state.file
    }
  }
}
