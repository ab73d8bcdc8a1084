import Foundation
import StubKitFormats

/// The body of a request, as far as it is known.
enum RequestBody: Sendable {
  case none
  case data(Data)
  /// A stream or a file that nobody has read.
  case unread
}

/// A body and its content in the formats that criteria need. Each is parsed when it is first needed.
struct BodyFacts {
  let body: RequestBody

  private var cachedJSON = Memo<JSONValue>.unknown
  private var cachedForm: NamedItems?
  private var cachedMultipart: MultipartBody?

  init(_ body: RequestBody) {
    self.body = body
  }

  /// The bytes, or `nil` if there is no body or nobody has read it.
  var data: Data? {
    if case .data(let data) = body { data } else { nil }
  }

  var json: JSONValue? {
    mutating get {
      if case .known(let json) = cachedJSON { return json }
      let json = data.flatMap { try? JSONValue(parsing: $0) }
      cachedJSON = .known(json)
      return json
    }
  }

  var formFields: NamedItems {
    mutating get {
      if let cachedForm { return cachedForm }
      let fields = data.map { FormBody(parsing: $0).fields } ?? []
      cachedForm = fields
      return fields
    }
  }

  /// A request has one boundary, so there is one result to keep.
  mutating func multipart(boundary: String) -> MultipartBody? {
    if let cachedMultipart { return cachedMultipart }
    cachedMultipart = data.map { MultipartBody(parsing: $0, boundary: boundary) }
    return cachedMultipart
  }
}
