import Foundation

/// The part of a stream that has arrived, for clients that receive a body as a whole.
final class BodyCollection: Sendable {
  /// The kind of place where the stream is kept.
  enum Kind: Sendable {
    /// Nothing, because everyone receives the chunks as they arrive.
    case nothing
    case memory
    /// A file, for a download.
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

  /// The number of bytes that have arrived, kept or not.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// Adds a chunk. Call this for one chunk after the other.
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

  /// The part that is kept in memory.
  var data: Data { state.withLock { $0.data } }

  /// Returns the file that contains the stream to the first caller, or `nil` if there is none.
  func takeFile() -> TemporaryFile? {
    state.withLock { state in
      defer { state.file = nil }
      return state.file
    }
  }
}
