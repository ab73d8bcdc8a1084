import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The file of a download: it is written under a name of its own, and gets another when its receiver gets it. Until then
/// it is gone when nobody holds it any more.
///
/// Where the process ends before, the next one that uses StubKit removes it (`removeLeftovers(in:)`). It is locked for as long
/// as somebody here may still want it: a lock ends with its process, while a process ID soon belongs to another one, and
/// means nothing to a container that shares the directory.
final class TemporaryFile: Sendable {
  static let prefix = "StubKit-"
  static let unfinished = ".unfinished"

  private let url: URL
  private let descriptor: CInt
  private let isHandedOver = Protected(false)

  init(in directory: URL = FileManager.default.temporaryDirectory) throws {
    while true {
      // A name for each attempt: who still holds the file of an earlier one would remove this one by its name.
      let url = directory.appendingPathComponent(Self.prefix + UUID().uuidString + Self.unfinished)
      let path = url.path
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw URLError.writing(.cannotCreateFile, path) }
      // On a file system without locks nobody takes it for a leftover.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 {
        self.url = url
        self.descriptor = descriptor
        return
      }
      // Another process took it for a leftover before it was locked.
      close(descriptor)
    }
  }

  func append(_ bytes: Data) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) {
          write(descriptor, $0.baseAddress, $0.count)
        }
        guard count >= 0 || errno == EINTR else { throw URLError.writing(.cannotWriteToFile, url.path) }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }

  /// From here on the file is its receiver's.
  func handOver() -> URL {
    let target = url.deletingPathExtension().appendingPathExtension("tmp")
    isHandedOver.withLock { $0 = true }
    return rename(url.path, target.path) == 0 ? target : url
  }

  deinit {
    guard !isHandedOver.withLock({ $0 }) else {
      close(descriptor)
      return
    }
    unlink(url.path)
    // Elsewhere: the last to close a file that has no name waits until all of its blocks are free.
    WorkerPool.errands.run { [descriptor] in _ = close(descriptor) }
  }
}

extension URLError {
  /// The last call to the system could not write there.
  fileprivate static func writing(_ code: URLError.Code, _ path: String) -> URLError {
    let sentence =
      "The file of a download can't be written: \(path) (\(String(cString: strerror(errno)))). "
      + "Make room there, or set TMPDIR to a directory that the tests may write to."
    return URLError(code, userInfo: [NSLocalizedDescriptionKey: sentence, NSFilePathErrorKey: path])
  }
}
