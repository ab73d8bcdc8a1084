import Foundation
import StubKit

/// Makes the text of a transcript from requests, with placeholders for what differs from run to run.
///
/// Placeholders of an earlier text stay where they still fit. Other values become placeholders if they look as if the
/// next run had others: UUIDs, times of today, and values that look random. What two writing runs repeat is a value.
struct TranscriptPlaceholders {
  private var requests: [TranscribedRequest]
  private let now: Date
  /// The values of the earlier text, which a writing run has decided about.
  private let decided: Set<String>
  /// The names of values.
  private var names: [String: String] = [:]
  /// The names that this text makes, with hashes of their values.
  private var made: [String: String] = [:]
  private var taken: Set<String> = []
  /// The last number of each kind of name.
  private var numbers: [String: Int] = [:]
  /// What an earlier run has had, too.
  private var repeated: (names: Set<String>, values: Set<String>) = ([], [])
  private var kept = PlaceholderValues()

  /// - Parameters:
  ///   - shown: The requests as they may be shown.
  ///   - actual: The requests as they were.
  ///   - earlier: The transcript so far.
  ///   - comparison: The comparison of the requests with it.
  init(
    _ shown: [TranscribedRequest], of actual: [TranscribedRequest], after earlier: TranscriptText? = nil,
    _ earlierText: String = "", _ comparison: TranscriptComparison? = nil, now: Date = Date()
  ) {
    (requests, self.now, decided) = ([], now, earlier?.values(in: earlierText) ?? [])
    var requests = shown
    if let earlier, let comparison {
      for (name, value) in comparison.requests.values.values {
        taken.insert(name)
        if earlier.once[name] == Data(value.utf8).digest {
          repeated.names.insert(name)
          repeated.values.insert(value)
        } else if name.utf8.last?.isDigit == true {
          names[value] = name
        }
      }
      for (index, other) in comparison.pairs where requests.indices.contains(other) {
        keep(earlier.requests[index], actual[other], in: &requests[other])
      }
    }
    for index in requests.indices { replace(in: &requests[index]) }
    self.requests = requests
  }

  /// The text for a test's own file, in which the next writing run finds what this one has had.
  var fileText: String { TranscriptText.text(of: requests, once: made) + "\n" }

  /// The text to read, or to paste into a test.
  var text: String { TranscriptText.text(of: requests) }

  // MARK: What stays

  /// Returns the earlier text if it has placeholders that fit.
  private mutating func kept(_ earlier: String, for text: String) -> String? {
    guard earlier.hasBraces, let pattern = try? ValuePattern(earlier), !pattern.names.isEmpty,
      repeated.names.isDisjoint(with: pattern.names), let values = pattern.values(in: text.unescapingBraces),
      kept.bind(values)
    else { return nil }
    taken.formUnion(pattern.names)
    return earlier
  }

  private mutating func keep(
    _ earlier: TranscribedRequest, _ actual: TranscribedRequest, in request: inout TranscribedRequest
  ) {
    if let url = kept(earlier.url, for: actual.url) { request.url = url }
    request.items = keep(earlier.items, actual.items, in: request.items)
    keep(earlier.fields, actual.fields, in: &request.fields)
    keep(earlier.body, actual.body, in: &request.body)
  }

  private mutating func keep(_ earlier: [String]?, _ actual: [String]?, in items: [String]?) -> [String]? {
    guard var items, let earlier, let actual, items.count == actual.count else { return items }
    var free = Set(items.indices)
    for text in earlier where text.hasBraces {
      for index in free.sorted() {
        guard let text = kept(text, for: actual[index]) else { continue }
        items[index] = text
        free.remove(index)
        break
      }
    }
    return items
  }

  private mutating func keep(
    _ earlier: [TranscribedRequest.Field], _ actual: [TranscribedRequest.Field],
    in fields: inout [TranscribedRequest.Field]
  ) {
    guard fields.count == actual.count else { return }
    for index in fields.indices {
      let name = fields[index].name
      guard let field = earlier.first(where: { $0.name.isHeaderName(name) }),
        let value = kept(field.value, for: actual[index].value)
      else { continue }
      fields[index].value = value
    }
  }

  private mutating func keep(_ earlier: TranscribedBody, _ actual: TranscribedBody, in body: inout TranscribedBody) {
    switch (earlier, actual, body) {
    case (.json(let left), .json(let right), .json(let value)): body = .json(keep(left, right, in: value))
    case (.form(let left), .form(let right), .form(let items)): body = .form(keep(left, right, in: items) ?? items)
    case (.bytes(let left), .bytes(let right), .bytes): if let text = kept(left, for: right) { body = .bytes(text) }
    case (.multipart(let left, _), .multipart(let right, _), .multipart(var parts, let problems)):
      for index in parts.indices where left.indices.contains(index) && right.indices.contains(index) {
        keep(left[index].fields, right[index].fields, in: &parts[index].fields)
        keep(left[index].body, right[index].body, in: &parts[index].body)
      }
      body = .multipart(parts, problems: problems)
    case (.text(let left), _, _):
      if let text = kept(left, for: actual.lines(boundary: nil).lines) { body = .text(text) }
    default: break
    }
  }

  private mutating func keep(_ earlier: StubJSON, _ actual: StubJSON, in value: StubJSON) -> StubJSON {
    switch (earlier, actual, value) {
    case (.string(let text), _, _) where text.hasPrefix(TranscribedBody.bare):
      let other = if case .string(let other) = actual { other } else { actual.description }
      return kept(String(text.dropFirst()), for: other) == nil ? value : earlier
    case (.string(let text), .string(let other), _): return kept(text, for: other).map { .string($0) } ?? value
    case (.array(let left), .array(let right), .array(let elements))
    where left.count == right.count && right.count == elements.count:
      return .array(elements.indices.map { keep(left[$0], right[$0], in: elements[$0]) })
    case (.object(let left), .object(let right), .object(var members)):
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        guard let old = left.value(of: key), let new = right.value(of: key) else { continue }
        members[key] = keep(old, new, in: member)
      }
      return .object(members)
    default: return value
    }
  }

  // MARK: What becomes a placeholder

  /// Returns the placeholder for a value, or `nil` if the value is one that stays.
  private mutating func placeholder(_ kind: String, _ value: String) -> String? {
    if let name = names[value] { return "{{\(name)}}" }
    // An earlier writing run has decided it.
    guard !repeated.values.contains(value), !decided.contains(value) else { return nil }
    var number = numbers[kind, default: 0] + 1
    while taken.contains("\(kind)\(number)") { number += 1 }
    numbers[kind] = number
    let name = "\(kind)\(number)"
    taken.insert(name)
    names[value] = name
    made[name] = Data(value.utf8).digest
    return "{{\(name)}}"
  }

  private mutating func replace(in request: inout TranscribedRequest) {
    request.url = replaced(request.url)
    request.items = request.items.map { items in items.map { replaced($0) } }
    for index in request.fields.indices {
      let field = request.fields[index]
      let name = field.name.lowercased()
      if field.value.hasBraces || name == "authorization" || field.value.isEmpty { continue }
      if name == "content-type" {
        guard let boundary = MultipartBody.boundary(ofContentType: field.value),
          let range = field.value.range(of: boundary, options: .backwards),
          let placeholder = placeholder("boundary", boundary)
        else { continue }
        request.fields[index].value.replaceSubrange(range, with: placeholder)
      } else if name.hasSuffix("-key") || name.hasSuffix("-id") {
        let kind =
          field.value.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) == nil ? "key" : "uuid"
        request.fields[index].value = placeholder(kind, field.value) ?? field.value
      } else {
        request.fields[index].value = replaced(field.value)
      }
    }
    replace(in: &request.body)
  }

  private mutating func replace(in body: inout TranscribedBody) {
    switch body {
    case .none, .bytes: break
    case .json(let value): body = .json(replaced(value))
    case .form(let items): body = .form(items.map { replaced($0) })
    case .text(let text): body = .text(replaced(text))
    case .multipart(var parts, let problems):
      for index in parts.indices {
        for field in parts[index].fields.indices {
          parts[index].fields[field].value = replaced(parts[index].fields[field].value)
        }
        replace(in: &parts[index].body)
      }
      body = .multipart(parts, problems: problems)
    }
  }

  private mutating func replaced(_ value: StubJSON) -> StubJSON {
    switch value {
    case .string(let text): return .string(replaced(text))
    case .number(let number):
      guard isNow(number.doubleValue), let placeholder = placeholder("time", number.description) else { return value }
      return .string(TranscribedBody.bare + placeholder)
    case .array(let elements): return .array(elements.map { replaced($0) })
    case .object(var members):
      // In the order of the text, so that names count upwards.
      for (key, member) in members.sorted(by: { $0.key < $1.key }) { members[key] = replaced(member) }
      return .object(members)
    case .null, .bool: return value
    }
  }

  private mutating func replaced(_ text: String) -> String {
    guard text.utf8.count >= 10, !text.hasBraces else { return text }
    let whole = NSRange(location: 0, length: text.utf16.count)
    var (result, end) = ("", text.startIndex)
    for match in Self.candidates.matches(in: text, range: whole) {
      guard let range = Range(match.range, in: text) else { continue }
      let value = String(text[range])
      let kind: String? =
        if match.range(at: 1).length > 0 {
          value.isRandom(least: 8) ? "uuid" : nil
        } else if match.range(at: 2).length > 0 {
          isNow(date: value) ? "date" : nil
        } else if match.range(at: 3).length > 0 { Double(value).map(isNow) == true ? "time" : nil } else {
          value.isRandom(least: 10) && value.isMixed ? "random" : nil
        }
      guard let kind, let placeholder = placeholder(kind, value) else { continue }
      result += text[end..<range.lowerBound] + placeholder
      end = range.upperBound
    }
    return result.isEmpty ? text : result + text[end...]
  }

  /// UUIDs of the kinds that are made at random or of the time, dates, numbers of seconds and milliseconds, and long
  /// words.
  fileprivate static let candidates: NSRegularExpression = {
    let uuid = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[1-8][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}"
    let colon = "(?::|%3A)"
    let day = #"\d{4}-\d\d-\d\d"#
    let date =
      #"\#(day)T\d\d\#(colon)\d\d\#(colon)\d\d(?:\.\d+)?(?:Z|(?:[+-]|%2B)\d\d(?:\#(colon))?\d\d)|"#
      + #"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|(?<![0-9-])\#(day)(?![0-9T-])"#
    let word = "[A-Za-z0-9_+-]{20,}={0,2}"
    // swift-format-ignore: NeverUseForceTry
    return try! NSRegularExpression(
      pattern: #"(\#(uuid))|(\#(date))|((?<![0-9A-Za-z.])\d{10}(?:\d{3})?(?:\.\d+)?(?![0-9A-Za-z]))|(\#(word))"#)
  }()

  private func isNow(_ seconds: Double) -> Bool {
    abs((seconds > 100_000_000_000 ? seconds / 1_000 : seconds) - now.timeIntervalSince1970) < 86_400
  }

  private func isNow(date text: String) -> Bool {
    if let date = Date(httpDate: text) { return isNow(date.timeIntervalSince1970) }
    let plain = text.replacing("%3A", with: ":").replacing("%2B", with: "+")
    if plain.count == 10 {
      let date = try? Date(plain + "T12:00:00Z", strategy: .iso8601)
      return date.map { abs($0.timeIntervalSince(now)) < 129_600 } ?? false
    }
    // The strategy knows fractions only if it is told of them.
    let whole = plain.replacing(/\.\d+/, with: "")
    return (try? Date(whole, strategy: .iso8601)).map { isNow($0.timeIntervalSince1970) } ?? false
  }
}

extension TranscriptText {
  /// The values of the text that could have become placeholders.
  fileprivate func values(in text: String) -> Set<String> {
    let whole = NSRange(location: 0, length: text.utf16.count)
    let matches = TranscriptPlaceholders.candidates.matches(in: text, range: whole)
    var values = Set(matches.compactMap { Range($0.range, in: text).map { String(text[$0]) } })
    for field in requests.flatMap(\.fields) {
      values.insert(field.value)
      if let boundary = MultipartBody.boundary(ofContentType: field.value) { values.insert(boundary) }
    }
    return values
  }
}

extension String {
  /// Returns whether the text has at least a number of different characters.
  fileprivate func isRandom(least: Int) -> Bool { Set(utf8).count >= least }

  /// Whether letters and digits, or upper and lower case, alternate as in no word.
  fileprivate var isMixed: Bool {
    func kind(_ byte: UInt8) -> Int { byte.isDigit ? 0 : byte.isUppercase ? 1 : byte.isLowercase ? 2 : 3 }
    let kinds = utf8.map(kind).filter { $0 != 3 }
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
    return kinds.contains(0) && changes * 4 >= kinds.count
  }
}
