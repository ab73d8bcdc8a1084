import Foundation
import StubKit

/// The body of a request in a transcript.
indirect enum TranscribedBody: Sendable {
  case none
  /// Compared by path. Strings can have placeholders, and one that begins with ``bare`` stands for any value.
  case json(StubJSON)
  /// The fields as they are sent, in any order.
  case form([String])
  case multipart([Part], problems: [String])
  case text(String)
  /// What isn't text, by its length and a hash, or what the journal doesn't keep.
  case bytes(String)

  struct Part: Sendable {
    var fields: [TranscribedRequest.Field] = []
    var body = TranscribedBody.none
    /// What is wrong with its bytes.
    var problems: [String] = []

    /// The name in its Content-Disposition, or its type.
    var name: String {
      let disposition = fields.first { $0.name.isHeaderName("Content-Disposition") }
      return disposition.flatMap { HeaderParameters($0.value).text("name") } ?? "without a name"
    }
    var type: String? { fields.first { $0.name.isHeaderName("Content-Type") }?.value }
  }

  var isSome: Bool { if case .none = self { false } else { true } }

  /// What a string begins with that is a placeholder without quotation marks: a character for private use.
  static let bare = "\u{F8FE}"

  /// - Parameters:
  ///   - data: The bytes that were sent.
  ///   - type: The Content-Type.
  init(_ data: Data, type: String?) {
    if data.isEmpty {
      self = .none
    } else if let boundary = type.flatMap(MultipartBody.boundary(ofContentType:)),
      let multipart = MultipartReader(data, boundary: boundary).body
    {
      self = multipart
    } else if let text = String(validUTF8: data), text.unicodeScalars.allSatisfy(\.isShown) {
      if "{[".utf8.contains(text.utf8.first { !$0.isWhiteSpace } ?? 0), let json = try? StubJSON(parsing: data) {
        self = .json(text.hasBraces ? json.mapTexts(\.escapingBraces) : json)
      } else if Self.isForm(type), Self.isForm(text: text) {
        self = .form(text.escapingBraces.pieces(at: "&").map(String.init))
      } else {
        self = .text(text.escapingBraces.showing("\r", as: "␍"))
      }
    } else {
      self = .bytes("<\(data.count) bytes, \(data.digest)>")
    }
  }

  static func isForm(_ type: String?) -> Bool {
    (type?.pieces(at: ";").first?.withoutOuterSpace.lowercased()).map { $0 == TranscribedRequest.form } ?? false
  }

  /// Returns whether a text comes back if its fields are joined again. URLSession on Linux calls any body a form.
  static func isForm(text: String) -> Bool {
    !text.utf8.contains { $0 <= 0x20 } && text.pieces(at: "&").allSatisfy { $0.has("=") }
  }

  // MARK: Printing

  /// - Parameter boundary: That of a multipart body.
  func lines(boundary: String?) -> [String] {
    switch self {
    case .none: return []
    case .json(let value): return value.transcriptLines
    case .form(let fields): return fields.enumerated().map { $0 == 0 ? $1 : "&\($1)" }
    case .bytes(let text): return [text]
    case .text(let text): return Self.lines(ofText: text)
    case .multipart(let parts, let problems):
      let delimiter = "--\(boundary ?? "")"
      var lines: [String] = []
      for part in parts {
        lines += [delimiter] + part.problems.map { "# \($0)" } + part.fields.map(\.line) + [""]
        lines += part.body.lines(boundary: nil)
      }
      return lines + ["\(delimiter)--"] + problems.map { "# \($0)" }
    }
  }

  /// A line that would be read as something else, or not at all, begins with a backslash.
  private static func lines(ofText text: String) -> [String] {
    var lines = text.pieces(at: "\n").map(String.init)
    let isBlank = lines.map { $0.utf8.allSatisfy(\.isWhiteSpace) }
    let first = isBlank.firstIndex(of: false) ?? lines.count
    let last = isBlank.lastIndex(of: false) ?? -1
    let isLikeForm = lines.dropFirst().contains { $0.hasPrefix("&") }
    for index in lines.indices {
      let line = lines[index]
      let isLikeOther =
        index == 0 && (line.first.map { "<{[".contains($0) } ?? false || TranscriptText.isRequest(line) || isLikeForm)
      if line.hasPrefix("\\") || line.hasPrefix("###") || index < first || index > last || isLikeOther {
        // A placeholder at the beginning is no JSON, and a backslash would take its meaning.
        lines[index] = line.hasPrefix("{{") ? line : "\\\(line)"
      }
    }
    return lines
  }
}

extension Unicode.Scalar {
  /// Whether a transcript shows the character as it is. The carriage return has a sign.
  fileprivate var isShown: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: true
    case ..<0x20, 0x7F..<0xA0, 0xF8FE, 0xFEFF: false
    default: true
    }
  }
}

extension Data {
  /// A hash of the bytes (FNV-1a with 64 bits), in hexadecimal.
  var digest: String {
    let hash = withUnsafeBytes { bytes in
      var (hash, position) = (UInt64(0xcbf2_9ce4_8422_2325), 0)
      while position < bytes.count {
        hash = (hash ^ UInt64(bytes[position])) &* 0x100_0000_01b3
        position += 1
      }
      return hash
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension String {
  /// The text with a sign in place of a control character, also of one that is a part of a character.
  func showing(_ control: Unicode.Scalar, as sign: Unicode.Scalar) -> String {
    guard has(control) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0 == control ? sign : $0 }))
  }
}

// MARK: JSON

extension StubJSON {
  /// Returns the value with each string and each key changed.
  func mapTexts(_ change: (String) -> String) -> StubJSON {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let elements): .array(elements.map { $0.mapTexts(change) })
    case .object(let members):
      .object(Dictionary(members.map { (change($0.key), $0.value.mapTexts(change)) }) { first, _ in first })
    case .null, .bool, .number: self
    }
  }

  /// The value with two blanks for each level, and with sorted keys.
  var transcriptLines: [String] {
    var lines: [String] = []
    func add(_ value: StubJSON, _ indent: String, _ prefix: String, _ suffix: String) {
      switch value {
      case .object(let members) where !members.isEmpty:
        lines.append("\(indent)\(prefix){")
        let sorted = members.sorted { $0.key < $1.key }
        for (index, member) in sorted.enumerated() {
          add(
            member.value, indent + "  ", "\(member.key.transcriptString): ", index == sorted.count - 1 ? "" : ",")
        }
        lines.append("\(indent)}\(suffix)")
      case .array(let elements) where !elements.isEmpty:
        lines.append("\(indent)\(prefix)[")
        for (index, element) in elements.enumerated() {
          add(element, indent + "  ", "", index == elements.count - 1 ? "" : ",")
        }
        lines.append("\(indent)]\(suffix)")
      default: lines.append("\(indent)\(prefix)\(value.transcriptText)\(suffix)")
      }
    }
    add(self, "", "", "")
    return lines
  }

  /// The value in one line. Placeholders are as they are written.
  var transcriptText: String {
    switch self {
    case .string(let text): text.transcriptString
    case .array(let elements): "[\(elements.map(\.transcriptText).listed)]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\($0.key.transcriptString): \($0.value.transcriptText)" }.listed)}"
    case .null, .bool, .number: description
    }
  }
}

extension String {
  /// The text as a JSON string in which placeholders are as they are written.
  fileprivate var transcriptString: String {
    if hasPrefix(TranscribedBody.bare) { return String(dropFirst()) }
    guard hasBraces, let pieces = try? ValuePattern.pieces(of: self) else { return quotedAsJSON }
    let inner = pieces.map { piece in
      switch piece {
      case .text(let text): String(text.escapingBraces.quotedAsJSON.dropFirst().dropLast())
      case .placeholder(let placeholder): placeholder.source
      }
    }
    return "\"\(inner.joined())\""
  }
}

// MARK: Multipart

/// Reads a multipart body from its bytes, with what is wrong with them (RFC 2046, section 5.1).
private struct MultipartReader {
  let data: [UInt8]
  let boundary: String

  init(_ data: Data, boundary: String) { (self.data, self.boundary) = (Array(data), boundary) }

  /// `nil` if there is no delimiter.
  var body: TranscribedBody? {
    let delimiter = Array("--\(boundary)".utf8)
    var parts: [TranscribedBody.Part] = []
    var problems: [String] = []
    var isClosed = false
    // The beginning of the part that is being read, and what is wrong so far.
    var open: (start: Int, problems: [String])?
    var position = 0
    while position < data.count, !isClosed {
      let next = data[position...].firstIndex(of: .newline).map { $0 + 1 } ?? data.count
      let line = data[position..<next]
      let rest = line.dropFirst(delimiter.count)
      if line.starts(with: delimiter), rest.starts(with: "--".utf8) || rest.allSatisfy(\.isWhiteSpace) {
        isClosed = rest.starts(with: "--".utf8)
        let hasReturn = position < 2 || data[position - 2] == 0x0D
        if let open {
          let end = max(open.start, position - (hasReturn ? 2 : 1))
          parts.append(part(open.start..<end, open.problems + (hasReturn ? [] : [Self.lineEnd("after it")])))
        } else if position > 2 {
          problems.append("\(position) bytes before the first part")
        }
        let isEnded = isClosed || line.suffix(2) == [0x0D, 0x0A]
        open = isClosed ? nil : (next, isEnded ? [] : [Self.lineEnd("before it")])
        if isClosed, data[position...].dropFirst(delimiter.count + 2).contains(where: { !$0.isWhiteSpace }) {
          problems.append("\(data.count - position - delimiter.count - 2) bytes after the closing line")
        }
      }
      position = next
    }
    guard open != nil || isClosed else { return nil }
    if let open { parts.append(part(open.start..<data.count, open.problems)) }
    if !isClosed { problems.append("the closing line is missing") }
    return .multipart(parts, problems: problems)
  }

  private static func lineEnd(_ place: String) -> String { "the line \(place) ends with LF, not with CR LF" }

  private func part(_ range: Range<Int>, _ problems: [String]) -> TranscribedBody.Part {
    var part = TranscribedBody.Part(problems: problems)
    var (position, isHead, hasOnlyLF) = (range.lowerBound, true, false)
    while isHead, position < range.upperBound {
      let next = data[position..<range.upperBound].firstIndex(of: .newline).map { $0 + 1 } ?? range.upperBound
      let line = data[position..<next]
      if line.last == .newline, line.dropLast().last != 0x0D { hasOnlyLF = true }
      let text = String(utf8: line.filter { $0 != 0x0D && $0 != .newline })
      position = next
      if text.isEmpty {
        isHead = false
      } else if let (name, value) = text.cut(at: ":") {
        part.fields.append(
          .init(name: String(name), value: String(value.withoutOuterSpace).escapingBraces))
      } else {
        part.problems.append("its head has a line without a colon: \(text.escapingBraces)")
      }
    }
    if isHead { part.problems.append("no blank line follows its head") }
    if hasOnlyLF { part.problems.append("lines of its head end with LF, not with CR LF") }
    part.fields.removeAll { $0.name.isHeaderName("Content-Length") }
    part.body = TranscribedBody(Data(data[position..<range.upperBound]), type: part.type)
    return part
  }
}
