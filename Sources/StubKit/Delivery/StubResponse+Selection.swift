import Foundation

extension StubResponse {
  /// A Boolean value that indicates whether the result depends on the request's `Range` and conditions.
  var isSelected: Bool { circumstances.map { $0.acceptsRanges || $0.isValidated } ?? false }

  /// Returns the response and its body as they go out to a request: a part, a refusal, or both unchanged.
  ///
  /// - Parameters:
  ///   - request: The request as a server would receive it. It is only used if it matters.
  ///   - body: The body of the response, opened.
  func selected(for request: @autoclosure () -> URLRequest, of body: DeliveryBody) -> (StubResponse, DeliveryBody) {
    guard isSelected else { return (self, body) }
    let length = self.body.hasKnownLength ? body.count : nil
    switch Selection(from: self, for: request(), length: length) {
    case .whole: return (self, body)
    case .notModified: return (refusal(status: 304), .empty)
    case .preconditionFailed: return (refusal(status: 412), .empty)
    case .unsatisfiable:
      var response = refusal(status: 416)
      response.headers.replace("Content-Range", "bytes */\(body.count)")
      return (response, .empty)
    case .parts(let parts):
      return parts.count == 1 ? part(parts[0], of: body) : parted(parts, of: body)
    }
  }

  /// Returns a response without a body, and without the fields that describe one (RFC 9110, section 15.4.5).
  private func refusal(status: Int) -> StubResponse {
    var response = self
    response.status = status
    for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Transfer-Encoding"] {
      response.headers.remove(name)
    }
    response.body = .empty
    response.pace = .atOnce
    return response
  }

  private func part(_ range: Range<Int>, of body: DeliveryBody) -> (StubResponse, DeliveryBody) {
    var response = partial
    response.headers.replace("Content-Range", range.contentRange(of: body.count))
    if case .pieces(let data, let ends, let hasKnownLength) = self.body {
      let ends = ends.filter { range.contains($0) && $0 > range.lowerBound }.map { $0 - range.lowerBound }
      response.body = .pieces(data, ends: ends + [range.count], hasKnownLength: hasKnownLength)
    }
    return (response, body.part(range))
  }

  /// Returns the parts as `multipart/byteranges` (RFC 9110, section 14.6).
  private func parted(_ ranges: [Range<Int>], of body: DeliveryBody) -> (StubResponse, DeliveryBody) {
    let boundary = Self.boundary(notIn: body)
    let type = headers["Content-Type"].map { "Content-Type: \($0)\r\n" } ?? ""
    var parts: [DeliveryBody] = []
    for range in ranges {
      let start = parts.isEmpty ? "" : "\r\n"
      let head = "\(start)--\(boundary)\r\n\(type)Content-Range: \(range.contentRange(of: body.count))\r\n\r\n"
      parts += [.memory(Data(head.utf8)), body.part(range)]
    }
    parts.append(.memory(Data("\r\n--\(boundary)--\r\n".utf8)))
    var response = partial
    response.headers.replace("Content-Type", "multipart/byteranges; boundary=\(boundary)")
    return (response, DeliveryBody(joining: parts))
  }

  /// A 206 with the body of the delivery.
  private var partial: StubResponse {
    var response = self
    response.status = 206
    response.headers.remove("Content-Length")
    response.body = .empty
    return response
  }

  /// Returns the same boundary for the same body, so that journals are stable. A large file isn't searched for it,
  /// because that would mean reading all of it.
  private static func boundary(notIn body: DeliveryBody) -> String {
    var boundary = "StubKit-byteranges-5d1e0c9b7a42f836"
    if case .memory(let data) = body { while data.range(of: Data(boundary.utf8)) != nil { boundary += "0" } }
    return boundary
  }
}

extension Range<Int> {
  /// The range in the format of `Content-Range` (RFC 9110, section 14.4).
  fileprivate func contentRange(of length: Int) -> String { "bytes \(lowerBound)-\(upperBound - 1)/\(length)" }
}
