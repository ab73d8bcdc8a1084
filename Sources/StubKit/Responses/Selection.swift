import Foundation

/// The part of a response that a request asks for, by its conditions and its `Range` (RFC 9110, sections 13 and 14).
enum Selection: Equatable {
  case whole
  /// The parts, in the order of the request. Never empty.
  case parts([Range<Int>])
  case unsatisfiable
  case notModified
  case preconditionFailed

  /// - Parameters:
  ///   - response: The response to the request without conditions.
  ///   - request: The request as a server receives it.
  ///   - length: The number of bytes in the body, or `nil` if it isn't known in advance.
  init(from response: StubResponse, for request: URLRequest, length: Int?) {
    self = .whole
    guard let circumstances = response.circumstances, response.failure == nil else { return }
    let asked = Asked(request: request, response: response)
    // Conditions apply to successful responses, and to methods that select something (13.2.1).
    if circumstances.isValidated, (200...299).contains(response.status),
      !["CONNECT", "OPTIONS", "TRACE"].contains(asked.method), let refusal = asked.refusal
    {
      self = refusal
      return
    }
    // Range applies to GET, and to what would be a 200 (14.2).
    guard circumstances.acceptsRanges, response.status == 200, asked.method == "GET", let length,
      let ranges = asked["Range"].flatMap(ByteRanges.init), asked.isOfSameVersion
    else { return }
    switch ranges.resolved(in: length) {
    case .whole: break
    case .parts(let parts): self = .parts(parts)
    case .unsatisfiable: self = .unsatisfiable
    }
  }
}

/// The conditions of a request, and what they refer to.
private struct Asked {
  let request: URLRequest
  let method: String
  let tag: EntityTag?
  let date: Date?

  init(request: URLRequest, response: StubResponse) {
    self.request = request
    method = request.httpMethod ?? "GET"
    tag = response.headers["ETag"].flatMap { EntityTag($0) }
    date = response.headers["Last-Modified"].flatMap { Date(httpDate: $0) }
  }

  subscript(name: String) -> String? { request.value(forHTTPHeaderField: name) }

  private func time(_ name: String) -> Date? { self[name].flatMap { Date(httpDate: $0) } }

  /// The result of the conditions in the order of RFC 9110, section 13.2.2, or `nil` if the request is to be
  /// answered.
  var refusal: Selection? {
    if let field = self["If-Match"] {
      let isMet = field == "*" || EntityTag.list(field).contains { tag?.matchesStrongly($0) == true }
      if !isMet { return .preconditionFailed }
    } else if let date, let limit = time("If-Unmodified-Since"), date > limit {
      return .preconditionFailed
    }
    let isReading = method == "GET" || method == "HEAD"
    if let field = self["If-None-Match"] {
      let isKnown = field == "*" || EntityTag.list(field).contains { tag?.matchesWeakly($0) == true }
      if isKnown { return isReading ? .notModified : .preconditionFailed }
    } else if isReading, let date, let limit = time("If-Modified-Since"), date <= limit {
      return .notModified
    }
    return nil
  }

  /// A Boolean value that indicates whether the request has no `If-Range`, or one that names the current version
  /// (13.1.5).
  var isOfSameVersion: Bool {
    guard let field = self["If-Range"] else { return true }
    if let known = EntityTag(field) { return tag?.matchesStrongly(known) == true }
    guard let date, let known = Date(httpDate: field) else { return false }
    return date == known
  }
}
