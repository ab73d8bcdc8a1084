import Foundation
import StubKitFormats

/// An entry as the file contains it, whichever tool wrote it. Missing numbers are `nil`.
struct HAREntry {
  struct Pair {
    var name = ""
    var value: String?
    /// The name of the uploaded file, in a field of a multipart form.
    var fileName: String?
    var contentType: String?
  }

  struct Body {
    var mimeType = ""
    /// The bytes, decoded if the encoding is known.
    var data: Data?
    var encoding: String?
    /// The name of the file that contains the bytes.
    var file: String?
    var size: Int?
    var compression: Int?
    var params: [Pair] = []
    var comment: String?
    var pieces: [HTTPArchive.Entry.Piece] = []
    /// Whether the text isn't what its encoding says.
    var isUndecodable = false
  }

  struct Failure {
    var domain = ""
    var code = 0
    var description: String?
  }

  /// What was taken at its obvious meaning although it isn't as HAR 1.2 requires, as sentences.
  var problems: [String] = []

  var startedAt: Date?
  /// The text of a start that isn't a date, or the empty text if there is none.
  var unreadableStart: String? = ""
  var time: Duration?

  var method: String?
  var url: String?
  var requestHeaders: [Pair] = []
  var postData: Body?
  var requestBodySize: Int?

  var status: Int?
  var responseHeaders: [Pair] = []
  var content = Body()
  var responseBodySize: Int?
  var redirectedTo: String?
  /// The text of a browser for a failed request.
  var errorText: String?
  var charlesStatus: String?

  /// The known times of blocking, name lookup, connecting, sending and waiting.
  var timingsToResponse: [Duration] = []
  var wait: Duration?
  var receive: Duration?
  /// A Boolean value that indicates whether the entry itself says when the response came, or that the time is
  /// unknown.
  var hasOwnTimeToResponse = false
  var ownTimeToResponse: Duration?

  var resourceType: String?
  var hasWebSocketMessages = false
  var failure: Failure?
  var obstacle: String?
  var stub: String?
}

extension HAREntry {
  /// Reads the next entry. Values of another type than HAR 1.2 requires are skipped.
  init(scanning scanner: inout JSONScanner) throws {
    self.init()
    try scanner.members { scanner, key in
      switch key {
      case "startedDateTime":
        let text = try scanner.string()?.text
        startedAt = text.flatMap { HARDate.date($0) }
        unreadableStart = startedAt == nil ? text ?? "" : nil
      case "time": time = try scanner.duration()
      case "request": try scanRequest(&scanner)
      case "response": try scanResponse(&scanner)
      case "timings": try scanTimings(&scanner)
      case "_resourceType": resourceType = try scanner.string()?.text
      case "_webSocketMessages": hasWebSocketMessages = try scanner.elements { try $0.skip() }
      case "_error": try scanFailure(&scanner)
      case "_obstacle": obstacle = try scanner.string()?.text
      case "_stub": stub = try scanner.string()?.text
      default: try scanner.skip()
      }
    }
  }

  private mutating func scanRequest(_ scanner: inout JSONScanner) throws {
    try scanner.members { scanner, key in
      switch key {
      case "method": method = try scanner.string()?.text
      case "url": url = try scanner.string()?.text
      case "headers": requestHeaders = try scanner.headers(of: "request", &problems)
      case "postData": postData = try scanner.body()
      case "bodySize": requestBodySize = try scanner.size()
      default: try scanner.skip()
      }
    }
  }

  private mutating func scanResponse(_ scanner: inout JSONScanner) throws {
    try scanner.members { scanner, key in
      switch key {
      case "status": status = try scanner.status(&problems)
      case "headers": responseHeaders = try scanner.headers(of: "response", &problems)
      case "content": content = try scanner.body() ?? Body()
      case "bodySize": responseBodySize = try scanner.size()
      case "_error", "_failureText": errorText = try scanner.string()?.text ?? errorText
      case "_redirectedTo": redirectedTo = try scanner.string()?.text
      case "_charlesStatus": charlesStatus = try scanner.string()?.text
      default: try scanner.skip()
      }
    }
  }

  private mutating func scanTimings(_ scanner: inout JSONScanner) throws {
    try scanner.members { scanner, key in
      switch key {
      // Connecting includes TLS.
      case "blocked", "dns", "connect", "send":
        if let duration = try scanner.duration() { timingsToResponse.append(duration) }
      case "wait": wait = try scanner.duration()
      case "receive": receive = try scanner.duration()
      case "_timeToResponse": (hasOwnTimeToResponse, ownTimeToResponse) = (true, try scanner.duration())
      default: try scanner.skip()
      }
    }
  }

  private mutating func scanFailure(_ scanner: inout JSONScanner) throws {
    var failure = Failure()
    let isObject = try scanner.members { scanner, key in
      switch key {
      case "domain": failure.domain = try scanner.string()?.text ?? ""
      case "code": failure.code = Int(harNumber: try scanner.number()) ?? 0
      case "description": failure.description = try scanner.string()?.text
      default: try scanner.skip()
      }
    }
    if isObject { self.failure = failure }
  }
}

extension JSONScanner {
  fileprivate mutating func duration() throws -> Duration? { Duration(harMilliseconds: try number()) }

  /// Returns a size, or `nil` for -1, which means an unknown size.
  fileprivate mutating func size() throws -> Int? { Int(harNumber: try number()).flatMap { $0 >= 0 ? $0 : nil } }

  /// Returns a status, which can be text.
  fileprivate mutating func status(_ problems: inout [String]) throws -> Int? {
    let token = try next()
    switch token {
    case .number(let range):
      let status = Int(harNumber: Double(text(range)))
      if let status, 0...999 ~= status { return status }
      problems.append("\"response.status\" is \(text(range).prefix(40)), which is no status.")
      return nil
    case .string(let string):
      let status = Int(string.text).flatMap { 0...999 ~= $0 ? $0 : nil }
      problems.append("\"response.status\" is a string. HAR 1.2 requires a number.")
      return status
    default:
      try skipRest(of: token)
      return nil
    }
  }

  fileprivate func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: utf8[range]), as: UTF8.self)
  }

  /// Returns the next value if it is a string, or the text of a number, of `true` or of `false`. Skips other values.
  fileprivate mutating func lenientText(_ isString: inout Bool) throws -> String? {
    let token = try next()
    isString = false
    switch token {
    case .string(let string):
      isString = true
      return string.text
    case .number(let range): return text(range)
    case .bool(let value): return "\(value)"
    default:
      try skipRest(of: token)
      return nil
    }
  }

  /// - Parameter message: `request` or `response`, for messages.
  fileprivate mutating func headers(of message: String, _ problems: inout [String]) throws -> [HAREntry.Pair] {
    let start = nextPosition()
    var pairs: [HAREntry.Pair] = []
    let isArray = try elements { scanner in
      var pair = HAREntry.Pair()
      var isText = true
      try scanner.members { scanner, key in
        switch key {
        case "name": pair.name = try scanner.string()?.text ?? ""
        case "value": pair.value = try scanner.lenientText(&isText)
        default: try scanner.skip()
        }
      }
      let member = "\(message).headers[\(pairs.count)]"
      if pair.name.isEmpty {
        problems.append("\"\(member)\" has no name, and was left out.")
      } else if !isText {
        problems.append("\"\(member).value\" is not a string. HAR 1.2 requires one.")
      }
      pairs.append(pair)
    }
    guard !isArray, !utf8[start...].starts(with: "null".utf8) else { return pairs }
    throw HAREntry.Problem(sentence: "\"\(message).headers\" is not an array.")
  }

  fileprivate mutating func pairs() throws -> [HAREntry.Pair] {
    var pairs: [HAREntry.Pair] = []
    try elements { scanner in
      var pair = HAREntry.Pair()
      try scanner.members { scanner, key in
        switch key {
        case "name": pair.name = try scanner.string()?.text ?? ""
        case "value": pair.value = try scanner.string()?.text
        case "fileName": pair.fileName = try scanner.string()?.text
        case "contentType": pair.contentType = try scanner.string()?.text
        default: try scanner.skip()
        }
      }
      pairs.append(pair)
    }
    return pairs
  }

  /// Returns `nil` for `null`.
  fileprivate mutating func body() throws -> HAREntry.Body? {
    var body = HAREntry.Body()
    var text: JSONString?
    let isObject = try members { scanner, key in
      switch key {
      case "mimeType": body.mimeType = try scanner.string()?.text ?? ""
      // The text is decoded later, because its encoding can follow it.
      case "text": text = try scanner.string()
      case "encoding", "_encoding":
        guard body.encoding == nil else { throw DuplicateKey(name: key.text, position: key.start) }
        body.encoding = try scanner.string()?.text
      case "_file": body.file = try scanner.string()?.text
      case "size", "_size": body.size = try scanner.size()
      case "compression": body.compression = Int(harNumber: try scanner.number())
      case "params": body.params = try scanner.pairs()
      case "comment": body.comment = try scanner.string()?.text
      case "_pieces": body.pieces = try scanner.pieces()
      default: try scanner.skip()
      }
    }
    if let text {
      switch body.encoding?.lowercased() {
      case nil, "", "utf-8", "utf8": body.data = text.data
      case "base64":
        body.data = Data(base64Encoded: text.data) ?? Data(base64OfAnyKind: text.text)
        body.isUndecodable = body.data == nil
      default: body.data = nil
      }
    }
    return isObject ? body : nil
  }

  private mutating func pieces() throws -> [HTTPArchive.Entry.Piece] {
    var pieces: [HTTPArchive.Entry.Piece] = []
    try elements { scanner in
      var piece = HTTPArchive.Entry.Piece(end: 0, time: .zero)
      try scanner.members { scanner, key in
        switch key {
        case "end": piece.end = try scanner.size() ?? 0
        case "time": piece.time = try scanner.duration() ?? .zero
        default: try scanner.skip()
        }
      }
      pieces.append(piece)
    }
    return pieces
  }
}
