#if !canImport(Darwin)
  import Foundation

  /// The file of a download. It is removed with this object, unless it is the receiver's to keep.
  final class TemporaryFile: Sendable {
    private let url: URL
    private let handle: FileHandle
    /// The path to remove, or `nil` for none.
    private let path: Protected<String?>

    init(in directory: URL = FileManager.default.temporaryDirectory) throws {
      url = directory.appendingPathComponent("StubKit-\(UUID().uuidString).tmp")
      // `FileManager` and `FileHandle` don't tell the reason of the system.
      let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw URLError.writing(.cannotCreateFile, url.path) }
      handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      path = Protected(url.path)
    }

    func append(_ bytes: Data) throws {
      do { try handle.write(contentsOf: bytes) } catch { throw URLError.writing(.cannotWriteToFile, url.path) }
    }

    /// Returns the file for its receiver.
    ///
    /// - Parameter isKept: Whether the receiver removes the file.
    func handOver(isKept: Bool) -> URL {
      if isKept { path.current = nil }
      return url
    }

    /// Removes the file, unless its receiver has moved it.
    func remove() { if let path = path.withLock({ $0.take() }) { unlink(path) } }

    deinit {
      remove()
      // The file is closed elsewhere, because that waits until all blocks of a file without a name are free.
      WorkerPool.background.run { [handle] in try? handle.close() }
    }
  }

  extension URLError {
    /// Returns the error for a path that the last system call could not write to.
    static func writing(_ code: URLError.Code, _ path: String) -> URLError {
      let sentence =
        "StubKit can't write the downloaded file \(path) (\(errno.systemError)). "
        + "Free disk space there, or set TMPDIR to a directory that the tests may write to."
      return URLError(code, userInfo: [NSLocalizedDescriptionKey: sentence, NSFilePathErrorKey: path])
    }
  }
#endif
