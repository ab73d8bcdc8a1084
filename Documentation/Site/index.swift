// Makes the search index of the site that DocC has built, lists all libraries in the sidebar of each, leaves the
// parameters for the place of a call out of lists and titles, and checks that each function shows an example, and that
// the search leads to headings that there are:
//   swift Documentation/Site/index.swift FOLDER

import Foundation

/// What the search finds: a page, or a section of one.
struct Entry: Encodable {
  let url: String
  let title: String
  /// The heading of the section, and empty for the beginning of a page.
  var section: String
  /// What the results show of the kind of the page, such as Guide or Function.
  let kind: String
  var text: String
}

/// An object or an array that JSONSerialization has read.
typealias JSONObject = [String: Any]

/// The text of inline content, blocks, lists, tables and listings, in reading order. A line of a listing stays a line.
func text(of value: Any, _ references: JSONObject, separator: String = " ") -> String {
  if let values = value as? [Any] {
    return values.map { text(of: $0, references) }.joined(separator: separator)
  }
  guard let object = value as? JSONObject else { return "" }
  switch object["type"] as? String {
  case "text": return (object["text"] as? String ?? "").replacing(#/\s+/#, with: " ")
  case "codeVoice": return object["code"] as? String ?? ""
  case "codeListing": return (object["code"] as? [String] ?? []).joined(separator: "\n")
  case "reference":
    let target = references[object["identifier"] as? String ?? ""] as? JSONObject
    return object["overridingTitle"] as? String ?? target?["title"] as? String ?? ""
  default:
    // What is beside each other in a line has its blanks already.
    let inline = object["inlineContent"].map { text(of: $0, references, separator: "") }
    let rest = ["content", "items", "rows", "caption"].compactMap { object[$0] }.map { text(of: $0, references) }
    return ((inline.map { [$0] } ?? []) + rest).joined(separator: " ")
  }
}

/// The entries of a page: one for a symbol, and one for each section of a guide.
func entries(of page: JSONObject, at url: String) -> [Entry] {
  let metadata = page["metadata"] as? JSONObject ?? [:]
  let references = page["references"] as? JSONObject ?? [:]
  let isSymbol = page["kind"] as? String == "symbol" && metadata["symbolKind"] as? String != "module"
  let title = metadata["title"] as? String ?? ""
  // DocC's lists of what a type has from a protocol answer no question.
  guard !title.hasSuffix(" Implementations") else { return [] }
  var kind = isSymbol ? metadata["roleHeading"] as? String ?? "Symbol" : "Guide"
  // A member with the type that has it.
  let parents = ((page["hierarchy"] as? JSONObject)?["paths"] as? [[String]])?.first ?? []
  if isSymbol, parents.count > 1, let type = references[parents.last ?? ""] as? JSONObject, let name = type["title"] {
    kind += " of \(name)"
  }
  var found = [
    Entry(
      url: url, title: title, section: "", kind: kind, text: text(of: page["abstract"] ?? [], references, separator: "")
    )
  ]
  for section in page["primaryContentSections"] as? [JSONObject] ?? [] {
    if let parameters = section["parameters"] as? [JSONObject] {
      for parameter in parameters {
        found[0].text += " \(parameter["name"] ?? "") " + text(of: parameter["content"] ?? [], references)
      }
    }
    for block in section["content"] as? [JSONObject] ?? [] {
      if block["type"] as? String == "heading", let anchor = block["anchor"] as? String, !isSymbol,
        let heading = block["text"] as? String, heading != "Overview"
      {
        found.append(Entry(url: "\(url)#\(anchor)", title: title, section: heading, kind: kind, text: ""))
      } else {
        found[found.count - 1].text += " " + text(of: block, references)
      }
    }
  }
  // The steps of a tutorial.
  if metadata["role"] as? String == "project" {
    let sections = page["sections"] as? [JSONObject] ?? []
    let hero = sections.first { $0["kind"] as? String == "hero" } ?? [:]
    var entry = Entry(
      url: url, title: hero["title"] as? String ?? title, section: "", kind: "Tutorial",
      text: text(of: hero["content"] ?? [], references))
    for task in sections.flatMap({ $0["tasks"] as? [JSONObject] ?? [] }) {
      entry.text += " \(task["title"] ?? "") " + text(of: task["contentSection"] ?? [], references)
      entry.text += text(of: task["stepsSection"] ?? [], references)
    }
    return [entry]
  }
  return found
}

/// The parameters that say where a call is. They have defaults, and only the declaration of a page shows them.
let places = #/(?:, )?\b(?:(?:fileID|filePath|callerPath|file): StaticString|(?:line|column): UInt)/#
let placeNames: Set = ["fileID", "filePath", "callerPath", "file", "line", "column"]

/// A title such as `stub(condition:response:)`, or a signature in one text, without the parameters for a place.
func withoutPlaces(_ title: String) -> String {
  guard title.contains("line:") else { return title }
  let labels = #/\b(?:fileID|filePath|callerPath|file|line|column):(?! )/#.wordBoundaryKind(.simple)
  return title.replacing(places, with: "").replacing("(, ", with: "(").replacing(labels, with: "")
}

/// The tokens of a signature without the parameters for a place.
func withoutPlaces(_ tokens: [JSONObject]) -> [JSONObject] {
  var (kept, isSkipping): ([JSONObject], Bool) = ([], false)
  for token in tokens {
    let text = token["text"] as? String ?? ""
    if token["kind"] as? String == "externalParam" {
      isSkipping = placeNames.contains(text)
    } else if isSkipping, text.hasPrefix(")") {
      isSkipping = false
      if let last = kept.last?["text"] as? String, last.hasSuffix(", ") {
        kept[kept.count - 1]["text"] = String(last.dropLast(2))
      }
    }
    if !isSkipping { kept.append(token) }
  }
  return kept
}

/// What a page shows of other symbols, and its own title, without the parameters for a place.
func withoutPlaces(_ page: JSONObject) -> JSONObject {
  func shortened(_ symbol: JSONObject) -> JSONObject {
    var symbol = symbol
    if let title = symbol["title"] as? String { symbol["title"] = withoutPlaces(title) }
    if let tokens = symbol["fragments"] as? [JSONObject] { symbol["fragments"] = withoutPlaces(tokens) }
    return symbol
  }
  var page = page
  if let metadata = page["metadata"] as? JSONObject { page["metadata"] = shortened(metadata) }
  if let references = page["references"] as? [String: JSONObject] {
    page["references"] = references.mapValues(shortened)
  }
  return page
}

/// The nodes of the sidebar, without the parameters for a place.
func withoutPlaces(nodes: [JSONObject]) -> [JSONObject] {
  nodes.map { node in
    var node = node
    if let title = node["title"] as? String { node["title"] = withoutPlaces(title) }
    if let children = node["children"] as? [JSONObject] { node["children"] = withoutPlaces(nodes: children) }
    return node
  }
}

let site = URL(fileURLWithPath: CommandLine.arguments[1])
let data = site.appendingPathComponent("data")
var index: [Entry] = []
var functions: (all: Int, bare: [String]) = (0, [])
let files = FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil)!.compactMap { $0 as? URL }
for file in files.sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
  guard let whole = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? JSONObject else { continue }
  let page = withoutPlaces(whole)
  try JSONSerialization.data(withJSONObject: page, options: [.sortedKeys, .withoutEscapingSlashes]).write(to: file)
  let path = file.deletingPathExtension().path.dropFirst(data.path.count + 1)
  index += entries(of: page, at: String(path) + "/").filter { !$0.title.isEmpty }
  if (page["metadata"] as? JSONObject)?["symbolKind"] as? String == "func" {
    let sections = try JSONSerialization.data(withJSONObject: page["primaryContentSections"] ?? [])
    functions.all += 1
    if sections.range(of: Data(#""codeListing""#.utf8)) == nil { functions.bare.append(String(path)) }
  }
}
// DocC shows the pages of one module only, and refuses a link from one to the others in its Topics.
let navigator = site.appendingPathComponent("index/index.json")
guard var sidebar = try JSONSerialization.jsonObject(with: Data(contentsOf: navigator)) as? JSONObject,
  var languages = sidebar["interfaceLanguages"] as? JSONObject, let roots = languages["swift"] as? [JSONObject]
else { fatalError("DocC has written another index than this reads.") }
let libraries = roots.filter { $0["type"] as? String == "module" }
guard libraries.count > 8 else { fatalError("The site has only \(libraries.count) libraries.") }
languages["swift"] = withoutPlaces(nodes: roots).map { root in
  guard root["type"] as? String == "module" else { return root }
  let others = libraries.filter { $0["path"] as? String != root["path"] as? String }
    .map { library -> JSONObject in
      // The sidebar of a page is the first node with the path of its module. The slash keeps this one from being it.
      ["title": library["title"] ?? "", "type": "module", "path": "\(library["path"] ?? "")/"]
    }
  let heading: JSONObject = ["title": "Libraries", "type": "groupMarker"]
  return root.merging(["children": (root["children"] as? [JSONObject] ?? []) + [heading] + others]) { $1 }
}
sidebar["interfaceLanguages"] = languages
try JSONSerialization.data(withJSONObject: sidebar, options: [.sortedKeys]).write(to: navigator)

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
try encoder.encode(index).write(to: site.appendingPathComponent("search.json"))
print("The search knows \(index.count) pages and sections.")

// What people search for leads to a heading or a title that there is.
let search = try String(contentsOf: site.appendingPathComponent("search.html"), encoding: .utf8)
let leads = search.components(separatedBy: "const leads = {").last?.components(separatedBy: "};").first ?? ""
let names = Set(index.map { ($0.section.isEmpty ? $0.title : $0.section).lowercased().replacing("’", with: "'") })
let headings = leads.matches(of: #/"([^"]+)": "[^"]*"/#).map { String($0.1) }
guard headings.count > 50 else { fatalError("The search has only \(headings.count) headings.") }
let gone = headings.filter { heading in !names.contains { $0 == heading || $0.hasPrefix("\(heading)(") } }
guard gone.isEmpty else {
  print("The search leads to headings that are gone:\n  " + gone.joined(separator: "\n  "))
  exit(1)
}

guard functions.all > 50 else { fatalError("The site has only \(functions.all) functions.") }
guard functions.bare.isEmpty else {
  print("Show a listing in the comments of these functions:\n  " + functions.bare.joined(separator: "\n  "))
  exit(1)
}
