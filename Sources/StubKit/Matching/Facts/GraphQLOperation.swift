import Foundation

/// What a request asks of a GraphQL server (GraphQL over HTTP): in a JSON body, a batch of them, an
/// `application/graphql` document, or the query of a GET.
enum GraphQLOperation {
  /// The names of the operations to execute: one, or one for each request of a batch.
  static func names(in facts: inout RequestFacts) -> [String] {
    if let json = facts.json {
      let requests = if case .array(let batch) = json { batch } else { [json] }
      return requests.compactMap { name(operationName: $0["operationName"]?.text, document: $0["query"]?.text) }
    }
    if let data = facts.bodyData, facts.header("Content-Type")?.lowercased().hasPrefix("application/graphql") == true {
      return [name(operationName: nil, document: String(decoding: data, as: UTF8.self))].compactMap(\.self)
    }
    let items = facts.queryItems
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    return [name(operationName: value("operationName"), document: value("query"))].compactMap(\.self)
  }

  private static func name(operationName: String?, document: String?) -> String? {
    if let operationName, !operationName.isEmpty { return operationName }
    guard let document else { return nil }
    let names = self.names(inDocument: document)
    // A document of several operations does not say which of them to execute.
    return names.count == 1 ? names[0] : nil
  }

  /// The names of a document's operations, in order (GraphQL specification, section 2.3).
  static func names(inDocument document: String) -> [String] {
    var scanner = Scanner(rest: Substring(document))
    var names: [String] = []
    var depth = 0
    var expectsName = false
    while let token = scanner.next() {
      switch token {
      case "{", "(", "[":
        depth += 1
        expectsName = false
      case "}", ")", "]": depth = max(0, depth - 1)
      case "query" where depth == 0 && !expectsName, "mutation" where depth == 0 && !expectsName,
        "subscription" where depth == 0 && !expectsName:
        expectsName = true
      case "fragment" where depth == 0 && !expectsName:
        // A fragment may bear any name, `query` included.
        _ = scanner.next()
      default:
        if expectsName, token.first.map({ $0.isLetter || $0 == "_" }) == true { names.append(String(token)) }
        expectsName = false
      }
    }
    return names
  }

  /// Names and punctuation; comments and strings are skipped.
  private struct Scanner {
    var rest: Substring

    mutating func next() -> Substring? {
      while let first = rest.first {
        if first == "#" {
          rest = rest.drop { !$0.isNewline }
        } else if rest.hasPrefix("\"\"\"") {
          rest = rest.dropFirst(3)
          skip(past: "\"\"\"")
        } else if first == "\"" {
          rest.removeFirst()
          skip(past: "\"")
        } else if first.isLetter || first == "_" {
          let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
          rest = rest[name.endIndex...]
          return name
        } else {
          let token = rest.prefix(1)
          rest.removeFirst()
          if !first.isWhitespace, first != ",", first != "\u{FEFF}" { return token }
        }
      }
      return nil
    }

    private mutating func skip(past quote: String) {
      while !rest.isEmpty {
        if rest.first == "\\" {
          // In a block string nothing but a triple quote is escaped.
          rest = rest.dropFirst(quote.count == 1 ? 2 : rest.hasPrefix("\\\"\"\"") ? 4 : 1)
        } else if rest.hasPrefix(quote) {
          rest = rest.dropFirst(quote.count)
          return
        } else {
          rest.removeFirst()
        }
      }
    }
  }
}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
