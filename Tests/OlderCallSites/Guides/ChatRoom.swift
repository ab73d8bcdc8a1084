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

  /// Receives what is said, until the room is closed. When the connection is lost it makes another, which begins after
  /// the last message that came.
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

/// Reads an event stream (WHATWG HTML, 9.2.6), however its bytes are cut.
struct EventParser {
  struct Event: Equatable {
    let type: String
    let data: String
  }

  private(set) var lastID = ""
  private(set) var retry = Duration.seconds(3)
  private var line: [UInt8] = []
  private var endedWithReturn = false
  private var type = ""
  private var data: [String] = []
  private var id: String?

  /// Forgets the event that the last stream did not end.
  mutating func beginStream() {
    (line, endedWithReturn, type, data, id) = ([], false, "", [], nil)
  }

  mutating func events(in bytes: Data) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n") where endedWithReturn: break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let event = takeLine() { events.append(event) }
      default: line.append(byte)
      }
      endedWithReturn = byte == UInt8(ascii: "\r")
    }
    return events
  }

  /// - Returns: The event that the line ends.
  private mutating func takeLine() -> Event? {
    let text = String(decoding: line, as: UTF8.self)
    line.removeAll()
    guard !text.isEmpty else { return dispatch() }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? parts[1] : ""
    let value = String(rest.hasPrefix(" ") ? rest.dropFirst() : rest)
    switch parts[0] {
    case "event": type = value
    case "data": data.append(value)
    case "id": id = value
    case "retry": retry = Int(value).map { .milliseconds($0) } ?? retry
    // A comment, which keeps the connection alive, or a field that is not known here.
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> Event? {
    defer { (type, data, id) = ("", [], nil) }
    lastID = id ?? lastID
    guard !data.isEmpty else { return nil }
    return Event(type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"))
  }
}
