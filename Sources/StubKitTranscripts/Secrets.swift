import Foundation
import StubKit
import StubKitArchive

extension [RecordedRequest] {
  /// Returns the requests as they may be shown and written into a file: with a placeholder for each secret of one that
  /// the network has answered, by the rules of recordings. What a stub has answered has left no machine, and has the
  /// test's own values.
  func withoutSecrets(
    _ transcribed: [TranscribedRequest], without untranscribed: Set<NamedValue>
  ) -> [TranscribedRequest] {
    let sent = indices.filter { self[$0].outcome == .passedThrough }
    guard !sent.isEmpty else { return transcribed }
    var (shown, names) = (transcribed, [String: String]())
    // What only looks random is a placeholder of a transcript in any case.
    let archive = HTTPArchive(entries: sent.map { HTTPArchive.Entry(request: self[$0].request) })
      .redactedAndReported(.named).archive
    for (index, entry) in zip(sent, archive.entries) {
      shown[index].take(entry.request, entry.redacted ?? [], &names, without: untranscribed)
    }
    return shown
  }
}

extension TranscribedRequest {
  /// Takes the values of a redacted request, whose placeholders become those of a transcript.
  fileprivate mutating func take(
    _ request: URLRequest, _ placeholders: Set<String>, _ names: inout [String: String],
    without untranscribed: Set<NamedValue>
  ) {
    guard !placeholders.isEmpty else { return }
    let redacted = TranscribedRequest(request, like: self, without: untranscribed)
    // A longer one can contain a shorter one.
    let sorted = placeholders.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    self = redacted
    mapValues { text in
      var text = text
      for placeholder in sorted where text.contains(placeholder) {
        if text.has("{"), text.hasBraces { break }
        text = text.replacing(placeholder, with: name(placeholder, &names))
      }
      return text
    }
  }

  /// Changes what can be a secret: the values of items, headers and members of JSON, text, and user information.
  private mutating func mapValues(_ change: (String) -> String) {
    func changeItem(_ item: String) -> String {
      item.cut(at: "=").map { "\($0.before)=\(change(String($0.after)))" } ?? item
    }
    func changeJSON(_ value: StubJSON) -> StubJSON {
      switch value {
      case .string(let text): return .string(change(text))
      case .number(let number):
        let text = change(number.description)
        return text == number.description ? value : .string(TranscribedBody.bare + text)
      case .array(let elements): return .array(elements.map(changeJSON))
      case .object(var members):
        // In the order of the text, so that names count upwards.
        for (key, member) in members.sorted(by: { $0.key < $1.key }) { members[key] = changeJSON(member) }
        return .object(members)
      case .null, .bool: return value
      }
    }
    func changeBody(_ body: TranscribedBody) -> TranscribedBody {
      switch body {
      case .none, .bytes: return body
      case .json(let value): return .json(changeJSON(value))
      case .form(let items): return .form(items.map(changeItem))
      case .text(let text): return .text(change(text))
      case .multipart(var parts, let problems):
        for index in parts.indices { parts[index].body = changeBody(parts[index].body) }
        return .multipart(parts, problems: problems)
      }
    }
    if let (scheme, rest) = url.scheme {
      let end = rest.place(of: "/") ?? rest.endIndex
      if let at = rest[..<end].lastIndex(of: "@") { url = "\(scheme)://\(change(String(rest[..<at])))\(rest[at...])" }
    }
    url = url.pieces(at: "/").map { change(String($0)) }.joined(separator: "/")
    items = items?.map(changeItem)
    for index in fields.indices { fields[index].value = change(fields[index].value) }
    body = changeBody(body)
  }

  fileprivate init(_ request: URLRequest, like other: TranscribedRequest, without untranscribed: Set<NamedValue>) {
    self = other
    take(request.url)
    for index in fields.indices {
      guard let value = request.value(forHTTPHeaderField: fields[index].name) else { continue }
      fields[index].value = value.escapingBraces
    }
    if let data = request.httpBody, body.isSome { body = TranscribedBody(data, type: header("Content-Type")) }
  }
}

private func name(_ secret: String, _ names: inout [String: String]) -> String {
  let name = names[secret] ?? "{{secret\(names.count + 1)}}"
  names[secret] = name
  return name
}
