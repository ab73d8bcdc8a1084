import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A download of a podcast's episode that goes on where it was interrupted, as an app writes it for itself.
struct EpisodeDownload: Sendable {
  enum Failure: Error, Equatable { case refused(status: Int) }

  private(set) var received = Data()
  /// Of the version that the received bytes are from.
  private var entityTag: String?
  private(set) var isComplete = false

  /// Asks for what is missing, and keeps what comes of it, also if it breaks off.
  mutating func resume(_ address: URL) async throws {
    var request = URLRequest(url: address)
    if !received.isEmpty, let entityTag {
      request.setValue("bytes=\(received.count)-", forHTTPHeaderField: "Range")
      request.setValue(entityTag, forHTTPHeaderField: "If-Range")
    }
    let (head, bytes, error) = await Transfer().run(request)
    if let head { try take(bytes, after: head) }
    if let error { throw error }
    isComplete = true
  }

  private mutating func take(_ bytes: Data, after head: HTTPURLResponse) throws {
    switch head.statusCode {
    case 200:
      received = bytes
      entityTag = head.value(forHTTPHeaderField: "ETag")
    case 206: received += bytes
    // There is nothing behind what we have.
    case 416: break
    default: throw Failure.refused(status: head.statusCode)
    }
  }
}

/// One attempt, whose bytes stay when it fails.
private final class Transfer: NSObject, URLSessionDataDelegate, Sendable {
  private let bytes = Locked(Data())
  private let (ends, end) = AsyncStream.makeStream(of: (any Error)?.self)

  func run(_ request: URLRequest) async -> (HTTPURLResponse?, Data, (any Error)?) {
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    task.resume()
    var failure: (any Error)?
    for await error in ends {
      failure = error
      break
    }
    return (task.response as? HTTPURLResponse, bytes.withLock { $0 }, failure)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    bytes.withLock { $0 += data }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end.yield(error)
  }
}
