import Foundation

extension StubResponse {
  /// An event of an event stream (WHATWG HTML, section 9.2, "Server-sent events").
  ///
  /// ```swift
  /// let events: [StubResponse.Event] = [
  ///   "ready", .init("{\"price\":42}", event: "quote", id: "7"),
  /// ]
  /// stub(
  ///   .get, "https://api.example.com/quotes",
  ///   response: .events(events, every: .milliseconds(100)))
  /// ```
  public struct Event: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The data of the event. A line ends with a line feed, a carriage return, or both. A client sees line feeds.
    public var data: String
    /// The type of the event, or `nil` for `message`.
    public var event: String?
    /// The value that the client sends as `Last-Event-ID` when it connects again. `nil` keeps the previous value, and
    /// `""` resets it.
    public var id: String?
    /// The time after which the client connects again. `nil` keeps the previous value.
    public var retry: Duration?

    /// Creates an event from a text.
    ///
    /// - Parameters:
    ///   - data: The text, with any number of lines.
    ///   - event: The type of the event, on one line.
    ///   - id: The id of the event, on one line and without a NUL.
    ///   - retry: The time after which to connect again, which is sent in whole milliseconds.
    public init(_ data: String, event: String? = nil, id: String? = nil, retry: Duration? = nil) {
      self.data = data
      self.event = event
      self.id = id
      self.retry = retry
    }

    /// Creates an event that contains only a text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The event as it is sent, including the empty line at its end. Use it with
    /// ``StubResponse/stream(_:status:headers:)`` to decide in the test when an event arrives.
    ///
    /// ```swift
    /// sender.yield(StubResponse.Event("42", event: "answer").encoded)
    /// ```
    public var encoded: Data {
      var text = ""
      func add(_ field: String, _ value: some StringProtocol) {
        // A parser removes one space, also if the value begins with a space of its own.
        text += value.isEmpty ? "\(field):\n" : "\(field): \(value)\n"
      }
      if let event { add("event", event) }
      if let id { add("id", id) }
      if let retry { add("retry", String(Int64((retry.nonNegative / .milliseconds(1)).rounded()))) }
      for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) { add("data", line) }
      return Data((text + "\n").utf8)
    }

    /// Why the event can't be sent, or `nil` if it can.
    var problem: StubResponseError.Reason? {
      if let event, event.contains(where: \.endsLine) { return .invalidEventField("event", event) }
      if let id, id.contains(where: { $0.endsLine || $0 == "\0" }) { return .invalidEventField("id", id) }
      return retry?.problem
    }
  }
}

extension Character {
  fileprivate var endsLine: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
