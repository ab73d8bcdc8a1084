import Foundation

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
