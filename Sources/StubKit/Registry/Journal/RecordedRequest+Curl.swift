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
  /// Everything is quoted, so that the shell passes on every byte unchanged. If the body is not plain text, or too
  /// long for an argument, it comes from `printf` through a pipe. If the journal doesn't keep the body, the command
  /// names a file that you have to create. The command leaves `Content-Length` to curl, and omits NUL characters,
  /// which a shell can't express.
  public var curl: String {
    var words = ["curl"]
    let method = request.httpMethod ?? "GET"
    let body = BodyArgument(self)
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
    case .argument(let text): words += ["--data-raw", text.quoted]
    case .standardInput: words += ["--data-binary", "@-"]
    case .notKept(let length): words += ["--data-binary", "@body-of-\(length)-bytes".quoted]
    }
    let command = words.joined(separator: " ")
    return if case .standardInput(let producer) = body { "\(producer) | \(command)" } else { command }
  }

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

/// How a command passes its body.
private enum BodyArgument {
  case none
  case argument(String)
  /// The command before the pipe.
  case standardInput(String)
  case notKept(length: Int)

  /// Linux accepts no argument of 128 KB or more. `printf` is part of the shell and has no such limit.
  private static let longestArgument = 100_000

  init(_ entry: RecordedRequest) {
    guard let body = entry.body else {
      self = entry.largeBodyLength.map { .notKept(length: $0) } ?? .none
      return
    }
    let text = String(decoding: body, as: UTF8.self)
    if text.utf8.elementsEqual(body), !text.unicodeScalars.contains(where: \.isControl) {
      self = body.count <= Self.longestArgument ? .argument(text) : .standardInput("printf %s \(text.quoted)")
    } else {
      self = .standardInput("printf '\(Self.format(body))'")
    }
  }

  /// Returns the bytes as `printf` reads them, within single quotes.
  private static func format(_ body: Data) -> String {
    var format: [UInt8] = []
    for (position, byte) in body.enumerated() {
      switch byte {
      case UInt8(ascii: "%"): format += "%%".utf8
      case UInt8(ascii: "\\"): format += #"\\"#.utf8
      // A format that begins with `-` would be an option.
      case UInt8(ascii: "-") where position > 0: format.append(byte)
      case UInt8(ascii: "'"), UInt8(ascii: "-"), 0..<0x20, 0x7F...: format += octal(byte)
      default: format.append(byte)
      }
    }
    return String(decoding: format, as: UTF8.self)
  }

  private static func octal(_ byte: UInt8) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    return [UInt8(ascii: "\\"), zero + byte >> 6, zero + (byte >> 3) & 7, zero + byte & 7]
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
