import StubKit

extension SecretFinder {
  /// Reads a multipart body (RFC 2046): the fields and the body of each part. Returns whether it is one.
  func readParts(_ text: SecretText, _ type: String) -> Bool {
    let bytes = text.bytes
    guard let boundary = bytes.boundary ?? MultipartBody.boundary(ofContentType: type), depth < 16 else { return false }
    let mark = "--\(boundary)"
    var (ends, next) = ([Int](), bytes.firstIndex(of: mark))
    while let start = next {
      if start == 0 || bytes.has(.newline, at: start - 1) { ends.append(start) }
      next = bytes.firstIndex(of: mark, from: start + mark.utf8.count)
    }
    // A body that is cut off has no last boundary.
    if let last = ends.last, !bytes.has("--", at: last + mark.utf8.count) { ends.append(bytes.count) }
    guard ends.count > 1 else { return false }
    depth += 1
    begin()
    for (start, stop) in zip(ends, ends.dropFirst()) {
      // The line break before a boundary belongs to it.
      var end = stop
      if stop < bytes.count {
        if bytes.has("\n", at: end - 1) { end -= 1 }
        if bytes.has("\r", at: end - 1) { end -= 1 }
      }
      let first = bytes.firstIndex(in: .newline, from: start)
      guard first < end else { continue }
      readPart(text[bytes.afterNewline(first)..<max(bytes.afterNewline(first), end)])
    }
    end()
    depth -= 1
    return true
  }

  /// Reads a part: a message without a first line.
  private func readPart(_ part: SecretText) {
    let (fields, body) = readFields(part)
    let name = fields["content-disposition"].flatMap { HeaderParameters($0).text("name") } ?? ""
    let leaf = Leaf(place: .part, name: name, value: part[body...])
    if visit(leaf) { readBody(leaf.value, fields["content-type"] ?? "") }
  }

  /// Reads a message of HTTP: its first line, its fields, and its body.
  func readMessage(_ message: SecretText) {
    let end = message.bytes.firstIndex(in: .newline)
    for word in message[0..<end].pieces(at: .spaceOnly) where word.bytes.isURL { readURL(word) }
    let rest = message[message.bytes.afterNewline(end)...]
    let (fields, body) = readFields(rest)
    if body < rest.bytes.count { readBody(rest[body...], fields["content-type"] ?? "") }
  }

  /// Reads the fields of a message up to an empty line. Returns those that say something about its body, and where that
  /// begins.
  func readFields(_ message: SecretText) -> (fields: [String: String], body: Int) {
    let bytes = message.bytes
    var (fields, line) = ([String: String](), 0)
    while line < bytes.count {
      var end = bytes.firstIndex(in: .newline, from: line)
      if end == line {
        return (fields, bytes.afterNewline(end))
      }
      // A field goes on in the next line if that is indented.
      while bytes.has(.blank, at: bytes.afterNewline(end)) {
        end = bytes.firstIndex(in: .newline, from: bytes.afterNewline(end))
      }
      let colon = bytes.firstIndex(in: .colon, from: line, to: end)
      if colon < end {
        let (name, value) = (message[line..<colon].string, message[(colon + 1)..<end].trimmed())
        readHeader(value, named: name)
        let lowercased = name.lowercased()
        if lowercased.hasPrefix("content-") { fields[lowercased] = value.string }
      }
      line = bytes.afterNewline(end)
    }
    return (fields, bytes.count)
  }
}

extension Bytes {
  /// Whether the text is a message of HTTP/1: a first line with the version, and a field.
  var isMessage: Bool {
    let end = firstIndex(in: .newline, from: 0, to: Swift.min(count, 4_096))
    guard has(.newline, at: end), firstIndex(of: "HTTP/1.", from: 0, to: end) != nil else { return false }
    return has(.colon, at: firstIndex(notIn: .word, from: afterNewline(end)))
  }

  /// The index after the line break at an index, which can be two bytes.
  func afterNewline(_ index: Int) -> Int {
    Swift.min(count, index + (has("\r", at: index) && has("\n", at: index + 1) ? 2 : 1))
  }

  /// The boundary with which a multipart body begins, whatever its type says.
  fileprivate var boundary: String? {
    let end = firstIndex(in: .newline)
    guard has("--", at: 0), 3...80 ~= end, firstIndex(of: "ontent-", from: end, to: end + 24) != nil else { return nil }
    return String(utf8: self[2..<end])
  }
}
