import Foundation
import StubKit

/// A delegate that writes down everything it is told of a transfer, and the bytes that came.
package final class TransferEvents: DelegateEvents, @unchecked Sendable {
  // @unchecked holds because the stream is only handed on.
  private let stream: InputStream?
  private let received = Locked(Data())
  private let askedOn = Locked<[OperationQueue?]>([])

  /// - Parameter stream: The body of an upload that asks for one.
  package init(stream: InputStream? = nil, credential: URLCredential? = nil) {
    self.stream = stream
    super.init(credential: credential)
  }

  package var bytes: Data { received.withLock { $0 } }

  /// The queues on which a body's stream was asked for.
  package var streamQueues: [OperationQueue?] { askedOn.withLock { $0 } }

  override func text(of event: DelegateEvent) -> String? {
    switch event {
    case .data(let data):
      received.withLock { $0 += data }
      return "data \(data.count)"
    case .sent(let count, let total, let expected): return "sent \(count) \(total) \(expected)"
    case .wrote(let count, let total, let expected): return "wrote \(count) \(total) \(expected)"
    case .file(let location):
      let data = try? Data(contentsOf: location)
      received.withLock { $0 += data ?? Data() }
      return "file \(data.map { "\($0.count)" } ?? "none")"
    case .end(let error?): return "error \((error as NSError).code)"
    default: return super.text(of: event)
    }
  }

  override func bodyStream() -> InputStream? {
    let queue = OperationQueue.current
    askedOn.withLock { $0.append(queue) }
    return stream
  }
}
