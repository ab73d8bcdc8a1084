import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A load's way to URLSession: hides what each platform's `URLProtocolClient` gets wrong.
///
/// Used on the load's queue only.
final class LoadClient: DeliveryClient, @unchecked Sendable {
  // @unchecked holds because its mutable state is touched on the load's queue only.
  let loader: URLProtocol
  let task: URLSessionTask
  private let queue: any DeliveryQueue
  private var downloadedFile: TemporaryFile?
  private var pieceCount = 0
  /// Called for everything that is told.
  var onNews: (() -> Void)?

  init(loader: URLProtocol, task: URLSessionTask, queue: any DeliveryQueue) {
    self.loader = loader
    self.queue = queue
    self.task = task
  }

  /// What has to be done before anything is told.
  func prepare() { Platform.prepare(task) }

  /// The task in the hands of the system's own loader, nil for a scheme that has none.
  func nativeLoad(of hop: Hop, cached: CachedURLResponse?) -> NativeLoad? {
    guard hop.isFirst else { return NativeLoad(task, redirectedTo: hop.request) }
    return Platform.nativeLoader(for: task, cachedResponse: cached ?? loader.cachedResponse).map { NativeLoad($0) }
  }

  /// Looks into the session's cache if that is still to be done before the system's loader is made.
  ///
  /// Returns false when there is nothing to look into: then `completion` is not called. It runs on the queue.
  func lookIntoCache(_ completion: @escaping @Sendable (CachedURLResponse?) -> Void) -> Bool {
    guard let cache = Platform.cacheToLookInto(for: task), let request = task.currentRequest else { return false }
    DispatchQueue.global().async { [queue] in
      let cached = cache.cachedResponse(for: request)
      queue.perform { completion(cached) }
    }
    return true
  }

  var isListening: Bool { task.state == .running }

  var takesPieces: Bool { Platform.takesPieces }

  func receive(_ response: URLResponse) {
    onNews?()
    loader.client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
  }

  func receive(_ piece: Data) {
    onNews?()
    guard !isDownload else { return }
    pieceCount += 1
    loader.client?.urlProtocol(loader, didLoad: piece)
  }

  /// A download needs its file before the end.
  func prepareToFinish(with body: Data, completion: @escaping @Sendable ((any Error)?) -> Void) -> Bool {
    guard isDownload, Platform.wantsDownloadedFile else { return false }
    DispatchQueue.global().async { [queue] in
      let file = Result { try TemporaryFile(body) }
      queue.perform {
        self.downloadedFile = try? file.get()
        if case .failure(let error) = file { completion(error) } else { completion(nil) }
      }
    }
    return true
  }

  func finish(_ body: Data) {
    // What was told in one piece is known whole already.
    Platform.finish(loader, body: pieceCount > 1 ? body : nil, downloadedFile: downloadedFile?.handOver())
    downloadedFile = nil
  }

  func fail(_ error: any Error) { Platform.fail(loader, error) }

  /// Another response comes in place of what was told.
  func startOver() {
    if pieceCount > 0 { pieceCount = 2 }
  }

  private var isDownload: Bool { task is URLSessionDownloadTask }
}

/// The file of a download, removed again unless its receiver gets it.
private final class TemporaryFile: Sendable {
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString).tmp")
  private let isHandedOver = Protected(false)

  init(_ body: Data) throws { try body.write(to: url) }

  /// From here on the file is its receiver's.
  func handOver() -> URL {
    isHandedOver.withLock { $0 = true }
    return url
  }

  deinit {
    if !isHandedOver.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
  }
}
