import Foundation

/// A body in memory, or in a file that nobody changes: a large body is never in memory as a whole.
struct ArchivedBody: Sendable, Equatable {
  private enum Place: Sendable {
    case memory(Data)
    case file(ArchivedFile)
  }
  private var place: Place

  init(_ data: Data) { place = .memory(data) }

  init(_ file: ArchivedFile) { place = .file(file) }

  var count: Int {
    switch place {
    case .memory(let data): data.count
    case .file(let file): file.length
    }
  }

  /// The bytes. Those of a file are read now.
  var data: Data {
    switch place {
    case .memory(let data): data
    case .file(let file): file.data
    }
  }

  /// The file that has the bytes; `nil` for a body in memory.
  var file: ArchivedFile? {
    if case .file(let file) = place { file } else { nil }
  }

  /// Compares the bytes.
  static func == (left: ArchivedBody, right: ArchivedBody) -> Bool {
    left.count == right.count && left.data == right.data
  }
}

/// A file with the body of a recorded response.
final class ArchivedFile: Sendable {
  let url: URL
  /// In bytes.
  let length: Int
  private let isTemporary: Bool

  /// - Parameter isTemporary: Whether the file is removed when nobody holds this any more.
  init(_ url: URL, length: Int, isTemporary: Bool) {
    self.url = url
    self.length = length
    self.isTemporary = isTemporary
  }

  deinit { if isTemporary { unlink(url.path) } }

  /// The bytes, mapped where the system can. Empty if the file is gone.
  var data: Data { (try? Data(contentsOf: url, options: .mappedIfSafe)) ?? Data() }
}
