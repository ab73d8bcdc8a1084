import Foundation

extension RecordedRequest {
  /// The request as a command for a POSIX shell, which you can run against the real server.
  ///
  /// ```swift
  /// print(entry.curl)
  /// // curl -X POST 'https://api.example.com/users'
  /// //   -H 'Content-Type: application/json' --data-raw '{"name":"Ann"}'
  /// ```
  ///
  /// Everything is quoted, so that the shell passes on every byte unchanged. If the body is longer than 100,000 bytes
  /// or not plain text, or if the journal doesn't keep it, the command names a file that you have to create. The
  /// command leaves `Content-Length` to curl, and omits NUL characters, which a shell can't express.
  public var curl: String {
    var words = ["curl"]
    let length = body?.count ?? largeBodyLength
    switch method {
    case "GET" where length == nil: break
    case "HEAD" where length == nil: words.append("--head")
    default: words += ["-X", method.contains(/^[A-Z]+$/) ? method : method.inShell]
    }
    let url = request.url?.absoluteString ?? ""
    // Otherwise, curl makes several requests from brackets and braces, resolves dots in the path, and takes `-` for
    // an option.
    if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    if url.contains("/.") { words.append("--path-as-is") }
    if url.hasPrefix("-") { words.append("--url") }
    words.append(url.inShell)
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      // curl would take `@` for the name of a file, and no HTTP field begins with it.
      guard name.lowercased() != "content-length", !name.hasPrefix("@") else { continue }
      // curl omits a field without a value, unless it ends with a semicolon.
      words += ["-H", (value.isEmpty ? "\(name);" : "\(name): \(value)").inShell]
    }
    if let length {
      // curl would add the type of a form.
      if request.value(forHTTPHeaderField: "Content-Type") == nil { words += ["-H", "'Content-Type:'"] }
      words += plainBody.map { ["--data-raw", $0.inShell] } ?? ["--data-binary", "@body-of-\(length)-bytes".inShell]
    }
    return words.joined(separator: " ")
  }

  /// The body, if it is text without control characters other than line breaks and tabs, and short enough for an
  /// argument, which has less than 128 KB on Linux.
  private var plainBody: String? {
    guard let body, body.count <= 100_000, let text = String(validUTF8: body) else { return nil }
    let isPlain = text.unicodeScalars.allSatisfy {
      "\n\t".unicodeScalars.contains($0) || $0.properties.generalCategory != .control
    }
    return isPlain ? text : nil
  }
}

/// A text in a command that a reader copies into a shell.
extension String {
  /// The text as one word of a shell, in single quotes, where only the next quote has a meaning.
  package var inShell: String {
    // An argument can't contain NUL, and no part of HTTP may.
    "'" + replacing("\0", with: "").replacing("'", with: #"'\''"#) + "'"
  }

  /// The same, in quotes only if necessary.
  package var asShellWord: String {
    let isPlain = utf8.allSatisfy { $0.isAlphanumeric || "_./-".utf8.contains($0) }
    return isPlain ? self : inShell
  }
}
