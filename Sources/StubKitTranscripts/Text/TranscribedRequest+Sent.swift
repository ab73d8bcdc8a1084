import Foundation
import StubKit

/// A request as it is sent.
struct SentParts {
  var method = "GET"
  var url: String
  var headers: [(name: String, value: String)] = []
  var body = Data()
  /// Whether there is a body that nobody has kept.
  var lacksBody = false
  var timeout: TimeInterval = 60
  var isRedirected = false
}

extension TranscribedRequest {
  /// - Parameter untranscribed: The header fields to leave out, with names in lower case.
  init(_ sent: SentParts, without untranscribed: Set<NamedValue> = []) {
    (method, isRedirected) = (sent.method, sent.isRedirected)
    let whole = sent.url.cut(at: "#")?.before ?? sent.url[...]
    url = (whole.cut(at: "?")?.before ?? whole).pieces(at: "/").map { TranscribedText($0) }
    items = (whole.cut(at: "?")?.after).map(Self.items)
    fields = sent.headers.map { Field($0.name, TranscribedText($0.value[...].withoutOuterSpace)) }
    if sent.timeout != 60, sent.timeout.isFinite, sent.timeout > 0 {
      let isWhole = sent.timeout == sent.timeout.rounded() && sent.timeout < 1e15
      timeout = isWhole ? "\(Int(sent.timeout))" : "\(sent.timeout)"
    }
    let type = normalizeFields(hasBody: !sent.body.isEmpty || sent.lacksBody, without: untranscribed)
    if !isRedirected { body = Self.body(sent.body, type: type) }
  }

  /// Takes out fields that differ between platforms, or that each request of the test must have anyway. Adds the type
  /// that URLSession sends in any case. Returns the type of the body.
  mutating func normalizeFields(hasBody: Bool, without untranscribed: Set<NamedValue>) -> String {
    if method == "POST", hasBody, header("content-type") == nil {
      let known = untranscribed.first { $0.name == "content-type" }
      fields.append(Field("Content-Type", TranscribedText(known?.value ?? Self.form)))
    }
    let type = header("content-type")?.source() ?? ""
    fields.removeAll { field in
      let name = field.name?.string.lowercased() ?? ""
      if isRedirected, name == "authorization" || name == "content-type" { return true }
      let value = field.value.sent
      return Self.isOfTransport(name, value)
        || untranscribed.contains { $0.name == name && field.value.isLiteral && ($0.value ?? "").isSame(as: value) }
    }
    // A dictionary of cookies has no order, and the order of the fields is lost.
    for index in fields.indices where fields[index].name?.string.isHeaderName("Cookie") == true {
      let cookies = fields[index].value.source().pieces(at: ";").map { String($0.withoutOuterSpace) }
      let sorted = cookies.sorted { ExactString($0) < ExactString($1) }.joined(separator: "; ")
      if let text = try? TranscribedText(reading: sorted) { fields[index].value = text }
    }
    fields = fields.sortedByName
    return type
  }

  static let form = "application/x-www-form-urlencoded"

  /// Whether URLSession adds a field by itself.
  private static func isOfTransport(_ name: String, _ value: String) -> Bool {
    switch name {
    case "accept": value == "*/*"
    case "accept-encoding": ["gzip, deflate", "deflate, gzip", "gzip, deflate, br"].contains(value)
    default:
      ["host", "content-length", "connection", "proxy-connection", "transfer-encoding", "keep-alive"].contains(name)
    }
  }

  static func items(_ text: some StringProtocol) -> [Field] {
    String(text).pieces(at: "&").map { item in
      item.cut(at: "=").map { Field(String($0.before), TranscribedText($0.after)) } ?? Field(nil, TranscribedText(item))
    }.sortedByName
  }

  /// Whether a text comes back if its fields are joined again. URLSession on Linux calls any body a form.
  static func isForm(_ text: String) -> Bool {
    !text.utf8.contains { $0 <= 0x20 } && text.pieces(at: "&").allSatisfy { $0.has("=") }
  }

  // MARK: Bodies

  /// Returns a body in the form that says all of it, so that no two bodies are one in a transcript.
  static func body(_ data: Data, type: String, isPart: Bool = false) -> Body {
    if data.isEmpty { return .none }
    if !isPart, let parts = parts(data, type) { return .multipart(parts) }
    guard let text = String(validUTF8: data), !text.utf8.contains(where: \.isControl) else {
      return .bytes(TranscribedBytes(data))
    }
    if let first = text.utf8.first(where: { !$0.isWhiteSpace }), "{[".utf8.contains(first),
      let json = try? TranscribedJSON(parsing: Array(data), hasPlaceholders: false)
    {
      return .json(json)
    }
    if type.lowercased().hasPrefix(form), isForm(text) { return .form(items(text)) }
    return .text(text.pieces(at: "\n").map { TranscribedText($0) })
  }

  /// Returns the parts of a multipart body (RFC 2046, section 5.1) if they, joined again, are the bytes that were sent.
  /// So a wrong line end or a missing last line is seen, because the body is a text then.
  private static func parts(_ data: Data, _ type: String) -> [Part]? {
    guard let boundary = MultipartBody.boundary(ofContentType: type),
      boundary.utf8.allSatisfy({ $0.isInName || "'()+,./:=?".utf8.contains($0) })
    else { return nil }
    let delimiter = Data("\r\n--\(boundary)".utf8)
    let body = Data("\r\n".utf8) + data
    var (parts, position) = ([Part](), 0)
    guard body.starts(with: delimiter) else { return nil }
    while let next = body[(position + delimiter.count)...].range(of: delimiter)?.lowerBound {
      let start = position + delimiter.count
      guard body[start...].starts(with: "\r\n".utf8), next >= start + 2 else { return nil }
      guard let part = part(Data(body[start + 2..<next])) else { return nil }
      parts.append(part)
      position = next
    }
    let end = body[(position + delimiter.count)...]
    let isClosed = end.elementsEqual("--".utf8) || end.elementsEqual("--\r\n".utf8)
    return position > 0 && isClosed ? parts : nil
  }

  private static func part(_ data: Data) -> Part? {
    var part = Part()
    var rest = data
    if data.starts(with: "\r\n".utf8) {
      rest = data.dropFirst(2)
    } else {
      guard let blank = data.range(of: Data("\r\n\r\n".utf8)) else { return nil }
      rest = data[blank.upperBound...]
      guard let head = String(validUTF8: data[..<blank.lowerBound]) else { return nil }
      // A line break is one character of Swift.
      for line in head.replacing("\r\n", with: "\n").pieces(at: "\n") {
        guard let (name, value) = line.cut(at: ":"), value.hasPrefix(" "), !line.has("\r") else { return nil }
        let text = value.utf8.dropFirst()
        guard Substring(text).withoutOuterSpace.utf8.elementsEqual(text) else { return nil }
        part.fields.append(Field(String(name), TranscribedText(Substring(text))))
      }
      if head.has("\n"), head.replacing("\r\n", with: "").has("\n") { return nil }
    }
    part.body = body(Data(rest), type: part.fields.value(of: "content-type")?.sent ?? "", isPart: true)
    return part
  }
}

extension UInt8 {
  /// Whether a text can't have the byte, so that it is in a body that isn't text.
  fileprivate var isControl: Bool { self < 0x20 && !isWhiteSpace || self == 0x0B || self == 0x0C }
}

// MARK: A request of the journal

extension SentParts {
  init(_ entry: RecordedRequest) {
    method = entry.method
    url = Self.text(of: entry.url)
    isRedirected = entry.followsRedirect
    timeout = entry.request.timeoutInterval
    body = entry.body ?? Data()
    lacksBody = entry.missingBody != nil
    let hasUser = entry.url.user != nil
    headers = entry.headers.map { ($0, $1) }.filter { name, value in
      // URLSession on Linux makes it of the URL.
      !(hasUser && name.isHeaderName("Authorization") && value.hasPrefix("Basic "))
    }
  }

  private static func text(of url: URL?) -> String {
    let text = url?.absoluteURL.absoluteString ?? ""
    return text.isEmpty ? "/" : text
  }

  /// Takes the texts of a request without secrets.
  mutating func take(_ redacted: URLRequest) {
    url = Self.text(of: redacted.url)
    headers = headers.map { ($0.name, redacted.value(forHTTPHeaderField: $0.name) ?? $0.value) }
    if !body.isEmpty { body = redacted.httpBody ?? Data() }
  }
}

extension TranscribedRequest {
  /// - Parameter untranscribed: The header fields to leave out, with names in lower case.
  init(_ entry: RecordedRequest, without untranscribed: Set<NamedValue>) {
    self.init(SentParts(entry), without: untranscribed)
    madeAt.value = entry.startedAt.timeIntervalSince1970
    time = entry.manualTime.map { "\($0.inSeconds)s" }
    if isRedirected { return }
    if let missing = entry.missingBody {
      let what = entry.largeBodyLength.map { "\($0) bytes, not kept" } ?? "not kept: \(missing.reason)"
      body = .bytes(TranscribedBytes(source: "(\(what))"))
    }
  }
}

extension Duration {
  /// The seconds as a decimal, such as `3` or `0.25`.
  fileprivate var inSeconds: String {
    let (seconds, attoseconds) = components
    if attoseconds == 0 { return "\(seconds)" }
    let digits = String(attoseconds)
    let fraction = String(repeating: "0", count: max(0, 18 - digits.count)) + digits
    return "\(seconds).\(fraction.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }
}
