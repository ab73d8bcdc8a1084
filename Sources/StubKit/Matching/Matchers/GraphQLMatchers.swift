import Foundation

/// Matches GraphQL requests for an operation, such as `isGraphQL(operation: "GetUser")`.
///
/// ```swift
/// stub(
///   .post, "https://api.example.com/graphql",
///   where: isGraphQL(operation: "GetUser"),
///   response: .json(["data": ["user": ["id": 42]]]))
/// ```
///
/// Only POST and GET requests match, because GraphQL over HTTP has no others. The operation can be in a JSON body, in a
/// batch of operations, in an `application/graphql` document, in the query of a GET request, or in the part
/// `operations` of an upload (the GraphQL multipart request specification). The matcher compares `operationName`. If
/// the request has none, it compares the name in the document, provided that the document has only one operation.
/// An empty `operationName` is none of these: servers answer `Unknown operation named ""`.
///
/// - Parameter operation: The name alone. The test fails if it isn't one, as in `"query GetUser"`.
public func isGraphQL(operation: String) -> RequestMatcher {
  RequestMatcher(GraphQLCriterion(operation: operation), unless: operation.fault(.impossibleOperation))
}

extension RequestMatcher {
  /// Matches an operation as ``isGraphQL(operation:)`` does, whatever name a recorded request has given it.
  package static func graphQL(_ operation: String) -> RequestMatcher {
    RequestMatcher(GraphQLCriterion(operation: operation))
  }
}

final class GraphQLCriterion: Criterion {
  let operation: String

  init(operation: String) { self.operation = operation }

  var description: String { "isGraphQL(operation: \(operation.debugDescription))" }
  var subject: String { "GraphQL operation" }
  var expectation: String { operation.plain }
  var stages: Stages { .body }
  var weight: ClosedRange<Int> { Points.body.lowerBound...Points.otherBody }

  func test(_ facts: inout RequestFacts) -> Bool {
    facts.graphQLOperations.has(operation)
  }

  func actual(_ facts: inout RequestFacts) -> String? {
    let names = GraphQLOperation.names(in: &facts).map(\.plain).listed
    if names.isEmpty { return nil }
    return GraphQLOperation.isSent(by: facts.method)
      ? names : "\(names) in a \(facts.method), which is no GraphQL request"
  }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) { body(.graphQLOperation(operation)) }
}

/// The operations that a request asks a GraphQL server for (GraphQL over HTTP): in a JSON body, a batch, an
/// `application/graphql` document, the query of a GET, or the part `operations` of an upload.
enum GraphQLOperation {
  static func isSent(by method: String) -> Bool { method == "POST" || method == "GET" }

  /// Returns the names of the operations to execute: one, or one for each request of a batch.
  static func names(in facts: inout RequestFacts) -> [String] {
    let multipart = facts.multipart.flatMap { $0.problem == nil ? $0 : nil }
    let operations = multipart?.parts.first { $0.name == "operations" }
    if let json = facts.json ?? operations.flatMap({ try? StubJSON(parsing: $0.body) }) {
      let requests = if case .array(let batch) = json { batch } else { [json] }
      return requests.compactMap { name(operationName: $0["operationName"]?.text, document: $0["query"]?.text) }
    }
    if let data = facts.bodyData,
      facts.header("Content-Type")?.lowercased().starts(withBytesOf: "application/graphql") == true
    {
      return [name(operationName: nil, document: String(utf8: data))].compactMap { $0 }
    }
    let items = facts.queryItems
    func value(_ name: String) -> String? { items.named(name).first?.value }
    return [name(operationName: value("operationName"), document: value("query"))].compactMap { $0 }
  }

  private static func name(operationName: String?, document: String?) -> String? {
    // An empty one is a name that no operation has: servers refuse it.
    if let operationName { return operationName.isEmpty ? nil : operationName }
    guard let document else { return nil }
    let names = self.names(inDocument: document)
    // A document with several operations doesn't say which of them to execute.
    return names.count == 1 ? names[0] : nil
  }

  /// Returns the names of a document's operations, in order (GraphQL specification, section 2.3).
  static func names(inDocument document: String) -> [String] {
    // What is in brackets becomes semicolons, and a space follows it.
    var outer = [UInt8]()
    var depth = 0
    // A byte order mark is ignored (GraphQL specification, section 2.1.2).
    for byte in withoutStrings(document.replacing("\u{FEFF}", with: " ")).utf8 {
      if "{([".utf8.contains(byte) { depth += 1 }
      outer.append(depth == 0 ? byte : UInt8(ascii: ";"))
      guard "})]".utf8.contains(byte) else { continue }
      depth = max(0, depth - 1)
      outer.append(UInt8(ascii: " "))
    }
    var words = outer.split { $0.isWhiteSpace || $0 == UInt8(ascii: ",") }[...]
    var names: [String] = []
    while let word = words.popFirst().map({ String(utf8: $0) }) {
      guard ["query", "mutation", "subscription", "fragment"].contains(word),
        let name = words.first?.prefix(while: { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 >= 0x80 }),
        !name.isEmpty
      else { continue }
      words.removeFirst()
      // A fragment can have any name, including `query`.
      if word != "fragment" { names.append(String(utf8: name)) }
    }
    return names
  }

  private static func withoutStrings(_ document: String) -> String {
    guard document.has("\"") || document.has("#"), let strings else { return document }
    let whole = NSRange(location: 0, length: document.utf16.count)
    return strings.stringByReplacingMatches(in: document, range: whole, withTemplate: " ")
  }

  /// Block strings, in which only a triple quote is escaped, strings and comments. Each reaches to the end of the
  /// document if nothing closes it: a search that failed there would begin anew at every quote.
  private static let strings = try? NSRegularExpression(
    pattern: ##"(?:"{3})(?:\\"{3}|(?!"{3})[\s\S])*+(?:"{3}|\z)|"(?:\\(?:[\s\S]|\z)|[^"\\])*+(?:"|\z)|#[^\n\r]*"##)
}

extension StubJSON {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
