import Foundation
import FoundationNetworking

extension URLSessionTask {
  /// Tells the handler, or else the delegate, what became of the task.
  func tellItsEnd(
    _ body: Data, _ error: (any Error)?, to delegate: (any URLSessionTaskDelegate)?, of session: URLSession
  ) {
    switch handler {
    case .data(let handler): handler(error == nil ? body : nil, error == nil ? response : nil, error)
    case .file(let handler):
      guard error == nil else { return handler(nil, nil, error) }
      withFile(body) { handler($0, response, nil) }
    case .none:
      if error == nil, let download = self as? URLSessionDownloadTask,
        let delegate = delegate as? any URLSessionDownloadDelegate
      {
        withFile(body) { delegate.urlSession(session, downloadTask: download, didFinishDownloadingTo: $0) }
      }
      delegate?.urlSession(session, task: self, didCompleteWithError: error)
    }
  }

  /// The file is the receiver's only until it returns.
  private func withFile(_ body: Data, _ receive: (URL) -> Void) {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "CFNetworkDownload_\(UUID().uuidString).tmp")
    if Fact.downloadsAreFiles.holds { try? body.write(to: file) }
    receive(file)
    try? FileManager.default.removeItem(at: file)
  }
}
