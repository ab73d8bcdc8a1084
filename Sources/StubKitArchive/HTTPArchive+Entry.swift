import Foundation
import StubKit

extension HTTPArchive {
  /// A request and its response. A redirect has an entry of its own, and so does the request that follows it.
  ///
  /// ```swift
  /// let users = URL(string: "https://api.example.com/users")!
  /// let entry = HTTPArchive.Entry(
  ///   request: URLRequest(url: users),
  ///   response: .init(
  ///     status: 200, headers: ["Content-Type": "application/json"],
  ///     body: Data("[]".utf8)))
  /// ```
  public struct Entry: Sendable, Equatable {
    /// The request, with its body in `httpBody`.
    public var request: URLRequest
    /// The response, or `nil` if none arrived, or if the archive doesn't contain it.
    public var response: Response?
    /// The error that the request failed with, or with which the body of ``response`` broke off. `nil` if nothing
    /// failed.
    public var error: URLError?
    /// The wall-clock time when the request began.
    public var startedAt: Date { didSet { unreadableStart = nil } }
    /// The time from the request to the end of its response, or to its error.
    public var duration: Duration
    /// The time from the request to the head of its response, or `nil` if it isn't known.
    public var timeToResponse: Duration?

    /// The start as the file has it, if it isn't a date, or the empty text if it is missing. ``startedAt`` is then that
    /// of a neighbour, or the time of reading.
    package internal(set) var unreadableStart: String?
    /// The times of the pieces of a body that arrived piece by piece. Empty if they aren't known.
    package var pieces: [Piece] = []
    /// Why the entry can't be replayed, as the end of a sentence that begins with the entry, or `nil` if it can.
    package var obstacle: String? {
      if let statedObstacle { return statedObstacle }
      guard let response else { return error == nil ? "has neither a response nor an error. Record it again" : nil }
      return response.content.isMissing
        ? "has a body of \(response.content.count) bytes, but the bytes were not saved" : nil
    }
    /// The obstacle, unless it follows from what the entry lacks.
    package var statedObstacle: String?
    /// Whether a browser's cache had the content of a 304, which the browser has saved with it.
    package var hasCachedContent: Bool { response.map { $0.status == 304 && $0.content.count > 0 } ?? false }
    /// The URL of the request that the response has led to, if its `Location` says another one.
    package var redirectedTo: URL?
    /// The length of a request's body, if nothing else of it is known.
    package var missingBodyLength: Int?
    /// The placeholders in the entry, or `nil` if nobody has written down what was replaced.
    package var redacted: Set<String>?
    /// The name of the stub that answered, or `nil` if the entry comes from the network.
    package var stubName: String?

    /// The end of a piece of a body, and the time when it arrived.
    package struct Piece: Sendable, Hashable {
      /// The number of bytes of the body up to and including this piece.
      package var end: Int
      /// The time from the request to the piece.
      package var time: Duration

      package init(end: Int, time: Duration) { (self.end, self.time) = (end, time) }
    }

    /// Creates an entry. Everything except the request has a default.
    ///
    /// - Parameters:
    ///   - request: The request, with its body in `httpBody`.
    ///   - response: The response. Defaults to `nil`, for a request that has failed.
    ///   - error: The error of a request that has failed. Defaults to `nil`.
    ///   - startedAt: The time of the request. Defaults to now.
    ///   - duration: The time from the request to the end of the response. Defaults to zero.
    ///   - timeToResponse: The time from the request to the head of the response. Defaults to `nil`, which is unknown.
    public init(
      request: URLRequest, response: Response? = nil, error: URLError? = nil, startedAt: Date = Date(),
      duration: Duration = .zero, timeToResponse: Duration? = nil
    ) {
      self.request = request
      self.response = response
      self.error = error
      self.startedAt = startedAt
      self.duration = duration
      self.timeToResponse = timeToResponse
    }

    /// Returns whether two entries are equal. Requests compare by method, URL, headers and body, and errors by code.
    public static func == (left: Entry, right: Entry) -> Bool {
      (left.request.httpMethod ?? "GET") == (right.request.httpMethod ?? "GET")
        && left.request.url?.absoluteString == right.request.url?.absoluteString
        && (left.request.allHTTPHeaderFields ?? [:]) == (right.request.allHTTPHeaderFields ?? [:])
        && left.request.httpBody == right.request.httpBody && left.missingBodyLength == right.missingBodyLength
        && left.error?.code == right.error?.code && left.unreadableStart == right.unreadableStart
        && (left.unreadableStart != nil || left.startedAt == right.startedAt)
        && left.duration == right.duration && left.timeToResponse == right.timeToResponse
        && left.redirectedTo == right.redirectedTo && left.pieces == right.pieces && left.obstacle == right.obstacle
        && left.stubName == right.stubName && left.response == right.response
    }
  }
}
