import Foundation
import StubKit
import StubKitArchive

/// The body of a recorded request in the form in which it is compared.
enum RecordedBody: Hashable {
  /// JSON. What is redacted is reduced to the mark.
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

  init(of entry: HTTPArchive.Entry, _ ignored: IgnoredParts) {
    var facts = RequestFacts(entry.request)
    self = entry.missingBodyLength == nil ? RecordedBody(&facts, ignored) : .unknown
  }

  /// - Parameters:
  ///   - ignored: What is left out.
  ///   - literally: Whether placeholders stay as they are.
  init(_ facts: inout RequestFacts, _ ignored: IgnoredParts, literally: Bool = false) {
    var data = facts.bodyData ?? Data()
    let contentType = facts.header("Content-Type")?.lowercased() ?? ""
    let boundary = facts.boundary
    if let boundary { data = ignored.reduced(data, boundary: boundary) }
    if !literally, let boundary {
      self = .text(RecordedText(multipart: data, boundary: boundary))
    } else if let json = facts.json.map({ ignored.reduced(literally ? $0 : $0.withoutSecrets) }),
      json.isContainer || contentType.utf8.contains("json".utf8)
    {
      if let operation = facts.onlyGraphQLOperation {
        self = .graphQL(operation, variables: json["variables"])
      } else {
        self = .json(json)
      }
    } else if contentType.starts(withBytesOf: "application/x-www-form-urlencoded") || contentType.isEmpty && data.isForm
    {
      let fields = facts.formFields.without(ignored.formFields)
      self = .form(fields.map { literally ? $0 : $0.withoutSecret }.sorted(by: NamedValue.areInOrder))
    } else if !literally, let text = String(validUTF8: data), text.isRedacted {
      self = .text(RecordedText(redacted: data))
    } else {
      self = .bytes(data)
    }
  }

  /// The number of redacted values that are compared.
  var redactedCount: Int {
    switch self {
    case .json(let value), .graphQL(_, let value?): value.redactedCount
    case .form(let fields): fields.count(where: \.isRedacted)
    case .text(let text): text.parts.count - 1
    case .graphQL, .bytes, .unknown: 0
    }
  }

  /// The body without its GraphQL variables.
  var withoutVariables: RecordedBody {
    if case .graphQL(let operation, _) = self { .graphQL(operation, variables: nil) } else { self }
  }

  /// Returns the condition for requests with this body.
  ///
  /// - Parameter ignored: What this body is without.
  func condition(_ ignored: IgnoredParts) -> RequestMatcher {
    switch self {
    case .json(let value): .recordedJSON(at: "", value, ignored)
    case .form(let fields): .recordedItems(.form, fields, ignoring: ignored.formFields)
    case .graphQL(let operation, let variables?):
      RequestMatcher(GraphQLCriterion(operation: operation)) && .recordedJSON(at: "variables", variables, ignored)
    case .graphQL(let operation, nil): RequestMatcher(GraphQLCriterion(operation: operation))
    case .bytes(let data): hasBody(data)
    case .text(let text): RequestMatcher(RecordedTextCriterion(text, ignored))
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

extension Data {
  /// A Boolean value that indicates whether a body without a Content-Type reads as a form.
  fileprivate var isForm: Bool { contains(UInt8(ascii: "=")) && allSatisfy { 0x21...0x7E ~= $0 } }
}
