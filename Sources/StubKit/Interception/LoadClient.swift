import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A load's way to URLSession: hides what each platform's `URLProtocolClient` gets wrong.
///
/// Used on the load's queue only.
final class LoadClient: DeliveryClient, @unchecked Sendable {
  // @unchecked holds because its mutable state is touched on the load's queue only.
  private let loader: URLProtocol
  private let task: URLSessionTask
  private let queue: any DeliveryQueue
  private var downloadedFile: URL?

  init(loader: URLProtocol, task: URLSessionTask, queue: any DeliveryQueue) {
    self.loader = loader
    self.queue = queue
    self.task = task
  }

  /// What has to be done before anything is told.
  func prepare() { Platform.prepare(task) }

  /// The system's own loader for the task, nil for a scheme that has none.
  func nativeLoader() -> URLProtocol? { Platform.nativeLoader(for: task, cachedResponse: loader.cachedResponse) }

  var isListening: Bool { task.state == .running }

  var takesPieces: Bool { Platform.takesPieces }

  func receive(_ response: URLResponse) {
    loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
  }

  func receive(_ piece: Data) {
    guard !isDownload else { return }
    loader.client?.urlProtocol(loader, didLoad: piece)
  }

  /// A download needs its file before the end.
  func prepareToFinish(with body: Data, completion: @escaping @Sendable ((any Error)?) -> Void) -> Bool {
    guard isDownload, Platform.wantsDownloadedFile else { return false }
    DispatchQueue.global().async { [queue] in
      let file = Result { try Self.writeTemporaryFile(body) }
      queue.perform {
        self.downloadedFile = try? file.get()
        if case .failure(let error) = file { completion(error) } else { completion(nil) }
      }
    }
    return true
  }

  func finish(_ body: Data) {
    Platform.finish(loader, body: body, downloadedFile: isDownload ? downloadedFile : nil)
    // From here on the file is its receiver's.
    downloadedFile = nil
  }

  func fail(_ error: any Error) { Platform.fail(loader, error) }

  private var isDownload: Bool { task is URLSessionDownloadTask }

  private static func writeTemporaryFile(_ body: Data) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString).tmp")
    try body.write(to: file)
    return file
  }

  deinit {
    if let downloadedFile { try? FileManager.default.removeItem(at: downloadedFile) }
  }
}
