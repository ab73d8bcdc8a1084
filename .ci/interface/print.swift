// Prints the public interface of each module whose symbol graphs are in a folder:
//   swift .ci/interface/print.swift GRAPHS FOLDER

import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    struct Fragment: Decodable { let spelling: String }
    struct Availability: Decodable {
      let isUnconditionallyUnavailable: Bool?
      let isUnconditionallyDeprecated: Bool?
    }

    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
    let declarationFragments: [Fragment]?
    let availability: [Availability]?
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}

struct Declaration: Hashable, Comparable {
  let path: String
  let line: String

  static func < (one: Declaration, other: Declaration) -> Bool { (one.path, one.line) < (other.path, other.line) }
}

/// Returns whether a type has a member because of a conformance to a protocol of the standard library or of Foundation,
/// which its own line names.
func isOfConformance(_ symbol: Graph.Symbol) -> Bool {
  guard symbol.pathComponents.count > 1, let name = symbol.pathComponents.last else { return false }
  let names: Set = [
    "==(_:_:)", "<(_:_:)", "hash(into:)", "encode(to:)", "init(from:)", "description", "errorDescription",
    "errorCode", "errorDomain", "errorUserInfo", "customMirror", "advanced(by:)", "duration(to:)", "minimumResolution",
    "now", "sleep(until:tolerance:)", "startIndex", "endIndex",
  ]
  let text = (symbol.declarationFragments ?? []).map(\.spelling).joined()
  return names.contains(name) || text.contains("subscript(position:")
    || name.hasPrefix("init(") && name.hasSuffix("iteral:)")
}

func declarations(of graph: Graph) -> [Declaration] {
  let names = Dictionary(
    graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) }, uniquingKeysWith: { $1 })
  let conformances = Dictionary(grouping: graph.relationships.filter { $0.kind == "conformsTo" }, by: \.source)
    .mapValues { $0.map { names[$0.target] ?? $0.targetFallback ?? $0.target }.sorted().joined(separator: ", ") }

  let symbols = graph.symbols.filter { !$0.identifier.precise.contains("::SYNTHESIZED::") && !isOfConformance($0) }
  return symbols.map { symbol in
    let owner = symbol.pathComponents.dropLast().joined(separator: ".")
    // A declaration on several lines becomes one.
    let text = (symbol.declarationFragments ?? []).map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
    var line = owner.isEmpty ? "" : "\(owner): "
    for state in symbol.availability ?? [] {
      if state.isUnconditionallyUnavailable == true { line += "@available(*, unavailable) " }
      if state.isUnconditionallyDeprecated == true { line += "@available(*, deprecated) " }
    }
    line += text.joined(separator: " ")
    if let list = conformances[symbol.identifier.precise] { line += " // \(list)" }
    return Declaration(path: symbol.pathComponents.joined(separator: "."), line: line)
  }
}

let arguments = CommandLine.arguments.suffix(2).map { URL(fileURLWithPath: $0, isDirectory: true) }
let files = try FileManager.default.contentsOfDirectory(at: arguments[0], includingPropertiesForKeys: nil)
// StubKit.symbols.json has a module's own declarations, StubKit@Swift.symbols.json its extensions of Swift's types.
let modules = Dictionary(grouping: files.filter { $0.lastPathComponent.hasSuffix(".symbols.json") }) {
  String($0.lastPathComponent.prefix { $0 != "@" && $0 != "." })
}
for (module, files) in modules {
  let lines = try files.flatMap {
    try declarations(of: JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)))
  }
  let text = Set(lines).sorted().map { $0.line + "\n" }.joined()
  try Data(text.utf8).write(to: arguments[1].appendingPathComponent("\(module).txt"))
}
