import Foundation
import StubKitFormats

extension RecordedRequest {
  /// The request as a command for a POSIX shell, which you can run against the real server.
  ///
  /// ```swift
  /// print(entry.curl)
  /// // curl -X POST 'https://api.example.com/users'
  /// //   -H 'Content-Type: application/json' --data-raw '{"name":"Ann"}'
  /// ```
  ///
  /// Everything is quoted, so that the shell passes on every byte unchanged. If the body is too long for an argument, it
  /// comes from `printf` through a pipe. If it is not plain text, or if the journal doesn't keep it, the command names a
  /// file that you have to create. The command leaves `Content-Length` to curl, and omits NUL characters, which a shell
  /// can't express.
  public var curl: String {
    var words = ["curl"]
    let method = request.httpMethod ?? "GET"
    let body = CurlBody(self)
    switch (method, body) {
    case ("GET", .none): break
    case ("HEAD", .none): words.append("--head")
    default: words += ["-X", method.shellWord]
    }
    words += urlWords
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      // curl would take `@` for the name of a file, and no HTTP field begins with it.
      guard name.lowercased() != "content-length", !name.hasPrefix("@") else { continue }
      // curl omits a field without a value, unless it ends with a semicolon.
      words += ["-H", (value.isEmpty ? "\(name);" : "\(name): \(value)").shellWord]
    }
    switch body {
    case .none: break
    case .text(let text) where text.utf8.count <= Self.longestArgument: words += ["--data-raw", text.quoted]
    case .text: words += ["--data-binary", "@-"]
    case .file(let length): words += ["--data-binary", "@body-of-\(length)-bytes".quoted]
    }
    let command = words.joined(separator: " ")
    guard case .text(let text) = body, text.utf8.count > Self.longestArgument else { return command }
    return "printf %s \(text.quoted) | \(command)"
  }

  /// Linux accepts no argument of 128 KB or more. `printf` is part of the shell and has no such limit.
  private static let longestArgument = 100_000

  private var urlWords: [String] {
    let url = request.url?.absoluteString ?? ""
    var words: [String] = []
    // Otherwise, curl makes several requests from brackets and braces, resolves dots in the path, and takes `-` for
    // an option.
    if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    if url.contains("/.") { words.append("--path-as-is") }
    if url.hasPrefix("-") { words.append("--url") }
    return words + [url.quoted]
  }
}

/// The body of a command.
private enum CurlBody {
  case none
  case text(String)
  /// Bytes that are no plain text, or that the journal doesn't keep.
  case file(length: Int)

  init(_ entry: RecordedRequest) {
    guard let length = entry.body?.count ?? entry.largeBodyLength else {
      self = .none
      return
    }
    let text = entry.body.flatMap { String(validUTF8: $0) }
    self = text.flatMap { $0.unicodeScalars.contains(where: \.isControl) ? nil : .text($0) } ?? .file(length: length)
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the byte is better not printed on a terminal. Line breaks and tabs are.
  fileprivate var isControl: Bool {
    (value < 0x20 && self != "\n" && self != "\t") || (0x7F...0x9F).contains(value)
  }
}

extension String {
  /// The text as one word of a shell, in single quotes, where only the next quote has a meaning.
  fileprivate var quoted: String {
    // An argument can't contain NUL, and no part of HTTP may.
    "'" + replacing("\0", with: "").replacing("'", with: #"'\''"#) + "'"
  }

  /// The text as a word of a shell, without quotes where none are needed.
  fileprivate var shellWord: String {
    let isPlain = !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    return isPlain ? self : quoted
  }
}
