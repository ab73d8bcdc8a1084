import Foundation
import StubKit

extension HTTPArchive.Entry {
  /// - Parameters:
  ///   - isOwn: Whether StubKit wrote the entry. Entries of other tools are corrected.
  ///   - folder: The folder that contains the files with bodies.
  init(_ read: EntryInFile, isOwn: Bool, folder: URL?) throws {
    var read = read
    try read.request.postData?.decode("request.postData", folder)
    try read.response?.content?.decode("response.content", folder)
    if !isOwn { read.mend() }
    try require(!read.request.method.isEmpty, "The request has no method.")
    try require(!read.request.url.isEmpty, "The request has no URL.")
    let parsed = URL(archived: read.request.url)
    guard let url = parsed, url.scheme != nil else {
      // The user information and the query can contain secrets.
      let shown = read.request.url.prefix { $0 != "?" && $0 != "#" }.split(separator: "@").last ?? ""
      let lack = parsed == nil ? "valid" : "absolute"
      throw UsageMistake("The request's URL \"\(shown.prefix(200))\" is not \(lack).")
    }
    var request = URLRequest(url: url)
    request.httpMethod = read.request.method
    let fields = Self.fields(read.requestHeaders)
    if !fields.isEmpty { request.allHTTPHeaderFields = fields }
    let timings = read.timings ?? EntryInFile.Timings()
    let toResponse = [timings.blocked, timings.dns, timings.connect, timings.send].compactMap(Duration.init(archived:))
    let (wait, receive) = (Duration(archived: timings.wait), Duration(archived: timings.receive))
    let duration = Duration(archived: read.time) ?? toResponse.reduce((wait ?? .zero) + (receive ?? .zero), +)
    let start = read.startedDateTime.flatMap(Date.init(archived:))
    self.init(request: request, startedAt: start ?? Date(timeIntervalSince1970: 0), duration: duration)
    if start == nil { unreadableStart = read.startedDateTime ?? "" }

    // Before its headers are mended, because they can be all that tells of a body.
    let foreignObstacle = isOwn ? nil : read.foreignObstacle
    self.request.httpBody = read.requestBody
    if self.request.httpBody == nil { missingBodyLength = read.request.postData?.size }
    if let status = read.status, status > 0 {
      let body = read.responseBody
      let fields = read.responseHeaders.compactMap { field in
        field.name.flatMap { $0.isEmpty ? nil : (name: $0, value: field.value?.text ?? "") }
      }
      var headers = StubHeaders(fields)
      if !isOwn {
        // The content is decoded.
        for name in ["Content-Encoding", "Transfer-Encoding"] { headers[name] = nil }
        if read.expectsBody, let length = headers.first(where: { $0.name.isHeaderName("Content-Length") }) {
          headers[length.name] = "\(body.count)"
        }
      }
      response = HTTPArchive.Response(status: status, headers: headers, content: body)
      timeToResponse = timings._timeToResponse.map(Duration.init(archived:)) ?? wait.map { toResponse.reduce($0, +) }
    }
    if let failure = read._error {
      let (domain, number) = (failure.domain ?? "", failure.code.flatMap { Int(exactly: $0) } ?? 0)
      // On Linux, `URLError.Code` has no value for a code that Foundation doesn't know.
      if domain == URLError.errorDomain, let code = URLError.Code(rawValue: number) as URLError.Code? {
        // What a client shows of a replayed error is what it showed of the real one.
        error = URLError(code, userInfo: failure.description.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
      } else {
        statedObstacle = "failed with the error \(number) of \(domain), which StubKit can't create"
      }
    }
    pieces = (read.content._pieces ?? []).map { Piece(end: $0.end ?? 0, time: Duration(archived: $0.time) ?? .zero) }
    redirectedTo = read.response?._redirectedTo.flatMap(URL.init(archived:))
    stubName = read._stub
    redacted = read._redacted.map { Set($0.filter { !$0.isEmpty }) }
    let lost = read.content.problem ?? read.request.postData?.problem
    let undecodable = read.content.isUndecodable ? EntryInFile.notBase64 : nil
    let found = read._obstacle ?? foreignObstacle ?? lost ?? undecodable
    statedObstacle = found ?? statedObstacle
  }
}

extension EntryInFile {
  /// The request's body, or `nil` if it has none or the archive doesn't contain it.
  fileprivate var requestBody: Data? {
    guard let body = request.postData else { return nil }
    guard body._file == nil, body.data?.isEmpty ?? true else { return body.data }
    if let params = body.params, !params.isEmpty { return body.body(of: params) }
    // Only the length of the body is known.
    return body.size ?? request.bodySize ?? 0 > 0 ? nil : body.data
  }

  fileprivate var responseBody: ArchivedBody {
    if let data = content.data { return ArchivedBody(data) }
    let size = content.size ?? 0
    return content._file != nil || size > 0 ? ArchivedBody(missing: size) : ArchivedBody(Data())
  }
}

extension EntryInFile.Body {
  /// Whether the text isn't what its encoding says.
  var isUndecodable: Bool { text != nil && data == nil && encoding?.lowercased() == "base64" }

  /// Finds the bytes that the text stands for, or those of the file.
  ///
  /// - Parameters:
  ///   - place: Where the body is, for messages.
  ///   - folder: The folder that contains the files with bodies.
  fileprivate mutating func decode(_ place: String, _ folder: URL?) throws {
    try require(encoding == nil || ownEncoding == nil, "\"\(place)\" has both \"encoding\" and \"_encoding\".")
    (encoding, size) = (encoding ?? ownEncoding, size ?? ownSize)
    if let _file {
      do throws(UsageMistake) { data = try BodyFile.read(_file, below: folder) } catch {
        problem = "has a body in the file \"\(_file)\", which \(error.sentence)"
      }
      return
    }
    switch encoding?.lowercased() {
    case nil, "", "utf-8", "utf8": data = text.map { Data($0.utf8) }
    case "base64": data = text.flatMap { Data(base64Encoded: $0) ?? Data(base64OfAnyKind: $0) }
    default: break
    }
  }
}

extension Date {
  /// Creates the date that ISO 8601 text stands for, in milliseconds, or returns `nil` if it isn't such text.
  init?(archived text: String) {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.has("."))
    guard let date = try? style.parse(text) else { return nil }
    // A `Date` of this century is wrong by less than half a microsecond.
    self.init(timeIntervalSince1970: (date.timeIntervalSince1970 * 1_000 + 0.0005).rounded(.down) / 1_000)
  }
}

extension Duration {
  /// Creates a duration, or returns `nil` for a number that isn't a valid duration.
  ///
  /// - Parameter milliseconds: Any number from a file. More than 31 years count as 31 years.
  init?(archived milliseconds: Double?) {
    guard let milliseconds, milliseconds >= 0 else { return nil }
    self = .microseconds(Int64((min(milliseconds, 1e12) * 1_000).rounded()))
  }
}

extension URL {
  /// - Parameter text: A URL as browsers write it. They don't encode all characters that RFC 3986 requires to be
  ///   encoded.
  init?(archived text: String) {
    guard let url = URL(string: text) ?? URL(string: text.percentEncoded(.inURL)) else { return nil }
    self = url
  }
}

extension EntryInFile.Body {
  /// Returns the body that consists of these fields, for tools that save only the fields of a form. Returns `nil` if
  /// the fields are incomplete.
  fileprivate func body(of params: [EntryInFile.Pair]) -> Data? {
    let mimeType = mimeType ?? ""
    guard mimeType.lowercased().starts(withBytesOf: "multipart/") else {
      let fields = params.map { field in
        [field.name ?? "", field.value?.text].compactMap { $0?.formEncoded }.joined(separator: "=")
      }
      return Data(fields.joined(separator: "&").utf8)
    }
    guard let boundary = MultipartBody.boundary(ofContentType: mimeType), params.allSatisfy({ $0.value?.text != nil })
    else { return nil }
    let parts = params.map { field in
      var head = "Content-Disposition: form-data; name=\"\((field.name ?? "").quotedForForm)\""
      if let fileName = field.fileName { head += "; filename=\"\(fileName.quotedForForm)\"" }
      if let type = field.contentType, !type.isEmpty { head += "\r\nContent-Type: \(type)" }
      return "--\(boundary)\r\n\(head)\r\n\r\n\(field.value?.text ?? "")\r\n"
    }
    return Data((parts.joined() + "--\(boundary)--\r\n").utf8)
  }
}

extension String {
  /// The text as a form encodes it (WHATWG URL, application/x-www-form-urlencoded).
  fileprivate var formEncoded: String { percentEncoded(.inForm).replacing(" ", with: "+") }

  /// The text as a part's header encodes it (WHATWG HTML, multipart/form-data).
  fileprivate var quotedForForm: String {
    replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing("\"", with: "%22")
  }
}

extension HTTPArchive.Entry {
  /// Returns the fields of a request as Foundation spells their names. It looks through all of them at each access, so
  /// they are collected here. The values of a repeated field are joined with commas, or cookies with semicolons
  /// (RFC 9113, section 8.2.3).
  fileprivate static func fields(_ headers: [EntryInFile.Pair]) -> [String: String] {
    var (fields, spellings) = ([String: String](), [String: String]())
    for header in headers {
      guard let name = header.name, !name.isEmpty else { continue }
      let (lower, value) = (name.lowercased(), header.value?.text ?? "")
      if let spelling = spellings[lower], let first = fields[spelling] {
        fields[spelling] = first + (lower == "cookie" ? "; " : ", ") + value
        continue
      }
      var request = URLRequest(url: URL(fileURLWithPath: "/"))
      request.setValue(value, forHTTPHeaderField: name)
      for (spelling, value) in request.allHTTPHeaderFields ?? [:] {
        (spellings[lower], fields[spelling]) = (spelling, value)
      }
    }
    return fields
  }
}
