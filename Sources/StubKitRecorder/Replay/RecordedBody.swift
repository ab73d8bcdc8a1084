import Foundation
import StubKit
import StubKitArchive
import StubKitFormats

/// The body of a recorded request in the form in which it is compared.
enum RecordedBody: Hashable {
  /// JSON. A redacted string is reduced to the mark.
  case json(JSONValue)
  /// The sorted fields of a form. A redacted value is reduced to the mark.
  case form([NamedValue])
  /// A GraphQL operation by its name, and by its variables if they distinguish requests.
  case graphQL(String, variables: JSONValue?)
  case bytes(Data)
  /// Pieces of bytes, with any bytes between them.
  case text(RecordedText)
  /// A body that the archive doesn't contain. It matches any body.
  case unknown

  init(of entry: HTTPArchive.Entry) {
    self = entry.missingBodyLength == nil ? RecordedBody(of: entry.request) : .unknown
  }

  private init(of request: URLRequest) {
    var facts = RequestFacts(request)
    let data = facts.bodyData ?? Data()
    let contentType = facts.header("Content-Type")?.lowercased() ?? ""
    if let boundary = facts.header("Content-Type").flatMap(MultipartBody.boundary(ofContentType:)) {
      self = .text(RecordedText(multipart: data, boundary: boundary))
    } else if let json = facts.json, json.isContainer || contentType.utf8.contains("json".utf8) {
      if let operation = facts.onlyGraphQLOperation {
        self = .graphQL(operation, variables: json["variables"]?.withoutSecrets)
      } else {
        self = .json(json.withoutSecrets)
      }
    } else if contentType.starts(withBytesOf: "application/x-www-form-urlencoded") || contentType.isEmpty && data.isForm
    {
      self = .form(facts.formFields.map(\.withoutSecret).sorted(by: NamedValue.areInOrder))
    } else if let text = String(validUTF8: data), text.isRedacted {
      self = .text(RecordedText(redacted: data))
    } else {
      self = .bytes(data)
    }
  }

  /// The same body without GraphQL variables.
  var withoutVariables: RecordedBody {
    if case .graphQL(let operation, _) = self { .graphQL(operation, variables: nil) } else { self }
  }

  /// The condition for requests with this body.
  var condition: RequestMatcher {
    switch self {
    case .json(let value):
      .recordedJSON(at: "", value)
    case .form(let fields):
      .recordedItems(.form, NamedItems(fields))
    case .graphQL(let operation, let variables?):
      isGraphQL(operation: operation) && .recordedJSON(at: "variables", variables)
    case .graphQL(let operation, nil): isGraphQL(operation: operation)
    case .bytes(let data): hasBody(data)
    case .text(let text): .recordedText(text)
    case .unknown: .anything
    }
  }
}

extension RequestFacts {
  /// The name of the only operation in a JSON body for a GraphQL server.
  fileprivate var onlyGraphQLOperation: String? {
    mutating get {
      // A persisted query has extensions instead of a document.
      guard let json, json["query"] != nil || json["extensions"] != nil else { return nil }
      let names = graphQLOperations
      return names.count == 1 ? names[0] : nil
    }
  }
}

extension JSONValue {
  /// The value, with each redacted string reduced to the mark.
  fileprivate var withoutSecrets: JSONValue {
    switch self {
    case .string(let text): text.isRedacted ? .string(Redacted.mark) : self
    case .array(let elements): .array(elements.map(\.withoutSecrets))
    case .object(let members): .object(members.mapValues(\.withoutSecrets))
    case .null, .bool, .number: self
    }
  }
}

extension Data {
  /// A Boolean value that indicates whether a body without a Content-Type reads as a form.
  fileprivate var isForm: Bool { contains(UInt8(ascii: "=")) && allSatisfy { 0x21...0x7E ~= $0 } }
}
