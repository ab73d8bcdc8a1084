import Foundation
import StubKit

/// A request in a transcript: one that was made, or one that is expected. Its texts are as the transcript has them.
struct TranscribedRequest: Sendable {
  struct Field: Sendable {
    var name: String
    var value: String

    var line: String { "\(name): \(value)" }
  }

  var method = "GET"
  /// The URL without its query.
  var url = ""
  /// The items of the query, as they are sent, or `nil` if there is no query.
  var items: [String]?
  var fields: [Field] = []
  /// The time after which the client gives up, in seconds, if it isn't the usual one.
  var timeout: String?
  /// Whether URLSession made it, to follow a redirect. The platforms differ in what they send again then.
  var isRedirected = false
  var body = TranscribedBody.none

  /// The method and the URL.
  var target: String { "\(method) \(url)\(items.map { "?\($0.joined(separator: "&"))" } ?? "")" }

  func header(_ name: String) -> String? { fields.first { $0.name.isHeaderName(name) }?.value }

  var lines: [String] {
    var lines = isRedirected ? [TranscriptText.redirect] : []
    if let timeout { lines.append(TranscriptText.timeout + timeout) }
    lines.append(target)
    lines += fields.map(\.line)
    let body = body.lines(boundary: header("Content-Type").flatMap(MultipartBody.boundary(ofContentType:)))
    return body.isEmpty ? lines : lines + [""] + body
  }

  /// The same for each request that is equal to this one.
  var identity: String {
    var request = self
    request.isRedirected = false
    request.items?.sort()
    request.fields = fields.map { Field(name: $0.name.lowercased(), value: $0.value) }
    if case .form(let fields) = body { request.body = .form(fields.sorted()) }
    return request.lines.lines
  }

  // MARK: What isn't part of it

  /// Takes out what differs between platforms and machines, and what each request of the test must have anyway. Adds
  /// what is sent in any case.
  mutating func normalize(without untranscribed: Set<NamedValue>) {
    fields.removeAll { field in
      let name = field.name.lowercased()
      return Self.ofTransport.contains(name) || untranscribed.contains(NamedValue(name: name, value: field.value))
    }
    if isRedirected {
      body = .none
      fields.removeAll { $0.name.isHeaderName("Authorization") || $0.name.isHeaderName("Content-Type") }
    }
    if method == "POST", body.isSome, header("Content-Type") == nil,
      !untranscribed.contains(where: { $0.name == "content-type" })
    {
      fields.append(Field(name: "Content-Type", value: Self.form))
    }
    // A dictionary of cookies has no order, and that of the fields is lost.
    for index in fields.indices where fields[index].name.isHeaderName("Cookie") {
      let cookies = fields[index].value.pieces(at: ";").map { String($0.withoutOuterSpace) }
      fields[index].value = cookies.sorted().joined(separator: "; ")
    }
    fields = fields.map { (name: $0.name.lowercased(), field: $0) }.sorted { $0.name < $1.name }.map(\.field)
  }

  static let form = "application/x-www-form-urlencoded"
  private static let ofTransport: Set = [
    "host", "content-length", "connection", "proxy-connection", "transfer-encoding", "keep-alive",
  ]
}

// MARK: A request of the journal

extension TranscribedRequest {
  /// - Parameters:
  ///   - entry: The request.
  ///   - isRedirected: Whether URLSession made it, to follow a redirect.
  ///   - untranscribed: The header fields to leave out, with names in lower case.
  init(_ entry: RecordedRequest, isRedirected: Bool, without untranscribed: Set<NamedValue>) {
    method = entry.method
    take(entry.url)
    let hasUser = entry.url.user != nil
    fields = entry.headers.compactMap { name, value in
      let value = String(value[...].withoutOuterSpace).showing("\r", as: "␍").showing("\n", as: "␊")
      // URLSession on Linux makes it of the URL.
      if hasUser, name.isHeaderName("Authorization"), value.hasPrefix("Basic ") { return nil }
      return Self.hangsOnMachine(name, value) ? nil : Field(name: name, value: value.escapingBraces)
    }
    let seconds = entry.request.timeoutInterval
    if seconds != 60, seconds.isFinite, seconds > 0 {
      timeout = seconds == seconds.rounded() && seconds < 1e15 ? "\(Int(seconds))" : "\(seconds)"
    }
    self.isRedirected = isRedirected
    if let missing = entry.missingBody {
      body = .bytes(entry.largeBodyLength.map { "<\($0) bytes, not kept>" } ?? "<not kept: \(missing.reason)>")
    } else if let data = entry.body, !data.isEmpty {
      body = TranscribedBody(data, type: header("Content-Type") ?? (method == "POST" ? Self.form : nil))
    }
    normalize(without: untranscribed)
  }

  /// Takes the URL as it is sent, without its fragment.
  mutating func take(_ sent: URL?) {
    let text = sent?.absoluteURL.absoluteString.escapingBraces ?? "/"
    let whole = text.cut(at: "#")?.before ?? text[...]
    url = String(whole.cut(at: "?")?.before ?? whole)
    items = (whole.cut(at: "?")?.after).map { $0.pieces(at: "&").map(String.init) }
  }

  /// Returns whether a value is one that a client takes from the machine, or that URLSession has by default.
  private static func hangsOnMachine(_ name: String, _ value: String) -> Bool {
    switch name.lowercased() {
    case "accept": return value == "*/*"
    case "accept-encoding": return ["gzip, deflate", "deflate, gzip", "gzip, deflate, br"].contains(value)
    case "accept-language":
      // A single language without a quality is one that the client has chosen.
      guard value.has(";") else { return false }
      let languages = value.pieces(at: ",").map { String($0.pieces(at: ";")[0].withoutOuterSpace) }
      return Locale.preferredLanguages.starts(with: languages) || Locale.preferredLanguages.first == languages.first
    case "user-agent":
      let process = ProcessInfo.processInfo
      let version = process.operatingSystemVersion
      let texts = [
        process.processName, process.operatingSystemVersionString, "CFNetwork/", "Darwin/",
        "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
      ]
      return texts.contains { !$0.isEmpty && value.contains($0) }
    default: return false
    }
  }
}

extension [RecordedRequest] {
  /// The requests as a transcript has them.
  func transcribed(without untranscribed: Set<NamedValue>) -> [TranscribedRequest] {
    // URLSession follows a redirect with one request.
    var targets: [String: Int] = [:]
    return map { entry in
      let target = entry.url.absoluteURL.absoluteString
      let isRedirected = targets[target, default: 0] > 0
      if isRedirected { targets[target, default: 0] -= 1 }
      if let response = entry.response, [301, 302, 303, 307, 308].contains(response.status),
        let location = response.headerFields["Location"], let next = URL(string: location, relativeTo: entry.url)
      {
        targets[next.absoluteURL.absoluteString, default: 0] += 1
      }
      return TranscribedRequest(entry, isRedirected: isRedirected, without: untranscribed)
    }
  }
}
