import Foundation
import StubKit

extension HTTPArchive {
  /// The archive as an HTTP Archive, version 1.2: pretty-printed JSON in UTF-8 that contains all bodies.
  ///
  /// The members of objects are in alphabetical order, so two recordings of one exchange differ only where the exchange
  /// does. Bodies in UTF-8 are text, and all others are base64. Dates have milliseconds, and durations microseconds.
  /// Fields that HAR 1.2 doesn't define begin with an underscore, as it requires.
  public var data: Data { data(comment: nil) }

  /// - Parameter comment: What a reader must know of the whole, or `nil`.
  package func data(comment: String?) -> Data {
    let creator: StubJSON = ["name": .string(Self.creator), "version": .string(Version.current)]
    let log = StubJSON.members([
      "version": "1.2", "creator": creator, "entries": .array(entries.map { StubJSON($0) }),
      "comment": comment.map(StubJSON.string),
    ])
    return StubJSON.object(["log": log]).archived(isPretty: true) + Data("\n".utf8)
  }
}

extension HTTPArchive.Entry {
  /// Returns the entry as a member of a file.
  ///
  /// - Parameters:
  ///   - isForeign: Whether another tool has made the file. The entry then says that it needs no corrections.
  ///   - isPretty: Whether each member has a line of its own.
  func text(inForeignFile isForeign: Bool, isPretty: Bool) -> Data {
    var json = StubJSON(self)
    if isForeign, case .object(var members) = json {
      members["_creator"] = .string(HTTPArchive.creator)
      json = .object(members)
    }
    return json.archived(isPretty: isPretty)
  }
}

extension StubJSON {
  fileprivate func archived(isPretty: Bool) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    // Only numbers that aren't finite can't be encoded, and an archive has none.
    do { return try encoder.encode(self) } catch { fatalError("an archive can't be encoded: \(error)") }
  }

  /// Returns an object of the members that aren't `nil`, which a literal can mean as null.
  package static func members(_ members: KeyValuePairs<String, StubJSON?>) -> StubJSON {
    .object(members.reduce(into: [:]) { if $1.value != .null { $0[$1.key] = $1.value } })
  }

  fileprivate init(_ entry: HTTPArchive.Entry) {
    let total = max(entry.duration, .zero)
    // The parts must add up to the whole. If nothing is known or nothing arrived, the whole is waiting.
    let wait = entry.response == nil ? total : min(max(entry.timeToResponse ?? total, .zero), total)
    let isKnown = entry.timeToResponse == (entry.response == nil ? nil : wait)
    let timings = Self.members([
      "send": 0, "wait": wait.archived, "receive": (total - wait).archived,
      "_timeToResponse": isKnown ? nil : entry.timeToResponse?.archived ?? -1,
    ])
    let error: StubJSON? = entry.error.map {
      let (code, description) = (StubJSON($0.code.rawValue), StubJSON.string($0.localizedDescription))
      return ["domain": .string(URLError.errorDomain), "code": code, "description": description]
    }
    self = Self.members([
      "startedDateTime": .string(entry.unreadableStart ?? entry.startedAt.archived), "time": total.archived,
      "request": Self.request(entry), "response": Self.response(entry), "cache": [:], "timings": timings,
      "_error": error, "_obstacle": entry.statedObstacle.map(StubJSON.string),
      "_stub": entry.stubName.map(StubJSON.string),
      "_redacted": entry.redacted.map { .array($0.sorted().map(StubJSON.string)) },
    ])
  }

  private static func request(_ entry: HTTPArchive.Entry) -> StubJSON {
    let request = entry.request
    let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    return members([
      "method": .string(request.httpMethod ?? "GET"), "url": .string(request.url?.absoluteString ?? ""),
      "httpVersion": "HTTP/1.1",
      "cookies": pairs(NamedValue.cookies(request.value(forHTTPHeaderField: "Cookie") ?? "")),
      "headers": .array(headers.map { pair($0.key, $0.value) }),
      "queryString": pairs(NamedValue.query(request.url?.query(percentEncoded: true) ?? "")),
      "postData": postData(entry), "headersSize": -1,
      "bodySize": StubJSON(request.httpBody?.count ?? entry.missingBodyLength ?? 0),
    ])
  }

  private static func postData(_ entry: HTTPArchive.Entry) -> StubJSON? {
    let type = entry.request.value(forHTTPHeaderField: "Content-Type") ?? ""
    if let body = entry.request.httpBody {
      let (text, encoding) = texts(body)
      let isForm = encoding == nil && type.lowercased().hasPrefix("application/x-www-form-urlencoded")
      // HAR 1.2 has no encoding here.
      return members([
        "mimeType": .string(type), "text": text, "_encoding": encoding,
        "params": isForm ? pairs(NamedValue.form(String(utf8: body))) : nil,
      ])
    }
    return entry.missingBodyLength.map {
      let comment = StubJSON.string("\($0) bytes, which were not saved")
      return ["mimeType": .string(type), "text": "", "_size": StubJSON($0), "comment": comment]
    }
  }

  private static func response(_ entry: HTTPArchive.Entry) -> StubJSON {
    let (response, fields) = (entry.response, entry.response?.headers ?? [:])
    let status = response?.status ?? 0
    let cookies = fields.values(of: "Set-Cookie").flatMap { field in
      entry.request.url.map(field.cookies) ?? []
    }
    let body = response.flatMap { $0.content.isMissing ? nil : texts($0.body) }
    let pieces = entry.pieces.map { ["end": StubJSON($0.end), "time": $0.time.archived] as StubJSON }
    let content = members([
      "mimeType": .string(fields["Content-Type"] ?? ""), "size": StubJSON(response?.content.count ?? 0),
      "text": body?.text, "encoding": body?.encoding, "_pieces": pieces.isEmpty ? nil : .array(pieces),
    ])
    // As Chrome writes it, for viewers of archives.
    let failure = entry.error.map { "failed: \($0.localizedDescription)" } ?? entry.obstacle
    return members([
      "status": StubJSON(status),
      "statusText": .string(status == 0 ? "" : HTTPURLResponse.localizedString(forStatusCode: status)),
      "httpVersion": response == nil ? "" : "HTTP/1.1", "cookies": .array(cookies.map(cookie)),
      "headers": .array(fields.fields.map { pair($0.name, $0.value) }), "content": content,
      "redirectURL": .string(fields["Location"] ?? ""), "headersSize": -1,
      "bodySize": StubJSON(response?.content.count ?? -1), "_error": failure.map(StubJSON.string),
      "_redirectedTo": entry.redirectedTo.map { .string($0.absoluteString) },
    ])
  }

  private static func cookie(_ cookie: HTTPCookie) -> StubJSON {
    members([
      "name": .string(cookie.name), "value": .string(cookie.value), "path": .string(cookie.path),
      "domain": .string(cookie.domain), "expires": cookie.expiresDate.map { .string($0.archived) },
      "httpOnly": .bool(cookie.isHTTPOnly), "secure": .bool(cookie.isSecure),
    ])
  }

  private static func texts(_ body: Data) -> (text: StubJSON, encoding: StubJSON?) {
    body.isArchivedAsText
      ? (.string(String(utf8: body)), nil) : (.string(body.base64EncodedString()), "base64")
  }

  private static func pair(_ name: String, _ value: String) -> StubJSON {
    ["name": .string(name), "value": .string(value)]
  }

  private static func pairs(_ items: NamedItems) -> StubJSON { .array(items.map { pair($0.name, $0.value ?? "") }) }
}

extension Date {
  /// The date in ISO 8601, in UTC and with milliseconds. It is one of the years 0 to 9999.
  var archived: String {
    let milliseconds = (min(max(-62_167_219_200, timeIntervalSince1970), 253_402_300_799) * 1_000).rounded()
    // Foundation truncates instead of rounding.
    return Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(
      Date(timeIntervalSince1970: (milliseconds + 0.2) / 1_000))
  }
}

extension Duration {
  /// The duration in milliseconds, rounded to microseconds. A negative duration becomes 0.
  fileprivate var archived: StubJSON {
    StubJSON((min(max(self, .zero), .seconds(1_000_000_000)) / .microseconds(1)).rounded() / 1_000)
  }
}

extension Data {
  /// A Boolean value that indicates whether the bytes are text in an archive, which is UTF-8 without the character
  /// NUL. Either way, reading restores the bytes.
  var isArchivedAsText: Bool {
    withUnsafeBytes { bytes in
      let utf8 = bytes.bindMemory(to: UInt8.self)
      return utf8.firstInvalidUTF8 == nil && utf8.firstIndex(of: 0, from: 0) == nil
    }
  }
}
