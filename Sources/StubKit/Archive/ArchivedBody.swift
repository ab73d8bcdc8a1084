import Foundation

/// A body in memory, or in a file that nobody changes: a large body is never in memory as a whole.
struct ArchivedBody: Sendable, Equatable {
  private enum Place: Sendable {
    case memory(Data)
    case file(ArchivedFile)
    case missing(count: Int)
  }
  private var place: Place

  init(_ data: Data) { place = .memory(data) }

  init(_ file: ArchivedFile) { place = .file(file) }

  /// A body that is lost. Only its length is known.
  init(missing count: Int) { place = .missing(count: count) }

  var count: Int {
    switch place {
    case .memory(let data): data.count
    case .file(let file): file.length
    case .missing(let count): count
    }
  }

  /// The bytes. Those of a file are read now. A missing body has none.
  var data: Data {
    switch place {
    case .memory(let data): data
    case .file(let file): file.data
    case .missing: Data()
    }
  }

  /// The file that has the bytes; `nil` for a body in memory.
  var file: ArchivedFile? {
    if case .file(let file) = place { file } else { nil }
  }

  var isMissing: Bool {
    if case .missing = place { true } else { false }
  }

  /// Compares the bytes.
  static func == (left: ArchivedBody, right: ArchivedBody) -> Bool {
    left.count == right.count && left.isMissing == right.isMissing && left.data == right.data
  }
}

/// A file with the body of a recorded response.
final class ArchivedFile: Sendable {
  let url: URL
  /// In bytes.
  let length: Int
  let isTemporary: Bool
  private let folder: TemporaryFolder?
  /// The bytes as they were when the archive was read; they stay when the file is replaced or removed.
  private let mapping: Data?

  /// - Parameters:
  ///   - isTemporary: Whether the file is removed when nobody holds this any more.
  ///   - folder: The temporary folder that the file is in.
  init(_ url: URL, length: Int, isTemporary: Bool, in folder: TemporaryFolder? = nil) {
    self.url = url
    self.length = length
    self.isTemporary = isTemporary
    self.folder = folder
    mapping = nil
  }

  /// A file beside an archive; `nil` if it can't be read.
  init?(mapping url: URL) {
    // Whether it is regular is asked first: to read a FIFO may take for ever.
    guard (try? RegularFile(url)) != nil, let data = try? Data(contentsOf: url, options: .mappedIfSafe) else {
      return nil
    }
    self.url = url
    length = data.count
    isTemporary = false
    folder = nil
    mapping = data
  }

  /// A temporary file with these bytes; `nil` if none can be made.
  convenience init?(temporary data: Data) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString)")
    guard (try? data.write(to: url)) != nil else { return nil }
    self.init(url, length: data.count, isTemporary: true)
  }

  deinit { if isTemporary { unlink(url.path) } }

  /// The bytes, mapped where the system can. Empty if the file is gone.
  var data: Data { mapping ?? (try? Data(contentsOf: url, options: .mappedIfSafe)) ?? Data() }
}
