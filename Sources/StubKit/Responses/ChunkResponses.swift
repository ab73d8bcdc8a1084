import Foundation
import StubKitFormats

extension StubResponse {
  /// Returns a response whose body arrives in exactly these pieces.
  ///
  /// ```swift
  /// // Three bytes, cut in the middle.
  /// let euro = Data("€".utf8)
  /// .chunks(
  ///   [euro.prefix(1), euro.dropFirst()],
  ///   every: .milliseconds(50), first: .seconds(1))
  /// ```
  ///
  /// A delegate receives one piece after the other, so you can test a parser with input that is cut anywhere. A
  /// completion handler receives the whole body at the end. For pieces of one length, use ``chunked(by:every:)``. For
  /// pieces that the test sends one by one, use ``stream(_:status:headers:)``.
  ///
  /// The length is known, so StubKit adds a `Content-Length`. With `headers: ["Transfer-Encoding": "chunked"]` it
  /// adds none, like a server that doesn't know how many pieces will follow. It adds no `Content-Type`. The request's
  /// timeout starts again with each piece.
  ///
  /// - Parameters:
  ///   - pieces: The pieces, in order. Empty ones are omitted.
  ///   - interval: The time from one piece to the next. Defaults to `.zero`. A negative time fails the request.
  ///   - first: The time from the head to the first piece. Defaults to `.zero`. A negative time fails the request.
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
