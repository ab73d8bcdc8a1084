import Foundation

extension StubResponse {
  /// A body in these very pieces.
  ///
  /// ```swift
  /// let euro = Data("€".utf8)  // three bytes, cut in the middle
  /// .chunks([euro.prefix(1), euro.dropFirst()], every: .milliseconds(50), first: .seconds(1))
  /// ```
  ///
  /// A delegate gets one piece after the other, so a parser can be tested with input that is cut anywhere. A completion handler
  /// gets the whole at the end. Use ``chunked(by:every:)`` for pieces of one length, and
  /// ``stream(_:status:headers:)`` for pieces that come when the test sends them.
  ///
  /// The length is known, so a `Content-Length` is added. With `headers: ["Transfer-Encoding": "chunked"]` there is none, as from a
  /// server that does not know how many pieces are to come. No `Content-Type` is added. The request's timeout begins anew with each
  /// piece.
  ///
  /// - Parameters:
  ///   - pieces: The pieces, in order. Empty ones are left out.
  ///   - interval: The time from one piece to the next. Defaults to `.zero`. A time below zero fails the request.
  ///   - first: The time from the head to the first piece. Defaults to `.zero`. A time below zero fails the request.
  ///   - status: The status. Defaults to 200.
  ///   - headers: Header fields. Defaults to none.
  public static func chunks(
    _ pieces: [Data], every interval: Duration = .zero, first: Duration = .zero, status: Int = 200,
    headers: [String: String] = [:]
  ) -> StubResponse {
    var body = Data()
    var ends: [Int] = []
    for piece in pieces where !piece.isEmpty {
      body += piece
      ends.append(body.count)
    }
    let wrong = [interval, first].first { $0 < .zero }
    var response = StubResponse(
      status: status, headers: ResponseHeaders(headers), body: .pieces(body, ends: ends, hasKnownLength: true),
      problem: wrong.map { .negativeDuration($0) })
    if interval > .zero || first > .zero { response.pace = .pieces(every: Time(interval), first: Time(first)) }
    return response
  }
}
