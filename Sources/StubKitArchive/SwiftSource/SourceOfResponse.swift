import Foundation
import StubKitFormats

/// The response of an entry, as Swift code.
struct SourceOfResponse {
  /// The call of a builder, and the modifiers after it.
  let parts: [String]
  /// The fixture that the code needs, or `nil` for none.
  private(set) var fixture: (name: String, data: Data)?

  /// The length of the longest body that is written inline.
  private static let longestBody = 100

  init(_ entry: HTTPArchive.Entry, number: Int, name: String) {
    guard let response = entry.response else {
      let code = entry.error?.code ?? .unknown
      parts = [".failure(\(Self.name(of: code) ?? "NSError(domain: NSURLErrorDomain, code: \(code.rawValue))"))"]
      return
    }
    let type = response.headers["Content-Type"]
    let status = response.status == 200 ? nil : "status: \(response.status)"
    func call(_ builder: String, _ body: String?, type builtType: String?, status: String?) -> String {
      let headers = Self.headers(response.headers, without: type == builtType ? "Content-Type" : nil)
      return ".\(builder)(\([body, status, headers].compactMap(\.self).joined(separator: ", ")))"
    }
    let data = response.content.data
    var text: String
    if data.isEmpty {
      text = call("empty", nil, type: nil, status: response.status == 204 ? nil : "status: \(response.status)")
    } else if let literal = Self.literal(data, type) {
      text = call("json", literal, type: "application/json", status: status)
    } else if let plain = Self.text(data) {
      text = call("text", plain, type: ContentType.text, status: status)
    } else {
      let file = Self.fixtureName(entry, number, name)
      fixture = (file, data)
      let builtType = ContentType.forExtension((file as NSString).pathExtension)
      text = call("file", "fixtureFile(\(file.debugDescription))", type: builtType, status: status)
    }
    let cookies = response.headers.values(of: "Set-Cookie").map {
      ".addingHeader(\"Set-Cookie\", \($0.debugDescription))"
    }
    let failure = entry.error.map {
      ".failing(afterBytes: \(data.count), with: \(Self.name(of: $0.code) ?? ".networkConnectionLost"))"
    }
    parts = [text] + cookies + (failure.map { [$0] } ?? [])
  }

  private static func literal(_ data: Data, _ type: String?) -> String? {
    data.count <= longestBody && type?.contains("json") == true ? JSONLiteral(data)?.text : nil
  }

  private static func text(_ data: Data) -> String? {
    guard data.count <= longestBody, !data.contains(0), let text = String(validUTF8: data) else {
      return nil
    }
    return text.debugDescription
  }

  /// The header fields that describe only the transfer, or differ in each response.
  private static let leftOut: Set<String> = [
    "age", "alt-svc", "connection", "content-encoding", "content-length", "date", "keep-alive", "server", "set-cookie",
    "transfer-encoding", "via",
  ]

  private static func headers(_ headers: HTTPArchive.Headers, without name: String?) -> String? {
    var fields: [String] = []
    var seen: Set<String> = []
    for field in headers {
      let key = field.name.lowercased()
      guard !leftOut.contains(key), key != name?.lowercased(), seen.insert(key).inserted else { continue }
      fields.append("\(field.name.debugDescription): \((headers[field.name] ?? "").debugDescription)")
    }
    return fields.isEmpty ? nil : "headers: [\(fields.joined(separator: ", "))]"
  }

  private static func fixtureName(_ entry: HTTPArchive.Entry, _ number: Int, _ name: String) -> String {
    let file = name.withoutLineBreaks.replacing("/", with: "-")
    // With an extension, the type would follow from it.
    guard let type = entry.response?.headers["Content-Type"] else { return "\(file)-\(number)" }
    let own = entry.request.url?.pathExtension ?? ""
    let isOwn = !own.isEmpty && own.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return "\(file)-\(number).\(ContentType.fileExtension(for: type) ?? (isOwn ? own : "bin"))"
  }

  /// The code as Swift, such as `.timedOut`, or `nil` if it isn't the code of a network error.
  private static func name(of code: URLError.Code) -> String? {
    let names: [URLError.Code: String] = [
      .timedOut: "timedOut", .cannotFindHost: "cannotFindHost", .cannotConnectToHost: "cannotConnectToHost",
      .networkConnectionLost: "networkConnectionLost", .dnsLookupFailed: "dnsLookupFailed",
      .notConnectedToInternet: "notConnectedToInternet", .badServerResponse: "badServerResponse",
      .httpTooManyRedirects: "httpTooManyRedirects", .secureConnectionFailed: "secureConnectionFailed",
      .serverCertificateUntrusted: "serverCertificateUntrusted", .badURL: "badURL", .unknown: "unknown",
    ]
    return names[code].map { ".\($0)" }
  }
}
