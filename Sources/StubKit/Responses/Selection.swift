import Foundation
import StubKitFormats

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
    guard let options = response.options, response.failure == nil else { return }
    let asked = Asked(request: request, response: response)
    // Conditions apply to successful responses, and to methods that select something (13.2.1).
    if options.isValidated, (200...299).contains(response.status),
      !["CONNECT", "OPTIONS", "TRACE"].contains(asked.method), let refusal = asked.refusal
    {
      self = refusal
      return
    }
    // Range applies to GET, and to what would be a 200 (14.2).
    guard options.acceptsRanges, response.status == 200, asked.method == "GET", let length,
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

extension StubResponse {
  /// A Boolean value that indicates whether the result depends on the request's `Range` and conditions.
  var isSelected: Bool { options.map { $0.acceptsRanges || $0.isValidated } ?? false }

  /// Returns the response and its body as they go out to a request: a part, a refusal, or both unchanged.
  ///
  /// - Parameters:
  ///   - request: The request as a server would receive it. It is only used if it matters.
  ///   - body: The body of the response, opened.
  func selected(for request: @autoclosure () -> URLRequest, of body: ResponseBody) -> (StubResponse, ResponseBody) {
    guard isSelected else { return (self, body) }
    let length = hasKnownLength ? body.count : nil
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

  private func part(_ range: Range<Int>, of body: ResponseBody) -> (StubResponse, ResponseBody) {
    var response = partial
    response.headers.replace("Content-Range", range.contentRange(of: body.count))
    if case .at(let ends) = cut {
      let ends = ends.filter { range.contains($0) && $0 > range.lowerBound }.map { $0 - range.lowerBound }
      response.cut = .at(ends + [range.count])
    }
    return (response, body.part(range))
  }

  /// Returns the parts as `multipart/byteranges` (RFC 9110, section 14.6).
  private func parted(_ ranges: [Range<Int>], of body: ResponseBody) -> (StubResponse, ResponseBody) {
    let boundary = Self.boundary(notIn: body)
    let type = headers["Content-Type"].map { "Content-Type: \($0)\r\n" } ?? ""
    var parts: [ResponseBody] = []
    for range in ranges {
      let start = parts.isEmpty ? "" : "\r\n"
      let head = "\(start)--\(boundary)\r\n\(type)Content-Range: \(range.contentRange(of: body.count))\r\n\r\n"
      parts += [.data(Data(head.utf8)), body.part(range)]
    }
    parts.append(.data(Data("\r\n--\(boundary)--\r\n".utf8)))
    var response = partial
    if case .at = cut { response.cut = .asPaced }
    response.headers.replace("Content-Type", "multipart/byteranges; boundary=\(boundary)")
    let all = FileBytes(joining: parts)
    let isInFile = parts.contains(where: \.isOpen)
    return (response, isInFile ? .open(all) : .data(parts.reduce(into: Data()) { $0 += $1.data ?? Data() }))
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
  private static func boundary(notIn body: ResponseBody) -> String {
    var boundary = "StubKit-byteranges-5d1e0c9b7a42f836"
    if let data = body.data { while data.range(of: Data(boundary.utf8)) != nil { boundary += "0" } }
    return boundary
  }
}

extension Range<Int> {
  /// The range in the format of `Content-Range` (RFC 9110, section 14.4).
  fileprivate func contentRange(of length: Int) -> String { "bytes \(lowerBound)-\(upperBound - 1)/\(length)" }
}

/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Equatable {
  let isWeak: Bool
  /// The tag with its quotation marks.
  private let opaque: Substring

  /// Reads a whole field. Returns `nil` if it is not an entity tag.
  init?(_ field: String) {
    var rest = field[...]
    guard let tag = Self.take(&rest), rest.isEmpty else { return nil }
    self = tag
  }

  private init(isWeak: Bool, opaque: Substring) {
    self.isWeak = isWeak
    self.opaque = opaque
  }

  /// Returns the tags of a list, such as the value of `If-Match`. It ends before the first element that is not a tag.
  static func list(_ field: String) -> [EntityTag] {
    var rest = field[...]
    var tags: [EntityTag] = []
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard let tag = take(&rest) else { return tags }
      tags.append(tag)
    }
  }

  /// Returns whether both tags are equal byte for byte (RFC 9110, section 8.8.3.2). Weak tags never are.
  func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

  func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

  /// Returns the tag as a field contains it, from one that can lack its quotation marks, or `nil` if it can't be a
  /// tag.
  static func field(_ tag: String) -> String? {
    let isWeak = tag.hasPrefix("W/")
    let opaque = isWeak ? tag.dropFirst(2) : tag[...]
    let field = (isWeak ? "W/" : "") + (opaque.hasPrefix("\"") ? opaque : "\"\(opaque)\"")
    return EntityTag(field) == nil ? nil : field
  }

  private static func take(_ text: inout Substring) -> EntityTag? {
    let isWeak = text.hasPrefix("W/")
    let start = isWeak ? text.dropFirst(2) : text
    guard start.utf8.first == UInt8(ascii: "\""),
      let end = start.utf8.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
      start.utf8[..<end].dropFirst().allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F })
    else { return nil }
    let behind = start.utf8.index(after: end)
    text = start[behind...]
    return EntityTag(isWeak: isWeak, opaque: start[..<behind])
  }
}
