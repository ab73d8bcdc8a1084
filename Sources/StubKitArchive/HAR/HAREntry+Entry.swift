import Foundation
import StubKitFormats

extension HAREntry {
  /// The reason why an entry is invalid.
  struct Problem: Error {
    let sentence: String
  }
}

extension HTTPArchive.Entry {
  /// Returns the beginning of a URL without its user information and its query, which can contain secrets.
  private static func shown(_ url: String) -> Substring {
    (url.prefix { $0 != "?" && $0 != "#" }.split(separator: "@").last ?? "").prefix(200)
  }

  /// - Parameters:
  ///   - isOwn: Whether StubKit wrote the entry. Entries of other tools are corrected.
  ///   - folder: The folder that contains the files with bodies.
  init(_ read: HAREntry, isOwn: Bool, folder: URL?) throws {
    var read = read
    if !isOwn { read.mend() }
    guard let method = read.method, !method.isEmpty else {
      throw HAREntry.Problem(sentence: "The request has no method.")
    }
    guard let text = read.url, !text.isEmpty else { throw HAREntry.Problem(sentence: "The request has no URL.") }
    guard let url = URL(archived: text) else {
      throw HAREntry.Problem(sentence: "The request's URL \"\(Self.shown(text))\" is not valid.")
    }
    guard url.scheme != nil else {
      throw HAREntry.Problem(sentence: "The request's URL \"\(Self.shown(text))\" is not absolute.")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    for header in read.requestHeaders where !header.name.isEmpty {
      request.addArchivedValue(header.value ?? "", forHTTPHeaderField: header.name)
    }
    let timings = read.timingsToResponse + [read.wait ?? .zero, read.receive ?? .zero]
    let duration = read.time ?? timings.reduce(.zero, +)
    self.init(request: request, startedAt: read.startedAt ?? Date(timeIntervalSince1970: 0), duration: duration)
    unreadableStart = read.unreadableStart

    var files = BodyFiles(folder: folder)
    self.request.httpBody = read.requestBody(&files)
    if self.request.httpBody == nil { missingBodyLength = read.postData?.size }
    if let status = read.status, status > 0 {
      let body = read.responseBody(&files)
      if !isOwn { read.mendResponseHeaders(bodyLength: body.count) }
      let fields = read.responseHeaders.lazy.filter { !$0.name.isEmpty }.map { (name: $0.name, value: $0.value ?? "") }
      response = HTTPArchive.Response(status: status, headers: HTTPArchive.Headers(fields), content: body)
      timeToResponse =
        read.hasOwnTimeToResponse
        ? read.ownTimeToResponse : read.wait.map { read.timingsToResponse.reduce($0, +) }
    }
    // On Linux, `URLError.Code` has no value for a code that Foundation doesn't know.
    let code: URLError.Code? = read.failure.flatMap {
      $0.domain == URLError.errorDomain ? URLError.Code(rawValue: $0.code) : nil
    }
    if let code {
      // What a client shows of a replayed error is what it showed of the real one.
      error = URLError(code, userInfo: read.failure?.description.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
    } else if let failure = read.failure {
      obstacle = "failed with the error \(failure.code) of \(failure.domain), which StubKit can't create"
    }
    pieces = read.content.pieces
    redirectedTo = read.redirectedTo.flatMap(URL.init(archived:))
    stubName = read.stub
    let undecodable = read.content.isUndecodable ? HAREntry.notBase64 : nil
    if let found = read.obstacle ?? (isOwn ? nil : read.foreignObstacle) ?? files.problem ?? undecodable {
      obstacle = found
    }
  }
}

extension HAREntry {
  /// The request's body, or `nil` if it has none or the archive doesn't contain it.
  fileprivate func requestBody(_ files: inout BodyFiles) -> Data? {
    guard let postData else { return nil }
    if let file = postData.file { return files.file(file) }
    if let data = postData.data, !data.isEmpty { return data }
    if !postData.params.isEmpty { return postData.bodyOfParams }
    // Only the length of the body is known.
    if postData.size ?? requestBodySize ?? 0 > 0 { return nil }
    return postData.data
  }

  fileprivate func responseBody(_ files: inout BodyFiles) -> ArchivedBody {
    if let data = content.file.map({ files.file($0) }) ?? content.data { return ArchivedBody(data) }
    let size = content.size ?? 0
    return content.file != nil || size > 0 ? ArchivedBody(missing: size) : ArchivedBody(Data())
  }
}

extension URL {
  /// - Parameter text: A URL as browsers write it. They don't encode all characters that RFC 3986 requires to be
  ///   encoded.
  init?(archived text: String) {
    if let url = URL(string: text) {
      self = url
      return
    }
    let encoded = text.percentEscaped { $0.isAlphanumeric || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains($0) }
    guard let url = URL(string: encoded) else { return nil }
    self = url
  }
}

extension URLRequest {
  /// Joins the values of a repeated field with commas, or cookies with semicolons (RFC 9113, section 8.2.3).
  fileprivate mutating func addArchivedValue(_ value: String, forHTTPHeaderField name: String) {
    guard let first = self.value(forHTTPHeaderField: name) else { return setValue(value, forHTTPHeaderField: name) }
    setValue(first + (name.lowercased() == "cookie" ? "; " : ", ") + value, forHTTPHeaderField: name)
  }
}

extension HAREntry.Body {
  /// Returns the body that consists of these fields, for tools that save only the fields of a form. Returns `nil` if
  /// the fields are incomplete.
  var bodyOfParams: Data? {
    guard mimeType.lowercased().starts(withBytesOf: "multipart/") else {
      let fields = params.map { field in
        field.value.map { "\(field.name.formEncoded)=\($0.formEncoded)" } ?? field.name.formEncoded
      }
      return Data(fields.joined(separator: "&").utf8)
    }
    guard let boundary = MultipartBody.boundary(ofContentType: mimeType), params.allSatisfy({ $0.value != nil }) else {
      return nil
    }
    let parts = params.map { field in
      var head = "Content-Disposition: form-data; name=\"\(field.name.quotedForForm)\""
      if let fileName = field.fileName { head += "; filename=\"\(fileName.quotedForForm)\"" }
      if let type = field.contentType, !type.isEmpty { head += "\r\nContent-Type: \(type)" }
      return "--\(boundary)\r\n\(head)\r\n\r\n\(field.value ?? "")\r\n"
    }
    return Data((parts.joined() + "--\(boundary)--\r\n").utf8)
  }
}

extension String {
  /// The text as a form encodes it (WHATWG URL, application/x-www-form-urlencoded).
  fileprivate var formEncoded: String {
    percentEscaped { $0.isAlphanumeric || "*-._ ".utf8.contains($0) }.replacing(" ", with: "+")
  }

  /// The text as a part's header encodes it (WHATWG HTML, multipart/form-data).
  fileprivate var quotedForForm: String {
    replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing("\"", with: "%22")
  }
}
