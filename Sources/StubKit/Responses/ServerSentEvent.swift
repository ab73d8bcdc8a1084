import Foundation

/// One event of an event stream (WHATWG HTML, 9.2, "Server-sent events").
///
/// ```swift
/// let events: [ServerSentEvent] = ["ready", ServerSentEvent("{\"price\":42}", event: "quote", id: "7")]
/// stub(condition: isPath("/quotes"), response: .events(events, every: .milliseconds(100)))
/// ```
public struct ServerSentEvent: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// What the event carries. A line feed, a carriage return, or both, ends a line; a client sees line feeds.
  public var data: String
  /// The event's type, nil for `message`.
  public var event: String?
  /// What the client sends as `Last-Event-ID` when it connects again; nil leaves that as it was, `""` resets it.
  public var id: String?
  /// After how long the client is to connect again; nil leaves that as it was.
  public var retry: Duration?

  /// An event that carries the text.
  ///
  /// - Parameters:
  ///   - data: The text, of any number of lines.
  ///   - event: The event's type, of one line.
  ///   - id: The event's id, of one line and without a NUL.
  ///   - retry: When to connect again, sent in whole milliseconds; not below zero.
  public init(_ data: String, event: String? = nil, id: String? = nil, retry: Duration? = nil) {
    self.data = data
    self.event = event
    self.id = id
    self.retry = retry
  }

  /// An event that carries the text, and nothing else.
  public init(stringLiteral value: String) { self.init(value) }

  /// The event as it is sent, the empty line at its end included: for a ``StubResponse/stream(_:status:headers:)`` that sends
  /// events when the test wants them.
  ///
  /// ```swift
  /// sender.yield(ServerSentEvent("42", event: "answer").encoded)
  /// ```
  public var encoded: Data {
    var text = ""
    func add(_ field: String, _ value: some StringProtocol) {
      // The one space that a parser takes away, also where the value begins with one of its own.
      text += value.isEmpty ? "\(field):\n" : "\(field): \(value)\n"
    }
    if let event { add("event", event) }
    if let id { add("id", id) }
    if let retry { add("retry", String(retry.wholeMilliseconds)) }
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) { add("data", line) }
    return Data((text + "\n").utf8)
  }

  /// Why it can't be sent, if it can't.
  var problem: StubResponseError.Reason? {
    if let event, event.contains(where: \.endsLine) { return .invalidEventField("event", event) }
    if let id, id.contains(where: { $0.endsLine || $0 == "\0" }) { return .invalidEventField("id", id) }
    if let retry, retry < .zero { return .negativeDuration(retry) }
    return nil
  }
}

extension Character {
  fileprivate var endsLine: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}

extension Duration {
  /// Rounded to the nearest, and clamped.
  fileprivate var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = Time(self).duration.components
    let (milliseconds, isOver) = seconds.multipliedReportingOverflow(by: 1_000)
    let rounded = (attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000
    let (sum, isOverToo) = milliseconds.addingReportingOverflow(rounded)
    guard isOver || isOverToo else { return sum }
    return seconds < 0 ? .min : .max
  }
}
