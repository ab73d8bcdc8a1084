import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension RequestJournal {
  /// The requests as an HTTP Archive, version 1.2, which browsers' developer tools import: a waterfall of all that was asked for.
  ///
  /// ```swift
  /// try StubRegistry.current.journal.har().write(to: URL(fileURLWithPath: "requests.har"))
  /// ```
  ///
  /// Times are those of the registry's clock. For a request that failed, was cancelled, is in progress or went to the network,
  /// `_error` says what became of it, and its status is 0 unless the head of a response had come. Bodies that the journal does not keep are there by their sizes.
  ///
  /// - Returns: JSON in UTF-8.
  public func har() -> Data {
    let log: JSONValue = [
      "version": "1.2",
      "creator": ["name": "StubKit", "version": "1.0"],
      "entries": .array(entries.map(\.archived)),
    ]
    return JSONValue.object(["log": log]).data
  }
}

extension RecordedRequest {
  fileprivate var archived: JSONValue {
    let total = duration ?? .zero
    let wait = min(timeToResponse ?? total, total)
    var entry: [String: JSONValue] = [
      "startedDateTime": JSONValue(startedAt.formatted(.iso8601WithMilliseconds)),
      "time": total.milliseconds,
      "request": archivedRequest,
      "response": archivedResponse,
      "cache": [:],
      "timings": ["send": 0, "wait": wait.milliseconds, "receive": (total - wait).milliseconds],
    ]
    if let stub { entry["_stub"] = JSONValue(stub.description) }
    return .object(entry)
  }

  private var archivedRequest: JSONValue {
    let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    let length = body?.count ?? largeBody?.length ?? 0
    let query = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.percentEncodedQuery }
    let cookies = NamedValue.cookies(request.value(forHTTPHeaderField: "Cookie") ?? "")
    var archived: [String: JSONValue] = [
      "method": JSONValue(request.httpMethod ?? "GET"),
      "url": JSONValue(request.url?.absoluteString ?? ""),
      "httpVersion": "HTTP/1.1",
      "cookies": .array(cookies.map(\.archived)),
      "headers": .array(headers.map { .pair($0.key, $0.value) }),
      "queryString": .array(NamedValue.query(query ?? "").map(\.archived)),
      "headersSize": -1,
      "bodySize": JSONValue(length),
    ]
    if body != nil || largeBody != nil { archived["postData"] = archivedBody(length) }
    return .object(archived)
  }

  private func archivedBody(_ length: Int) -> JSONValue {
    let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
    var archived: [String: JSONValue] = ["mimeType": JSONValue(type)]
    guard let body else {
      archived["text"] = ""
      archived["comment"] = JSONValue("\(length) bytes, which the journal does not keep")
      return .object(archived)
    }
    let text = ArchivedText(body)
    archived["text"] = JSONValue(text.text)
    // HAR knows no encoding here, and custom fields begin with an underscore.
    if let encoding = text.encoding { archived["_encoding"] = JSONValue(encoding) }
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded"), text.encoding == nil {
      archived["params"] = .array(NamedValue.form(text.text).map(\.archived))
    }
    return .object(archived)
  }

  private var archivedResponse: JSONValue {
    let fields = response?.fields ?? [:]
    var content: [String: JSONValue] = [
      "size": JSONValue(response?.bodyLength ?? 0), "mimeType": JSONValue(fields["Content-Type"] ?? ""),
    ]
    if let body = response?.body {
      let text = ArchivedText(body)
      content["text"] = JSONValue(text.text)
      if let encoding = text.encoding { content["encoding"] = JSONValue(encoding) }
    }
    let status = response?.status ?? outcome.status ?? 0
    var archived: [String: JSONValue] = [
      "status": JSONValue(status),
      "statusText": JSONValue(status == 0 ? "" : HTTPURLResponse.localizedString(forStatusCode: status)),
      "httpVersion": response == nil ? "" : "HTTP/1.1",
      "cookies": .array(fields.values(of: "Set-Cookie").flatMap { cookies($0) }),
      "headers": .array(fields.fields.map { .pair($0.name, $0.value) }),
      "content": .object(content),
      "redirectURL": JSONValue(fields["Location"] ?? ""),
      "headersSize": -1,
      "bodySize": JSONValue(response?.bodyLength ?? -1),
    ]
    if outcome.status == nil { archived["_error"] = JSONValue(outcome.description) }
    return .object(archived)
  }

  private func cookies(_ field: String) -> [JSONValue] {
    guard let url = request.url else { return [] }
    return HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url).map { cookie in
      var archived: [String: JSONValue] = [
        "name": JSONValue(cookie.name), "value": JSONValue(cookie.value), "path": JSONValue(cookie.path),
        "domain": JSONValue(cookie.domain), "httpOnly": JSONValue(cookie.isHTTPOnly),
        "secure": JSONValue(cookie.isSecure),
      ]
      if let expires = cookie.expiresDate {
        archived["expires"] = JSONValue(expires.formatted(.iso8601WithMilliseconds))
      }
      return .object(archived)
    }
  }
}

/// Bytes as an archive holds them.
private struct ArchivedText {
  let text: String
  /// Nil for text as it is.
  let encoding: String?

  init(_ data: Data) {
    let decoded = String(decoding: data, as: UTF8.self)
    let isText = decoded.utf8.elementsEqual(data) && !data.contains(0)
    text = isText ? decoded : data.base64EncodedString()
    encoding = isText ? nil : "base64"
  }
}

extension JSONValue {
  fileprivate static func pair(_ name: String, _ value: String) -> JSONValue {
    ["name": JSONValue(name), "value": JSONValue(value)]
  }
}

extension NamedValue {
  fileprivate var archived: JSONValue { .pair(name, value ?? "") }
}

extension Duration {
  /// To the microsecond.
  fileprivate var milliseconds: JSONValue {
    let (seconds, attoseconds) = components
    return JSONValue((Double(seconds) * 1e6 + (Double(attoseconds) / 1e12).rounded()) / 1_000)
  }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
  fileprivate static var iso8601WithMilliseconds: Date.ISO8601FormatStyle {
    Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  }
}
