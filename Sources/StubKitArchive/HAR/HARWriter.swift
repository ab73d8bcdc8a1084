import Foundation
import StubKitFormats

extension HTTPArchive {
  /// The archive as an HTTP Archive, version 1.2: pretty-printed JSON in UTF-8 that contains all bodies.
  ///
  /// Fields are in the order of the specification, so two recordings of one exchange differ only where the exchange
  /// does. Bodies in UTF-8 are text, and all others are base64. Dates have milliseconds, and durations microseconds.
  /// Fields that HAR 1.2 doesn't define begin with an underscore, as it requires.
  public var data: Data {
    var writer = HARTextWriter()
    HARWriter().write(self, to: &writer)
    return Data(writer.utf8)
  }
}

/// Writes entries in the format of HAR 1.2.
struct HARWriter {
  /// The names of other files that contain the bodies of the request and of the response.
  var files: (request: String?, response: String?) = (nil, nil)

  func text(of entry: HTTPArchive.Entry) -> [UInt8] {
    var writer = HARTextWriter()
    write(entry, to: &writer)
    return writer.utf8
  }

  func write(_ archive: HTTPArchive, to writer: inout HARTextWriter) {
    writer.object { writer in
      writer.key("log")
      writer.object { writer in
        writer.member("version", "1.2")
        writer.key("creator")
        writer.object {
          $0.member("name", HARReader.creator)
          $0.member("version", "1.0")
        }
        writer.key("entries")
        writer.array { writer in for entry in archive.entries { write(entry, to: &writer) } }
      }
    }
  }

  func write(_ entry: HTTPArchive.Entry, to writer: inout HARTextWriter) {
    let total = max(entry.duration, .zero)
    // The parts must add up to the whole. If nothing is known or nothing arrived, the whole is waiting.
    let wait = entry.response == nil ? total : min(max(entry.timeToResponse ?? total, .zero), total)
    let read = entry.response == nil ? nil : wait
    writer.object { writer in
      writer.member("startedDateTime", entry.unreadableStart ?? HARDate.text(entry.startedAt))
      writer.key("time")
      writer.value(total)
      writer.key("request")
      writeRequest(entry, to: &writer)
      writer.key("response")
      writeResponse(entry, to: &writer)
      writer.key("cache")
      writer.object { _ in }
      writer.key("timings")
      writer.object(isInline: true) { writer in
        writer.member("send", 0)
        writer.key("wait")
        writer.value(wait)
        writer.key("receive")
        writer.value(total - wait)
        guard read != entry.timeToResponse else { return }
        writer.key("_timeToResponse")
        if let time = entry.timeToResponse { writer.value(time) } else { writer.null() }
      }
      if let error = entry.error {
        writer.key("_error")
        writer.object(isInline: true) {
          $0.member("domain", URLError.errorDomain)
          $0.member("code", error.code.rawValue)
          $0.member("description", error.localizedDescription)
        }
      }
      if let obstacle = entry.statedObstacle { writer.member("_obstacle", obstacle) }
      if let stub = entry.stubName { writer.member("_stub", stub) }
    }
  }

  private func writeRequest(_ entry: HTTPArchive.Entry, to writer: inout HARTextWriter) {
    let request = entry.request
    let url = request.url?.absoluteString ?? ""
    let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    let query = (url.cut(at: "#")?.before ?? url[...]).cut(at: "?")?.after ?? ""
    writer.object { writer in
      writer.member("method", request.httpMethod ?? "GET")
      writer.member("url", url)
      writer.member("httpVersion", "HTTP/1.1")
      writer.pairs("cookies", NamedValue.cookies(request.value(forHTTPHeaderField: "Cookie") ?? ""))
      writer.key("headers")
      writer.array { for header in headers { $0.pair(header.key, header.value) } }
      writer.pairs("queryString", NamedValue.query(String(query)))
      if let body = request.httpBody {
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
        writer.key("postData")
        writer.object { writeBody(body, type, to: &$0) }
      } else if let length = entry.missingBodyLength {
        writer.key("postData")
        writer.object {
          $0.member("mimeType", request.value(forHTTPHeaderField: "Content-Type") ?? "")
          $0.member("text", "")
          $0.member("comment", "\(length) bytes, which were not saved")
          $0.member("_size", length)
        }
      }
      writer.member("headersSize", -1)
      writer.member("bodySize", request.httpBody?.count ?? entry.missingBodyLength ?? 0)
    }
  }

  private func writeBody(_ body: Data, _ type: String, to writer: inout HARTextWriter) {
    writer.member("mimeType", type)
    if let file = files.request { return writer.member("_file", file) }
    let isText = body.isArchivedAsText
    if isText, type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
      writer.pairs("params", NamedValue.form(String(decoding: body, as: UTF8.self)))
    }
    writer.key("text")
    if isText { writer.value(utf8: body) } else { writer.value(base64: body) }
    // HAR 1.2 has no encoding here.
    if !isText { writer.member("_encoding", "base64") }
  }

  private func writeResponse(_ entry: HTTPArchive.Entry, to writer: inout HARTextWriter) {
    let status = entry.response?.status ?? 0
    let headers = entry.response?.headers.fields ?? [:]
    writer.object { writer in
      writer.member("status", status)
      writer.member("statusText", status == 0 ? "" : HTTPURLResponse.localizedString(forStatusCode: status))
      writer.member("httpVersion", entry.response == nil ? "" : "HTTP/1.1")
      writer.key("cookies")
      writer.array { writer in
        for field in headers.values(of: "Set-Cookie") { writeCookies(field, of: entry.request.url, to: &writer) }
      }
      writer.key("headers")
      writer.array { for field in headers.fields { $0.pair(field.name, field.value) } }
      writer.key("content")
      writer.object { writer in
        let content = entry.response?.content
        writer.member("size", content?.count ?? 0)
        writer.member("mimeType", headers["Content-Type"] ?? "")
        if let file = files.response {
          writer.member("_file", file)
        } else if let content, !content.isMissing {
          let body = content.data
          let isText = body.isArchivedAsText
          writer.key("text")
          if isText { writer.value(utf8: body) } else { writer.value(base64: body) }
          if !isText { writer.member("encoding", "base64") }
        }
        guard !entry.pieces.isEmpty else { return }
        writer.key("_pieces")
        writer.array { writer in
          for piece in entry.pieces {
            writer.object(isInline: true) {
              $0.member("end", piece.end)
              $0.key("time")
              $0.value(piece.time)
            }
          }
        }
      }
      writer.member("redirectURL", headers["Location"] ?? "")
      if let url = entry.redirectedTo { writer.member("_redirectedTo", url.absoluteString) }
      writer.member("headersSize", -1)
      writer.member("bodySize", entry.response?.content.count ?? -1)
      // As Chrome writes it, for viewers of archives.
      if let error = entry.error {
        writer.member("_error", "failed: \(error.localizedDescription)")
      } else if let obstacle = entry.obstacle {
        writer.member("_error", obstacle)
      }
    }
  }

  private func writeCookies(_ field: String, of url: URL?, to writer: inout HARTextWriter) {
    guard let url else { return }
    for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url) {
      writer.object(isInline: true) {
        $0.member("name", cookie.name)
        $0.member("value", cookie.value)
        $0.member("path", cookie.path)
        $0.member("domain", cookie.domain)
        if let expires = cookie.expiresDate { $0.member("expires", HARDate.text(expires)) }
        $0.key("httpOnly")
        $0.value(cookie.isHTTPOnly)
        $0.key("secure")
        $0.value(cookie.isSecure)
      }
    }
  }
}

extension HARTextWriter {
  fileprivate mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    value(text)
  }

  fileprivate mutating func member(_ key: StaticString, _ number: Int) {
    self.key(key)
    value(number)
  }

  fileprivate mutating func pair(_ name: String, _ text: String) {
    object(isInline: true) {
      $0.member("name", name)
      $0.member("value", text)
    }
  }

  fileprivate mutating func pairs(_ key: StaticString, _ items: NamedItems) {
    self.key(key)
    array { for item in items { $0.pair(item.name, item.value ?? "") } }
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
