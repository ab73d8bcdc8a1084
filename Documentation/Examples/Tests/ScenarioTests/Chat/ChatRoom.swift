import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct ChatMessage: Codable, Equatable, Sendable {
  let from: String
  let text: String
}

enum ChatError: Error, Equatable {
  case refused(status: Int)
}

/// A room of a chat whose server tells what is said in it by server-sent events.
struct ChatRoom<Time: Clock>: Sendable where Time.Duration == Duration {
  let name: String
  let clock: Time

  private var address: URL { URL(string: "https://chat.example/rooms/\(name)")! }

  /// Receives what is said, until the room is closed. When the connection is lost it makes another, which begins after the last message
  /// that came.
  func listen(_ receive: @Sendable (ChatMessage) async -> Void) async throws {
    var parser = EventParser()
    while true {
      do {
        for try await part in EventConnection().open(request(after: parser.lastID)) {
          switch part {
          case .head(status: 200): parser.beginStream()
          // The server has nothing more to tell (WHATWG HTML, 9.2).
          case .head(status: 204): return
          case .head(let status): throw ChatError.refused(status: status)
          case .bytes(let bytes):
            for event in parser.events(in: bytes) where event.type == "message" {
              await receive(try JSONDecoder().decode(ChatMessage.self, from: Data(event.data.utf8)))
            }
          }
        }
      } catch is URLError {}
      try await clock.sleep(for: parser.retry)
    }
  }

  func post(_ message: ChatMessage) async throws {
    var request = URLRequest(url: address.appendingPathComponent("messages"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(message)
    let (_, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 202 else { throw ChatError.refused(status: status) }
  }

  private func request(after lastID: String) -> URLRequest {
    var request = URLRequest(url: address.appendingPathComponent("events"))
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    if !lastID.isEmpty { request.setValue(lastID, forHTTPHeaderField: "Last-Event-ID") }
    // The server sends something every 45 seconds.
    request.timeoutInterval = 60
    return request
  }
}

/// A connection whose bytes are there as soon as they come.
private final class EventConnection: NSObject, URLSessionDataDelegate {
  enum Part: Sendable {
    case head(status: Int)
    case bytes(Data)
  }

  private let (parts, sender) = AsyncThrowingStream.makeStream(of: Part.self)

  func open(_ request: URLRequest) -> AsyncThrowingStream<Part, any Error> {
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: request)
    sender.onTermination = { _ in task.cancel() }
    task.resume()
    session.finishTasksAndInvalidate()
    return parts
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    sender.yield(.head(status: (response as? HTTPURLResponse)?.statusCode ?? 0))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    sender.yield(.bytes(data))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    sender.finish(throwing: error)
  }
}
