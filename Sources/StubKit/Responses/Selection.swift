import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a request asks for of what a response carries, by its conditions and its `Range` (RFC 9110, 13 and 14).
enum Selection: Equatable {
  case whole
  /// In the order of the request; never empty.
  case parts([Range<Int>])
  case unsatisfiable
  case notModified
  case preconditionFailed

  /// - Parameters:
  ///   - response: The response to the request without conditions.
  ///   - request: The request as a server would get it.
  ///   - length: How many bytes the response's body has; nil where nobody knows before it ends.
  init(from response: StubResponse, for request: URLRequest, length: Int?) {
    self = .whole
    guard let circumstances = response.circumstances, response.failure == nil else { return }
    let asked = Asked(request: request, response: response)
    // Conditions are about what succeeds, and not for methods that select nothing (13.2.1).
    if circumstances.isValidated, (200...299).contains(response.status),
      !["CONNECT", "OPTIONS", "TRACE"].contains(asked.method), let refusal = asked.refusal
    {
      self = refusal
      return
    }
    // Range is for GET, and for what would be a 200 (14.2).
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

/// A request's conditions, beside what they are about.
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

  /// What the conditions come to, in the order of RFC 9110, 13.2.2; nil if the request is to be answered.
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

  /// Whether the client's `If-Range` names what there is (13.1.5), or there is none.
  var isOfSameVersion: Bool {
    guard let field = self["If-Range"] else { return true }
    if let known = EntityTag(field) { return tag?.matchesStrongly(known) == true }
    guard let date, let known = Date(httpDate: field) else { return false }
    return date == known
  }
}
