import Foundation
import StubKit

/// Writes a transcript: requests in the format of `.http` files, with `###` between them.
///
/// ```text
/// file    = *comment block *( "###" [ " ×" count ] block )
/// block   = *comment method " " url [ "?" item *( "&" item ) ] *( name ": " value ) [ blank-line body ]
/// comment = "# timeout " seconds / "# at " time / "# after a redirect" / "#" anything / "//" anything
/// body    = placeholder / multipart / json / bytes / form / text       see BodyForm
/// text    = what is sent, with {{name}}, {{name:kind}}, {{_}}, {{\r}} and {{\x7b}} for characters, {{\}} for nothing
/// ```
enum TranscriptWriter {
  static let redirect = "# after a redirect"
  static let timeout = "# timeout "
  static let time = "# at "
  /// Begins a line that would be read as something else.
  static let guardMark = #"{{\}}"#

  /// - Parameter comments: The lines at the top.
  static func text(of requests: [TranscribedRequest], comments: [String] = []) -> String {
    var blocks: [(lines: [String], count: Int)] = []
    for lines in requests.map(lines) {
      if let last = blocks.last, last.lines.map(ExactString.init) == lines.map(ExactString.init) {
        blocks[blocks.count - 1].count += 1
      } else {
        blocks.append((lines, 1))
      }
    }
    var lines = comments
    for (index, block) in blocks.enumerated() {
      if index > 0 { lines.append("") }
      if block.count > 1 { lines.append("### ×\(block.count)") } else if index > 0 { lines.append("###") }
      lines += block.lines
    }
    return lines.lines
  }

  /// The method and the URL.
  static func target(of request: TranscribedRequest) -> String {
    // A line that begins with # or // is a comment.
    let method = TranscribedText(request.method).source(" #/")
    let url = request.url.map { $0.source(" ?#/") }.joined(separator: "/")
    return "\(method) \(url)\(request.items.map { "?\($0.map { item($0) }.joined(separator: "&"))" } ?? "")"
  }

  static func item(_ field: TranscribedRequest.Field) -> String {
    guard let name = field.name else { return field.value.source(" &=") }
    return "\(TranscribedText(name.string).source(" &="))=\(field.value.source(" &"))"
  }

  static func line(_ field: TranscribedRequest.Field) -> String {
    let name = TranscribedText(field.name?.string ?? "").source(" :#/")
    return "\(name.isEmpty ? guardMark : name): \(field.value.source())"
  }

  private static func lines(_ request: TranscribedRequest) -> [String] {
    var lines = request.isRedirected ? [redirect] : []
    if let time = request.time { lines.append(self.time + time) }
    if let timeout = request.timeout { lines.append(self.timeout + timeout) }
    lines.append(target(of: request))
    lines += request.fields.map(line)
    let body = self.lines(of: request.body, type: request.header("content-type"))
    return body.isEmpty ? lines : lines + [""] + body
  }

  /// - Parameter type: The Content-Type.
  static func lines(of body: TranscribedRequest.Body, type: TranscribedText?, isPart: Bool = false) -> [String] {
    let typeText = type?.source() ?? ""
    switch body {
    case .none: return []
    case .json(let value): return value.lines
    case .bytes(let bytes): return [bytes.source]
    case .form(let fields):
      let lines = fields.enumerated().map { ($0 == 0 ? "" : "&") + item($1) }
      let isSafe = BodyForm(lines[...], typeText, isPart: isPart) == .form && !lines[0].starts(withBytesOf: "###")
      return isSafe ? lines : [guardMark + lines[0]] + lines.dropFirst()
    case .multipart(let parts):
      let delimiter = "--\(boundary(typeText))"
      return parts.flatMap { part -> [String] in
        let body = lines(of: part.body, type: part.fields.value(of: "content-type"), isPart: true)
        return [delimiter] + part.fields.map(line) + [""]
          + body.map { $0.starts(withBytesOf: "--") ? guardMark + $0 : $0 }
      } + ["\(delimiter)--"]
    case .text(let texts):
      if texts.count == 1, texts[0].onlyPlaceholder != nil { return [texts[0].source()] }
      var lines = texts.map { $0.source() }
      let isForm = typeText.lowercased().hasPrefix(TranscribedRequest.form)
      for (index, line) in lines.enumerated() {
        let isBlankEnd = line.isEmpty && (index == 0 || index == lines.count - 1)
        if isBlankEnd || line.starts(withBytesOf: "###") || isForm && line.starts(withBytesOf: "&") {
          lines[index] = guardMark + line
        }
      }
      if BodyForm(lines[...], typeText, isPart: isPart) != .text { lines[0] = guardMark + lines[0] }
      return lines
    }
  }

  private static func boundary(_ type: String) -> String { MultipartBody.boundary(ofContentType: type) ?? "" }
}

/// The form of a body in a transcript, which its first line and the Content-Type say. The reader and the writer ask
/// this, so that they agree.
enum BodyForm {
  case placeholder, multipart, json, bytes, form, text

  init(_ lines: ArraySlice<String>, _ type: String, isPart: Bool) {
    guard let first = lines.first else {
      self = .text
      return
    }
    func begins(_ text: String) -> Bool { first.starts(withBytesOf: text) }
    let type = type.lowercased()
    let hasParts = !isPart && MultipartBody.boundary(ofContentType: type) != nil
    if lines.count == 1, begins("{{"), (try? TranscribedText(reading: first))?.onlyPlaceholder != nil {
      self = .placeholder
    } else if hasParts, begins("--") {
      self = .multipart
    } else if begins("[") || begins("{") && !begins("{{") {
      self = .json
    } else if begins("("), lines.count == 1, first.ends(withBytesOf: ")") {
      self = .bytes
    } else if type.hasPrefix(TranscribedRequest.form), Self.isForm(lines) {
      self = .form
    } else {
      self = .text
    }
  }

  private static func isForm(_ lines: ArraySlice<String>) -> Bool {
    guard lines.dropFirst().allSatisfy({ $0.starts(withBytesOf: "&") }),
      let text = try? TranscribedText(reading: lines.joined())
    else { return false }
    // The characters that are sent count, not those of an escape.
    let sent = text.pieces.map { if case .literal(let text) = $0 { text.string } else { "x" } }
    return TranscribedRequest.isForm(sent.joined())
  }
}
