import Foundation
import StubKit
import StubKitArchive

/// Collects a body, in memory while it is small and otherwise in a temporary file. A large body is never completely in
/// memory.
struct BodySpool: ~Copyable {
  /// The largest body, in bytes, that stays in memory.
  static let limit = 256 * 1024

  private var bytes = Data()
  private var file: SpooledFile?
  private var failure: (any Error)?

  mutating func append(_ piece: Data) {
    guard failure == nil else { return }
    do {
      if file == nil, bytes.count + piece.count > Self.limit {
        file = try SpooledFile()
        try file?.append(bytes)
        bytes = Data()
      }
      if let file { try file.append(piece) } else { bytes.append(piece) }
    } catch {
      failure = error
    }
  }

  /// Discards everything and starts again.
  mutating func clear() {
    bytes = Data()
    file = nil
    failure = nil
  }

  /// Returns the collected body.
  ///
  /// - Throws: The error that prevented StubKit from keeping all of it.
  func body() throws -> ArchivedBody {
    if let failure { throw failure }
    return file.map { ArchivedBody($0.archived) } ?? ArchivedBody(bytes)
  }

  /// Returns a body for bytes that are in memory. A large body moves into a file.
  static func body(of data: Data) throws -> ArchivedBody {
    guard data.count > limit else { return ArchivedBody(data) }
    let file = try SpooledFile()
    try file.append(data)
    return ArchivedBody(file.archived)
  }

  /// Returns a body with a copy of a file, which can change afterwards.
  static func body(ofFile source: URL) throws -> ArchivedBody {
    let folder = try TemporaryFolder.shared()
    let place = folder.place()
    try FileManager.default.copyItem(at: source, to: place)
    let length = try FileManager.default.attributesOfItem(atPath: place.path)[.size] as? NSNumber
    let file = ArchivedFile(place, length: length?.intValue ?? 0, isTemporary: true, in: folder)
    return file.length > limit ? ArchivedBody(file) : ArchivedBody(try Data(contentsOf: place))
  }
}

/// A temporary file that is being written.
private final class SpooledFile {
  private let folder: TemporaryFolder
  private let url: URL
  private let handle: FileHandle
  private var length = 0
  private var isHandedOver = false

  init() throws {
    folder = try TemporaryFolder.shared()
    url = folder.place()
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw URLError.writing(.cannotCreateFile, url.path) }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  func append(_ bytes: Data) throws {
    try handle.write(contentsOf: bytes)
    length += bytes.count
  }

  /// The file in its current state. From now on, the returned object owns it.
  var archived: ArchivedFile {
    isHandedOver = true
    return ArchivedFile(url, length: length, isTemporary: true, in: folder)
  }

  deinit { if !isHandedOver { unlink(url.path) } }
}
