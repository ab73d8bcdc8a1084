import Foundation
import StubKitFormats
import StubKitRecorder

/// A stub that is written by hand as a JSON object, in the names of WireMock's mappings where they mean the same.
struct StubMapping: Sendable {
  /// What is wrong in a text, and its line, from 1.
  struct Problem: Error {
    let line: Int
    let sentence: String
  }

  /// The line of its opening brace.
  let line: Int
  /// The mapping as it was written.
  let source: JSONValue
  private(set) var id: String?
  private(set) var name: String?
  /// The greatest answers first. WireMock's priorities begin with 1, and default to 5.
  private(set) var priority = 0
  private(set) var condition = RequestMatcher.anything
  private(set) var response = StubResponse.empty(status: 200)

  /// Reads the mappings of a text, which is one, or an object with several in `mappings`.
  ///
  /// - Parameter folders: The folders that can contain the files that `bodyFileName` names.
  static func read(_ text: Data, bodiesIn folders: [URL]) throws(Problem) -> [StubMapping] {
    let reader = MappingReader(text: Array(text), folders: folders)
    let tree: JSONTree
    do {
      // It says the line of a mistake in the syntax.
      _ = try JSONValue(parsing: text)
      tree = try JSONTree(reader.text)
    } catch {
      let error = error as? JSONSyntaxError
      throw Problem(line: error?.line ?? 1, sentence: "This is not valid JSON: \(error?.problem ?? "it isn't UTF-8").")
    }
    if tree["log"] != nil { throw reader.problem(tree, "This is an archive. Give its name the extension har.") }
    guard let list = tree["mappings"] else { return [try StubMapping(tree, reader)] }
    _ = try reader.members(tree, of: "The file", ["mappings", "meta"])
    var mappings: [StubMapping] = []
    for element in try reader.elements(list, of: "mappings") { mappings.append(try StubMapping(element, reader)) }
    return mappings
  }

  private init(_ tree: JSONTree, _ reader: MappingReader) throws(Problem) {
    (line, source) = (reader.line(tree.range.lowerBound), reader.value(tree))
    // The last three say nothing about what is answered.
    let names = ["name", "priority", "request", "response", "id", "uuid", "metadata", "persistent", "insertionIndex"]
    for member in try reader.members(tree, of: "A stub", names) {
      switch member.name {
      case "name": name = try reader.text(member)
      case "id", "uuid": id = try reader.text(member)
      case "priority": priority = 5 - (try reader.number(member, 0...1_000_000))
      case "request": condition = try reader.condition(member.value)
      case "response": response = try reader.response(member.value)
      default: break
      }
    }
    for part in ["request", "response"] where tree[part] == nil {
      throw reader.problem(tree, "The stub has no \(part).")
    }
  }
}

/// Reads the parts of a mapping. Each mistake has its line.
private struct MappingReader {
  typealias Problem = StubMapping.Problem
  typealias Member = JSONTree.Member

  let text: [UInt8]
  let folders: [URL]

  func line(_ position: Int) -> Int { text[..<position].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 } }

  func problem(_ tree: JSONTree, _ sentence: String) -> Problem {
    Problem(line: line(tree.range.lowerBound), sentence: sentence)
  }

  /// Returns a value of the text, which is valid as a whole.
  func value(_ tree: JSONTree) -> JSONValue { (try? JSONValue(parsing: Data(text[tree.range]))) ?? .null }

  /// Returns the members of an object, which can have these names, or any if there are none.
  func members(_ tree: JSONTree, of part: String, _ names: [String] = []) throws(Problem) -> [Member] {
    guard case .object(let members) = tree.content else {
      throw problem(tree, "\(part) is not an object: write { … }.")
    }
    var seen: Set<String> = []
    for member in members {
      let isKnown = names.isEmpty || names.contains(member.name)
      if isKnown, seen.insert(member.name).inserted { continue }
      let fault = isKnown ? " twice." : ", which StubKit doesn't know there. It knows \(names.joined(separator: ", "))."
      throw Problem(line: line(member.start), sentence: "\(part) has \(member.name.debugDescription)\(fault)")
    }
    return members
  }

  /// Returns the only member with one of these names, or `nil` if there is none.
  private func one(of names: [String], in members: [Member]) throws(Problem) -> Member? {
    let found = members.filter { names.contains($0.name) }
    guard found.count > 1 else { return found.first }
    throw problem(found[1].value, "Write either \(found[0].name) or \(found[1].name).")
  }

  func elements(_ tree: JSONTree, of part: String) throws(Problem) -> [JSONTree] {
    guard let elements = tree.elements else { throw problem(tree, "\(part) is not an array: write [ … ].") }
    return elements
  }

  func text(_ member: Member) throws(Problem) -> String {
    guard let text = member.value.string else { throw problem(member.value, "\(member.name) is not a string.") }
    return text
  }

  func number(_ member: Member, _ range: ClosedRange<Int>) throws(Problem) -> Int {
    if let number = Int(String(decoding: text[member.value.range], as: UTF8.self)), range.contains(number) {
      return number
    }
    throw problem(member.value, "\(member.name) is not a whole number from \(range.lowerBound) to \(range.upperBound).")
  }

  private func isTrue(_ name: String, in members: [Member]) throws(Problem) -> Bool {
    guard let member = members.first(where: { $0.name == name }) else { return false }
    if case .bool(let isTrue) = value(member.value) { return isTrue }
    throw problem(member.value, "\(name) is neither true nor false.")
  }

  // MARK: The request

  func condition(_ tree: JSONTree) throws(Problem) -> RequestMatcher {
    let places = ["url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate"]
    let names = ["method"] + places + ["queryParameters", "headers", "bodyPatterns"]
    let members = try members(tree, of: "request", names)
    _ = try one(of: places, in: members)
    var matchers: [RequestMatcher] = []
    for member in members {
      var parts: [(JSONTree, RequestMatcher)] = []
      switch member.name {
      case "method": parts = [(member.value, try text(member) == "ANY" ? .anything : isMethod(try text(member)))]
      case "url": parts = [(member.value, try isTarget(member))]
      case "urlPattern": parts = [(member.value, urlMatches("^[^/]*//[^/?#]*\(whole(try text(member)))"))]
      case "urlPath": parts = [(member.value, isPath(decoded(try text(member))))]
      case "urlPathPattern": parts = [(member.value, pathMatches("^\(whole(try text(member)))"))]
      case "urlPathTemplate": parts = [(member.value, isPath(template: try text(member)))]
      case "bodyPatterns":
        for element in try elements(member.value, of: member.name) { parts.append((element, try body(element))) }
      case "headers":
        for field in try self.members(member.value, of: member.name) {
          let name = field.name
          let matcher = try compare(
            field, lacksHeader(name), { hasHeader(name, $0) }, { headerMatches(name, $0, options: $1) })
          parts.append((field.value, matcher))
        }
      default:
        for item in try self.members(member.value, of: member.name) {
          let name = item.name
          let matcher = try compare(
            item, lacksQuery(name), { containsQuery(name, $0) }, { queryMatches(name, $0, options: $1) })
          parts.append((item.value, matcher))
        }
      }
      for (tree, matcher) in parts {
        if let mistake = matcher.mistake { throw problem(tree, mistake) }
        matchers.append(matcher)
      }
    }
    return matchers.dropFirst().reduce(matchers.first ?? .anything, &&)
  }

  /// WireMock's regular expressions match a text as a whole.
  private func whole(_ pattern: String) -> String { "(?:\(pattern))\\z" }

  private func decoded(_ path: String) -> String { path.removingPercentEncoding ?? path }

  private func isTarget(_ member: Member) throws(Problem) -> RequestMatcher {
    let parts = try text(member).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let path = isPath(decoded(parts[0]))
    guard parts.count > 1 else { return path && hasExactQuery([:]) }
    let items = parts[1].split(separator: "&").map { item in
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { decoded(String($0)) }
      return NamedValue(name: sides[0], value: sides.count > 1 ? sides[1] : nil)
    }
    return path && RequestMatcher(ItemsCriterion(.query, exactly: NamedItems(items)))
  }

  private func compare(
    _ member: Member, _ absent: RequestMatcher, _ equals: (String) -> RequestMatcher,
    _ matches: (String, NSRegularExpression.Options) -> RequestMatcher
  ) throws(Problem) -> RequestMatcher {
    let names = ["equalTo", "contains", "matches", "absent"]
    let members = try members(member.value, of: member.name, names + ["caseInsensitive"])
    guard let found = try one(of: names, in: members) else {
      throw problem(member.value, "\(member.name) has none of \(names.joined(separator: ", ")).")
    }
    if found.name != "equalTo", members.count > 1 {
      throw problem(found.value, "caseInsensitive is for equalTo only. In a regular expression, write (?i).")
    }
    if found.name == "absent" {
      if try isTrue("absent", in: members) { return absent }
      throw problem(found.value, "absent is false. Write true, or leave \(member.name) out.")
    }
    let text = try text(found)
    let literal = NSRegularExpression.escapedPattern(for: text)
    switch found.name {
    case "contains": return matches(literal, [])
    case "matches": return matches("^\(whole(text))", [])
    default:
      let ignoresCase = try isTrue("caseInsensitive", in: members)
      return ignoresCase ? matches("^\(whole(literal))", .caseInsensitive) : equals(text)
    }
  }

  private func body(_ tree: JSONTree) throws(Problem) -> RequestMatcher {
    let names = ["equalToJson", "contains", "equalTo"]
    let members = try members(tree, of: "bodyPatterns", names + ["ignoreArrayOrder", "ignoreExtraElements"])
    guard let found = try one(of: names, in: members) else {
      throw problem(tree, "A body pattern has none of \(names.joined(separator: ", ")).")
    }
    if found.name != "equalToJson" {
      let text = try text(found)
      return found.name == "contains" ? bodyContains(text) : hasBody(Data(text.utf8))
    }
    guard let json = found.value.string.map({ try? JSONValue(parsing: $0) }) ?? value(found.value) else {
      throw problem(found.value, "equalToJson is a string that is not JSON.")
    }
    let ignoresMore = try isTrue("ignoreExtraElements", in: members)
    let ignoresAny = try isTrue("ignoreArrayOrder", in: members) || ignoresMore
    if json.description.contains("${json-unit") || ignoresAny && json.hasArray {
      let sentence =
        "StubKit knows neither placeholders of JsonUnit nor ignoreArrayOrder and ignoreExtraElements for arrays."
      throw problem(found.value, sentence)
    }
    return ignoresMore ? hasJSONBody(containing: json) : hasJSONBody(json)
  }

  // MARK: The response

  func response(_ tree: JSONTree) throws(Problem) -> StubResponse {
    let bodies = ["body", "jsonBody", "base64Body", "bodyFileName"]
    let names = ["status", "headers"] + bodies + ["fixedDelayMilliseconds", "fault"]
    let members = try members(tree, of: "response", names)
    var response = StubResponse.empty(status: 200)
    if let body = try one(of: bodies, in: members) { response = try self.response(body) }
    for member in members {
      switch member.name {
      case "status": response = response.status(try number(member, 100...999))
      case "fixedDelayMilliseconds": response = response.delay(.milliseconds(try number(member, 0...86_400_000)))
      case "headers":
        for field in try self.members(member.value, of: member.name) {
          for (position, value) in (field.value.elements ?? [field.value]).enumerated() {
            guard let text = value.string else { throw problem(value, "\(field.name) is not a string.") }
            response = position == 0 ? response.header(field.name, text) : response.addingHeader(field.name, text)
            if let reason = response.problem { throw problem(value, "The stub \(reason)") }
          }
        }
      default: break
      }
    }
    guard let fault = members.first(where: { $0.name == "fault" }) else { return response }
    let failure = try self.fault(fault)
    return failure.modified { $0.delay = response.delay }
  }

  private func response(_ body: Member) throws(Problem) -> StubResponse {
    switch body.name {
    case "body": return .data(Data(try text(body).utf8))
    case "jsonBody": return .json(value(body.value))
    case "base64Body":
      guard let data = Data(base64Encoded: try text(body)) else { throw problem(body.value, "This is not Base64.") }
      return .data(data)
    default:
      let parts = try text(body).split(separator: "/")
      let files = folders.map { $0.appendingPathComponent(parts.joined(separator: "/")) }
      guard !parts.contains("..") else { throw problem(body.value, "bodyFileName can't contain \"..\".") }
      if let file = files.first(where: { (try? RegularFile($0)) != nil }) { return .file(file) }
      throw problem(body.value, "There is no file \(files.map(\.path).joined(separator: " or ")).")
    }
  }

  private func fault(_ member: Member) throws(Problem) -> StubResponse {
    let faults: [String: StubResponse] = [
      "EMPTY_RESPONSE": .failure(.networkConnectionLost), "CONNECTION_RESET_BY_PEER": .failure(.networkConnectionLost),
      "RANDOM_DATA_THEN_CLOSE": .failure(.badServerResponse),
      "MALFORMED_RESPONSE_CHUNK": .data(Data("malformed".utf8)).failing(afterBytes: 3),
    ]
    if let fault = faults[try text(member)] { return fault }
    throw problem(member.value, "fault is none of \(faults.keys.sorted().joined(separator: ", ")).")
  }
}

extension JSONValue {
  fileprivate var hasArray: Bool { if case .array = self { true } else { inner.contains(where: \.hasArray) } }
}
