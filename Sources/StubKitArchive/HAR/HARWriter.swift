import Foundation
import StubKitFormats

extension HTTPArchive {
  /// The archive as an HTTP Archive, version 1.2: pretty-printed JSON in UTF-8 that contains all bodies.
  ///
  /// The members of objects are in alphabetical order, so two recordings of one exchange differ only where the exchange
  /// does. Bodies in UTF-8 are text, and all others are base64. Dates have milliseconds, and durations microseconds.
  /// Fields that HAR 1.2 doesn't define begin with an underscore, as it requires.
  public var data: Data {
    let creator = WrittenFile.Creator(name: Self.creator, version: "1.0")
    return Data(archived: WrittenFile(log: .init(creator: creator, entries: entries.map(HAREntry.init))))
      + Data("\n".utf8)
  }
}

private struct WrittenFile: Encodable {
  struct Creator: Encodable {
    let name: String
    let version: String
  }

  struct Log: Encodable {
    var version = "1.2"
    let creator: Creator
    let entries: [HAREntry]
  }

  let log: Log
}

extension Data {
  /// Encodes a value as readable JSON, with each member on a line of its own.
  init(archived value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do { self = try encoder.encode(value) } catch {
      // Only numbers that aren't finite can't be encoded, and an archive has none.
      fatalError("an archive can't be encoded: \(error)")
    }
  }
}

extension HAREntry {
  init(_ entry: HTTPArchive.Entry) {
    let total = max(entry.duration, .zero)
    // The parts must add up to the whole. If nothing is known or nothing arrived, the whole is waiting.
    let wait = entry.response == nil ? total : min(max(entry.timeToResponse ?? total, .zero), total)
    let read = entry.response == nil ? nil : wait
    request = Request(entry)
    response = Response(entry)
    startedDateTime = entry.unreadableStart ?? entry.startedAt.archived
    time = total.archived
    cache = Anything()
    timings = Timings(send: 0, wait: wait.archived, receive: (total - wait).archived)
    if read != entry.timeToResponse { timings?._timeToResponse = entry.timeToResponse?.archived ?? -1 }
    if let error = entry.error {
      _error = Failure(
        domain: URLError.errorDomain, code: Double(error.code.rawValue), description: error.localizedDescription)
    }
    _obstacle = entry.statedObstacle
    _stub = entry.stubName
  }
}

extension HAREntry.Request {
  fileprivate init(_ entry: HTTPArchive.Entry) {
    let request = entry.request
    url = request.url?.absoluteString ?? ""
    method = request.httpMethod ?? "GET"
    httpVersion = "HTTP/1.1"
    cookies = NamedValue.cookies(request.value(forHTTPHeaderField: "Cookie") ?? "").map {
      HAREntry.Cookie(name: $0.name, value: $0.value ?? "")
    }
    headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map {
      .init(name: $0.key, value: .init($0.value))
    }
    queryString = .init(NamedValue.query(String((url.cut(at: "#")?.before ?? url[...]).cut(at: "?")?.after ?? "")))
    headersSize = -1
    bodySize = request.httpBody?.count ?? entry.missingBodyLength ?? 0
    let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
    if let body = request.httpBody {
      var written = HAREntry.Body(mimeType: type)
      written.set(body)
      // HAR 1.2 has no encoding here.
      (written.ownEncoding, written.encoding) = (written.encoding, nil)
      if written.ownEncoding == nil, type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
        written.params = .init(NamedValue.form(String(decoding: body, as: UTF8.self)))
      }
      postData = written
    } else if let length = entry.missingBodyLength {
      let comment = "\(length) bytes, which were not saved"
      postData = HAREntry.Body(mimeType: type, text: "", ownSize: length, comment: comment)
    }
  }
}

extension HAREntry.Response {
  fileprivate init(_ entry: HTTPArchive.Entry) {
    let (response, fields) = (entry.response, entry.response?.headers.fields ?? [:])
    let code = response?.status ?? 0
    status = HAREntry.Scalar(code)
    statusText = code == 0 ? "" : HTTPURLResponse.localizedString(forStatusCode: code)
    httpVersion = response == nil ? "" : "HTTP/1.1"
    cookies = fields.values(of: "Set-Cookie").flatMap { field -> [HTTPCookie] in
      guard let url = entry.request.url else { return [] }
      return HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url)
    }.map {
      HAREntry.Cookie(
        name: $0.name, value: $0.value, path: $0.path, domain: $0.domain, expires: $0.expiresDate?.archived,
        httpOnly: $0.isHTTPOnly, secure: $0.isSecure)
    }
    headers = fields.fields.map { .init(name: $0.name, value: .init($0.value)) }
    var body = HAREntry.Body(mimeType: fields["Content-Type"] ?? "", size: response?.content.count ?? 0)
    if let content = response?.content, !content.isMissing { body.set(content.data) }
    if !entry.pieces.isEmpty { body._pieces = entry.pieces.map { .init(end: $0.end, time: $0.time.archived) } }
    content = body
    redirectURL = fields["Location"] ?? ""
    _redirectedTo = entry.redirectedTo?.absoluteString
    headersSize = -1
    bodySize = response?.content.count ?? -1
    // As Chrome writes it, for viewers of archives.
    _error = entry.error.map { "failed: \($0.localizedDescription)" } ?? entry.obstacle
  }
}

extension HAREntry.Body {
  fileprivate mutating func set(_ bytes: Data) {
    let isText = bytes.isArchivedAsText
    text = isText ? String(decoding: bytes, as: UTF8.self) : bytes.base64EncodedString()
    if !isText { encoding = "base64" }
  }
}

extension [HAREntry.Pair] {
  fileprivate init(_ items: NamedItems) { self = items.map { .init(name: $0.name, value: .init($0.value ?? "")) } }
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
  fileprivate var archived: Double {
    (min(max(self, .zero), .seconds(1_000_000_000)) / .microseconds(1)).rounded() / 1_000
  }
}

extension Data {
  /// A Boolean value that indicates whether the bytes are text in an archive, which is UTF-8 without the character
  /// NUL. Either way, reading restores the bytes.
  var isArchivedAsText: Bool {
    withUnsafeBytes { bytes in
      let utf8 = bytes.bindMemory(to: UInt8.self)
      return utf8.firstInvalidUTF8 == nil && !utf8.contains(0)
    }
  }
}
