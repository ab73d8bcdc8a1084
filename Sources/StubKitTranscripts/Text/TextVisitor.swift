import StubKit

/// A place in a request, such as the member `name` of the JSON in the body: the hash of the steps that lead there.
struct Place: Hashable, Sendable {
  private let hash: Int

  static let request = Place(hash: 0)
  static let body = Place.request.step("body")

  private init(hash: Int) { self.hash = hash }

  func step(_ name: String, _ number: Int = 0) -> Place {
    var hasher = Hasher()
    hasher.combine(hash)
    hasher.combine(ExactString(name))
    hasher.combine(number)
    return Place(hash: hasher.finalize())
  }
}

/// A visitor of the texts of a request. Comparing, hiding secrets and finding placeholders all walk the same way.
protocol TextVisitor {
  /// Visits a text that is sent, or a mark that no text says, such as the number of parts.
  mutating func visit(_ text: inout TranscribedText, at place: Place, _ role: TextRole)

  /// Begins the texts of a container. Returns a text that takes its place, or `nil` to visit them.
  mutating func begin(_ container: TextContainer, at place: Place) -> TranscribedText?

  mutating func end()
}

enum TextRole: Hashable {
  /// A text, a string of JSON, a number or a word of JSON, and a mark.
  case plain, quoted, word, mark
  /// The value of a header. Its name is in lower case.
  case header(String)
}

/// A part of a body for which a placeholder can stand as a whole.
enum TextContainer {
  case json(TranscribedJSON)
  case body(TranscribedRequest.Body)

  /// A text that containers of one form have in common.
  fileprivate var mark: String {
    switch self {
    case .json(.array(let all)): "[\(all.count)]"
    case .json: "{}"
    case .body(let body):
      switch body {
      case .none: ""
      case .json: "json"
      case .form: "form"
      case .multipart(let parts): "\(parts.count) parts"
      case .text(let lines): "\(lines.count) lines"
      case .bytes: "bytes"
      }
    }
  }

  /// The value in a transcript.
  var source: String {
    switch self {
    case .json(let value): value.line
    case .body(let body): onlyLine ?? TranscriptWriter.lines(of: body, type: nil).lines
    }
  }

  /// The text of a body of one line.
  var onlyLine: String? {
    if case .body(.text(let lines)) = self, lines.count == 1 { lines[0].sent } else { nil }
  }
}

extension TextVisitor {
  mutating func begin(_ container: TextContainer, at place: Place) -> TranscribedText? { nil }
  mutating func end() {}

  fileprivate mutating func mark(_ text: String, at place: Place) {
    var text = TranscribedText(text)
    visit(&text, at: place, .mark)
  }
}

extension TranscribedRequest {
  mutating func visitTexts(_ visitor: inout some TextVisitor) {
    visitor.mark(method, at: .request.step("method"))
    if let timeout { visitor.mark(timeout, at: .request.step("timeout")) }
    if let time { visitor.mark(time, at: .request.step("time")) }
    if isRedirected { visitor.mark("", at: .request.step("redirected")) }
    visitor.mark("\(url.count)", at: .request.step("URL"))
    for index in url.indices { visitor.visit(&url[index], at: .request.step("URL", index + 1), .plain) }
    if items != nil {
      visitor.mark("", at: .request.step("?"))
      Self.visit(&items!, at: .request.step("?", 1), &visitor)
    }
    Self.visit(&fields, at: .request.step("header"), &visitor, isHeader: true)
    Self.visit(&body, at: .body, &visitor)
  }

  private static func visit(
    _ fields: inout [Field], at place: Place, _ visitor: inout some TextVisitor, isHeader: Bool = false
  ) {
    var counts: [ExactString?: Int] = [:]
    for index in fields.indices {
      let name = isHeader ? fields[index].name.map { ExactString($0.string.lowercased()) } : fields[index].name
      let number = counts[name, default: 0] + 1
      counts[name] = number
      let inner = name.map { place.step($0.string, number) } ?? place.step("", -number)
      visitor.visit(&fields[index].value, at: inner, isHeader ? .header(name?.string ?? "") : .plain)
    }
  }

  private static func visit(_ body: inout Body, at place: Place, _ visitor: inout some TextVisitor) {
    if body.isEmpty { return }
    if case .text(let lines) = body, lines.count == 1, lines[0].onlyPlaceholder != nil {
      var text = lines[0]
      visitor.visit(&text, at: place, .plain)
      body = .text([text])
      return
    }
    if let text = visitor.begin(.body(body), at: place) {
      body = .text([text])
      return
    }
    visitor.mark(TextContainer.body(body).mark, at: place.step("form"))
    switch body {
    case .none: break
    case .json(var value):
      visit(&value, at: place.step("json"), &visitor)
      body = .json(value)
    case .form(var fields):
      visit(&fields, at: place.step("form"), &visitor)
      body = .form(fields)
    case .bytes(let bytes): visitor.mark(bytes.source, at: place.step("bytes"))
    case .text(var lines):
      for index in lines.indices { visitor.visit(&lines[index], at: place.step("line", index), .plain) }
      body = .text(lines)
    case .multipart(var parts):
      for index in parts.indices {
        visit(&parts[index].fields, at: place.step("header of part", index), &visitor, isHeader: true)
        visit(&parts[index].body, at: place.step("part", index), &visitor)
      }
      body = .multipart(parts)
    }
    visitor.end()
  }

  private static func visit(_ value: inout TranscribedJSON, at place: Place, _ visitor: inout some TextVisitor) {
    switch value {
    case .string(var text):
      visitor.visit(&text, at: place, .quoted)
      value = .string(text)
    case .word(var text):
      visitor.visit(&text, at: place, .word)
      value = .word(text)
    case .array, .object:
      if let text = visitor.begin(.json(value), at: place) {
        value = .word(text)
        return
      }
      visitor.mark(TextContainer.json(value).mark, at: place.step("form"))
      if case .array(var elements) = value {
        for index in elements.indices { visit(&elements[index], at: place.step("[]", index), &visitor) }
        value = .array(elements)
      } else if case .object(var members) = value {
        var number = 0
        for index in members.indices {
          number = index > 0 && members[index - 1].key == members[index].key ? number + 1 : 0
          visit(&members[index].value, at: place.step(members[index].key.string, number), &visitor)
        }
        value = .object(members)
      }
      visitor.end()
    }
  }
}
