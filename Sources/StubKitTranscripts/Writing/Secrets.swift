import Foundation
import StubKit
import StubKitArchive

/// The secrets of a test, by the rules of recordings. If one has left the machine, no file, no attachment and no report
/// shows it, whichever request of the test has it.
struct Secrets: Sendable {
  /// The values and their names, the longest value first.
  private let names: [(value: String, name: String)]
  /// The bodies that have a secret in a name, by their requests.
  private var bodies: [Int: String] = [:]

  static let none = Secrets(names: [])

  private init(names: [(value: String, name: String)]) { self.names = names }

  /// - Parameters:
  ///   - entries: The requests of the test.
  ///   - requests: The requests as a transcript has them. A query with a secret in a name becomes one of values.
  ///   - hidesAll: Whether secrets are hidden that no request has sent to the network.
  ///   - untranscribed: The header fields to leave out, with names in lower case.
  init(
    of entries: [RecordedRequest], in requests: inout [TranscribedRequest], hidesAll: Bool = false,
    without untranscribed: Set<NamedValue> = []
  ) {
    guard hidesAll || entries.contains(where: \.wasSentToNetwork) else {
      self = .none
      return
    }
    // A value that only looks random is a placeholder of the transcript in any case.
    let archive = HTTPArchive(entries: entries.map { HTTPArchive.Entry(request: $0.request) })
      .redactedAndReported(.named).archive
    let redacted = zip(entries, archive.entries).map { entry, archived in
      var parts = SentParts(entry)
      parts.take(archived.request)
      return (TranscribedRequest(parts, without: untranscribed), archived.redacted ?? [])
    }
    let left = entries.indices.filter { hidesAll || entries[$0].wasSentToNetwork }
    let shared = left.reduce(into: Set<String>()) { $0.formUnion(redacted[$1].1) }
    var (values, whole): ([String], [Int: String]) = ([], [:])
    for index in left + entries.indices.filter({ !left.contains($0) }) {
      let (other, placeholders) = redacted[index]
      if placeholders.isEmpty { continue }
      values += requests[index].hideNames(like: other)
      values += Self.values(in: requests[index], hiddenIn: other, placeholders, shared)
      if Self.places(inBodyOf: requests[index]) != Self.places(inBodyOf: other) {
        whole[index] = TextContainer.body(requests[index].body).source
        values += requests[index].body.names.filter { !other.body.names.contains($0) }.map(\.string)
      }
      // A redaction gives up on a URL that it would make invalid.
      if requests[index].url.count != other.url.count { values += requests[index].url.dropFirst(3).map(\.sent) }
    }
    values += whole.sorted { $0.key < $1.key }.map(\.value)
    var (names, count): ([ExactString: String], Int) = ([:], 0)
    for value in values where !value.isEmpty && names[ExactString(value)] == nil {
      count += 1
      let name = "secret\(count)"
      for form in [value, value.percentDecoded, value.percentEncoded] where names[ExactString(form)] == nil {
        names[ExactString(form)] = name
      }
    }
    self.names = names.map { ($0.key.string, $0.value) }.sorted {
      ($0.value.utf8.count, $0.value) > ($1.value.utf8.count, $1.value)
    }
    bodies = whole.mapValues { names[ExactString($0)] ?? "secret" }
  }

  /// The places in a body, which differ if a redaction has hidden a name.
  private static func places(inBodyOf request: TranscribedRequest) -> [Place] {
    var request = request
    (request.items, request.fields) = (nil, [])
    return RequestLeaves([0], of: [request]).leaves.map(\.place)
  }

  /// Returns the parts of texts that a redaction has hidden.
  private static func values(
    in request: TranscribedRequest, hiddenIn redacted: TranscribedRequest, _ placeholders: Set<String>,
    _ shared: Set<String>
  ) -> [String] {
    let leaves = RequestLeaves([0], of: [request])
    let others = RequestLeaves([0], of: [redacted])
    var values: [String] = []
    for leaf in leaves.leaves where !leaf.isMark {
      guard let other = others[leaf.place], leaf.text != other.text else { continue }
      let (sent, shown) = (leaf.text.sent, other.text.sent)
      let pattern = shown.cut(at: placeholders)
      let hidden = TranscribedText(pieces: pattern).values(in: sent, .any) ?? [sent]
      let used = pattern.compactMap { if case .placeholder(let place) = $0 { place.name } else { nil } }
      if hidden.count == used.count {
        for (value, name) in zip(hidden, used) where shared.contains(name) {
          // A short value can be part of another one by chance.
          values.append(value.utf8.count < leastLength ? sent : value)
        }
      } else {
        values.append(sent)
      }
    }
    return values
  }

  /// The shortest value that is hidden in the middle of texts. A shorter one is hidden where it is the whole text.
  private static let leastLength = 6

  // MARK: Hiding

  /// Returns the requests as they may be shown and written.
  func hidden(in requests: [TranscribedRequest]) -> [TranscribedRequest] {
    if names.isEmpty { return requests }
    var hider = Hider(secrets: self)
    return requests.enumerated().map { index, request in
      var request = request
      request.visitTexts(&hider)
      if let name = bodies[index] { request.body = .text([TranscribedText(Placeholder(name, .secret))]) }
      return request
    }
  }

  /// Returns a text that is shown, such as the value of a header.
  func mask(_ text: String) -> String {
    if names.isEmpty { return text }
    return names.reduce(text) { text, secret in
      if text.isSame(as: secret.value) || text.isSame(as: "\"\(secret.value)\"") { return "{{\(secret.name)}}" }
      guard secret.value.utf8.count >= Self.leastLength else { return text }
      return text.utf8.split(separator: secret.value.utf8, omittingEmptySubsequences: false).map { String(utf8: $0) }
        .joined(separator: "{{\(secret.name)}}")
    }
  }

  /// The value behind a name.
  func value(of name: String) -> String? { names.last { $0.name == name }?.value }

  fileprivate func pieces(of text: String) -> [TranscribedText.Piece]? {
    for (value, name) in names {
      if text.isSame(as: value) { return [.placeholder(Placeholder(name, .secret))] }
      guard value.utf8.count >= Self.leastLength, value.utf8.count < text.utf8.count else { continue }
      let parts = text.utf8.split(separator: value.utf8, omittingEmptySubsequences: false).map { String(utf8: $0) }
      if parts.count == 1 { continue }
      return parts.enumerated().flatMap { number, part -> [TranscribedText.Piece] in
        let before: [TranscribedText.Piece] = number == 0 ? [] : [.placeholder(Placeholder(name, .secret))]
        return before + (part.isEmpty ? [] : pieces(of: part) ?? [.literal(ExactString(part))])
      }
    }
    return nil
  }
}

private struct Hider: TextVisitor {
  let secrets: Secrets

  mutating func visit(_ text: inout TranscribedText, at place: Place, _ role: TextRole) {
    guard role != .mark, text.isLiteral, let pieces = secrets.pieces(of: text.sent) else { return }
    text = TranscribedText(pieces: pieces)
  }
}

extension TranscribedRequest.Body {
  /// The names in the body.
  fileprivate var names: Set<ExactString> {
    switch self {
    case .form(let fields): Set(fields.compactMap(\.name))
    case .json(let value): value.names
    case .multipart(let parts): parts.reduce(into: []) { $0.formUnion($1.body.names) }
    default: []
    }
  }
}

extension TranscribedJSON {
  fileprivate var names: Set<ExactString> {
    switch self {
    case .string, .word: []
    case .array(let all): all.reduce(into: []) { $0.formUnion($1.names) }
    case .object(let all): all.reduce(into: Set(all.map(\.key))) { $0.formUnion($1.value.names) }
    }
  }
}

extension TranscribedRequest {
  /// Makes values of the items whose names differ from those of a redacted request, because a value can be hidden.
  /// Returns these values.
  fileprivate mutating func hideNames(like redacted: TranscribedRequest) -> [String] {
    let known = Set((redacted.items ?? []).map(\.name))
    var values: [String] = []
    items = items.map { items in
      items.map { field in
        guard let name = field.name, !known.contains(name) else { return field }
        values.append("\(name.string)=\(field.value.sent)")
        return Field(nil, TranscribedText(values[values.count - 1]))
      }.sortedByName
    }
    return values
  }
}

extension String {
  /// The pieces of a text, with placeholders where a redaction has some.
  fileprivate func cut(at placeholders: Set<String>) -> [TranscribedText.Piece] {
    // A longer one can contain a shorter one.
    let sorted = placeholders.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    guard let first = sorted.first(where: { contains($0) }), let range = range(of: first, options: .literal) else {
      return isEmpty ? [] : [.literal(ExactString(self))]
    }
    return String(self[..<range.lowerBound]).cut(at: placeholders) + [.placeholder(Placeholder(first, .text))]
      + String(self[range.upperBound...]).cut(at: placeholders)
  }

  fileprivate var percentEncoded: String {
    addingPercentEncoding(withAllowedCharacters: CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~")))
      ?? self
  }
}
