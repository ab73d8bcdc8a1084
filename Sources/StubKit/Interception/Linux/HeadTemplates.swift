import StubKitFormats

#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Creates heads from earlier ones that differ only by their URL and by the length of the body.
  ///
  /// An `HTTPURLResponse` parses its header fields, which costs more than the rest of a stub's answer. The first head
  /// with the same status and headers is therefore the template for later ones.
  struct HeadTemplates: Sendable {
    private let fields: StoredField<[String: String]>
    private let mimeType: StoredField<String?>
    private let textEncodingName: StoredField<String?>
    private let suggestedFilename: StoredField<String?>
    private let expectedContentLength: StoredField<Int64>

    private struct Key: Hashable {
      let status: Int
      let headers: ResponseHeaders
    }

    /// The number of templates that are kept. Suites use few different headers.
    private static let limit = 64
    private static let templates = Protected<[Key: HTTPURLResponse]>([:])

    init?(named name: String = "_allHeaderFields") {
      guard let fields = StoredField<[String: String]>(name, of: HTTPURLResponse.self),
        let mimeType = StoredField<String?>("mimeType", of: URLResponse.self),
        let textEncodingName = StoredField<String?>("textEncodingName", of: URLResponse.self),
        let suggestedFilename = StoredField<String?>("suggestedFilename", of: URLResponse.self),
        let expectedContentLength = StoredField<Int64>("expectedContentLength", of: URLResponse.self)
      else { return nil }
      self.fields = fields
      self.mimeType = mimeType
      self.textEncodingName = textEncodingName
      self.suggestedFilename = suggestedFilename
      self.expectedContentLength = expectedContentLength
      guard isEffective else { return nil }
    }

    /// Returns the head for a URL, or `nil` if no head can be created.
    func head(for url: URL, _ content: HeadContent) -> HTTPURLResponse? {
      let key = Key(status: content.status, headers: content.headers)
      let template: HTTPURLResponse
      if let known = Self.templates.withLock({ $0[key] }) {
        template = known
      } else {
        guard let made = Self.make(url, content.status, content.headers.joined) else { return nil }
        let dropped = Self.templates.withLock { templates in
          var dropped: [Key: HTTPURLResponse] = [:]
          if templates.count >= Self.limit { swap(&templates, &dropped) }
          templates[key] = made
          return dropped
        }
        _ = consume dropped
        template = made
      }
      return head(for: url, content, from: template)
    }

    private func head(for url: URL, _ content: HeadContent, from template: HTTPURLResponse) -> HTTPURLResponse? {
      guard let head = Self.make(url, content.status, [:]) else { return nil }
      var fields = fields.load(from: template)
      if let length = content.addedLength { fields["Content-Length"] = String(length) }
      // Nobody else has the head yet.
      self.fields.store(fields, in: head)
      mimeType.store(mimeType.load(from: template), in: head)
      textEncodingName.store(textEncodingName.load(from: template), in: head)
      suggestedFilename.store(suggestedFilename.load(from: template), in: head)
      let length = content.addedLength.map(Int64.init) ?? expectedContentLength.load(from: template)
      expectedContentLength.store(length, in: head)
      return head
    }

    private static func make(_ url: URL, _ status: Int, _ headers: [String: String]) -> HTTPURLResponse? {
      Platform.makeResponse(url: url, status: status, headers: headers)
    }

    /// A Boolean value that indicates whether heads from templates say the same as those that are created for their
    /// URLs. Without header fields, they must not say anything that comes from the template's URL.
    private var isEffective: Bool {
      isEffective([
        "content-type": "text/plain; charset=utf-8", "Content-Disposition": "attachment; filename=\"a.txt\"",
      ]) && isEffective([:])
    }

    private func isEffective(_ headers: ResponseHeaders) -> Bool {
      let content = HeadContent(status: 200, headers: headers, addedLength: 12)
      guard let other = URL(string: "http://localhost/1.html"), let url = URL(string: "http://localhost/2.png"),
        let template = Self.make(other, 200, headers.joined), let copy = head(for: url, content, from: template),
        let made = Self.make(url, 200, content.fields)
      else { return false }
      return copy.url == made.url && copy.statusCode == made.statusCode && copy.mimeType == made.mimeType
        && copy.textEncodingName == made.textEncodingName && copy.suggestedFilename == made.suggestedFilename
        && copy.expectedContentLength == made.expectedContentLength
        && copy.allHeaderFields as? [String: String] == made.allHeaderFields as? [String: String]
    }
  }
#endif
