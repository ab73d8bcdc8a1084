import Foundation

/// The file of a download. It has a temporary name while it is written, and another one when its receiver gets it.
/// Until then, it is removed when nobody holds it any more.
///
/// If the process ends before, the next process that uses StubKit removes the file (`removeLeftovers(in:)`). The file
/// is locked as long as somebody here can still want it. A lock ends with its process, whereas a process ID is soon
/// reused, and means nothing to a container that shares the directory.
final class TemporaryFile: Sendable {
  static let prefix = "StubKit-"
  static let unfinished = ".unfinished"

  private let url: URL
  private let descriptor: CInt
  private let isHandedOver = Protected(false)

  init(in directory: URL = FileManager.default.temporaryDirectory) throws {
    while true {
      // Each attempt has its own name. Otherwise, a holder of an earlier attempt's file would remove this file by its
      // name.
      let url = directory.appendingPathComponent(Self.prefix + UUID().uuidString + Self.unfinished)
      let path = url.path
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { throw URLError.writing(.cannotCreateFile, path) }
      // On a file system without locks, nobody takes it for a leftover.
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

  /// Hands the file over to its receiver.
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
    // The descriptor is closed elsewhere, because closing the last one of a file without a name waits until all blocks
    // of the file are free.
    WorkerPool.background.run { [descriptor] in _ = close(descriptor) }
  }
}

extension URLError {
  /// Returns the error for a path that the last system call could not write to.
  package static func writing(_ code: URLError.Code, _ path: String) -> URLError {
    let sentence =
      "StubKit can't write the downloaded file \(path) (\(String(cString: strerror(errno)))). "
      + "Free disk space there, or set TMPDIR to a directory that the tests may write to."
    return URLError(code, userInfo: [NSLocalizedDescriptionKey: sentence, NSFilePathErrorKey: path])
  }
}
