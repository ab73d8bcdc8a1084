import Foundation
import StubKit
import StubKitArchive

/// The body of a recorded request in the form in which it is compared.
enum RecordedBody: Hashable {
  case json(StubJSON)
  /// The sorted fields of a form.
  case form([NamedValue])
  /// A GraphQL operation by its name, and by its variables if they distinguish requests.
  case graphQL(String, variables: StubJSON?)
  /// Pieces of bytes, with any bytes between them.
  case text(RecordedText)
  /// A body that the archive doesn't contain. It matches any body.
  case unknown

  init(of entry: HTTPArchive.Entry, _ ignored: IgnoredParts) {
    var facts = RequestFacts(entry.request)
    self = entry.missingBodyLength == nil ? RecordedBody(&facts, ignored) : .unknown
  }

  /// - Parameter ignored: What is left out.
  init(_ facts: inout RequestFacts, _ ignored: IgnoredParts) {
    let data = facts.bodyData ?? Data()
    let contentType = facts.header("Content-Type")?.lowercased() ?? ""
    if let boundary = facts.boundary {
      self = .text(RecordedText(multipart: ignored.reduced(data, boundary: boundary), boundary: boundary))
    } else if let json = facts.json.map(ignored.reduced), json.isContainer || contentType.utf8.contains("json".utf8) {
      if let operation = facts.onlyGraphQLOperation {
        self = .graphQL(operation, variables: json["variables"])
      } else {
        self = .json(json)
      }
    } else if facts.form != nil,
      contentType.starts(withBytesOf: "application/x-www-form-urlencoded") || contentType.isEmpty && data.isForm
    {
      self = .form(facts.formFields.without(ignored.formFields).sorted(by: NamedValue.areInOrder))
    } else {
      self = .text(RecordedText([data]))
    }
  }

  /// Returns the body with a mark in the place of each placeholder, and counts them.
  func marked(_ placeholders: Placeholders, _ count: inout Int) -> RecordedBody {
    switch self {
    case .json(let value): return .json(value.marked(placeholders, &count))
    case .graphQL(let operation, let variables):
      return .graphQL(operation, variables: variables?.marked(placeholders, &count))
    case .form(let fields):
      return .form(fields.map { $0.marked(placeholders, &count) }.sorted(by: NamedValue.areInOrder))
    case .text(let text):
      let marked = text.redacted(placeholders)
      count += marked.parts.count - 1
      return .text(marked)
    case .unknown: return self
    }
  }

  /// The body without its GraphQL variables.
  var withoutVariables: RecordedBody {
    if case .graphQL(let operation, _) = self { .graphQL(operation, variables: nil) } else { self }
  }

  /// Returns the condition for requests with this body.
  ///
  /// - Parameters:
  ///   - ignored: What this body is without.
  ///   - placeholders: What any value meets.
  func condition(_ ignored: IgnoredParts, _ placeholders: Placeholders) -> RequestMatcher {
    switch self {
    case .json(let value): return .recordedJSON(at: "", value, ignored, placeholders)
    case .form(let fields): return .recordedItems(.form, fields, ignoring: ignored.formFields, placeholders)
    case .graphQL(let operation, let variables):
      let condition = RequestMatcher.graphQL(operation)
      return variables.map { condition && .recordedJSON(at: "variables", $0, ignored, placeholders) } ?? condition
    case .text(let text):
      let text = text.redacted(placeholders)
      return text.parts.count > 1 ? RequestMatcher(RecordedTextCriterion(text, ignored)) : hasBody(text.data)
    case .unknown: return .anything
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
