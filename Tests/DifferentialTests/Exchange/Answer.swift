import Foundation
import StubKit

/// What is answered to one request, by the server or by a stub.
struct Answer: Sendable {
  enum Framing {
    case length, chunked
    /// The end of the connection is the end of the body.
    case close
  }

  enum Ending {
    case complete
    /// The connection ends after that many bytes of the body, as if the body ended there.
    case droppedAfter(Int)
    /// The connection is reset after that many bytes of the body.
    case resetAfter(Int)
    /// The connection ends before anything was answered.
    case droppedBeforeHead
    /// Nothing more comes after that many bytes of the body, and the connection stays.
    case silentAfter(Int)
    /// Nothing ever comes.
    case silentFromStart
  }

  var status = 200
  var headers: [(name: String, value: String)] = []
  var body: [String] = []
  var framing = Framing.length
  /// What the head says of the body's length, if that is not so; then the connection ends with the body.
  var declaredLength: Int?
  var ending = Ending.complete
  /// Seconds before the head.
  var pause = 0.0
  /// Seconds between two pieces of the body.
  var interval = 0.0
  /// Whether the head waits for a sign.
  var isHeld = false
  /// The stub's response, where it has to find out by itself what the server is told to answer; nil for the very same.
  var stubbed: StubResponse?

  /// All of the body, also what does not come when the connection ends before.
  var wholeBody: Data { Data(body.joined().utf8) }

  func hasBody(for method: String) -> Bool { method != "HEAD" && status != 204 && status != 304 }

  /// How many bytes of the body come.
  var bytesThatCome: Int {
    switch ending {
    case .complete: wholeBody.count
    case .droppedAfter(let count), .resetAfter(let count), .silentAfter(let count): count
    case .droppedBeforeHead, .silentFromStart: 0
    }
  }
}

extension Answer {
  /// The header fields besides those that tell where the body ends.
  func head(for method: String) -> Data {
    var lines = ["HTTP/1.1 \(status) Status"]
    lines += headers.map { "\($0.name): \($0.value)" }
    switch framing {
    case .length where status != 204 && status != 304:
      lines.append("Content-Length: \(declaredLength ?? wholeBody.count)")
    case .chunked: lines.append("Transfer-Encoding: chunked")
    case .close: lines.append("Connection: close")
    default: break
    }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The bytes of the body on the wire.
  var pieces: [Data] {
    var left = bytesThatCome
    var pieces: [Data] = []
    for piece in body.map({ Data($0.utf8) }) where left > 0 {
      let part = piece.prefix(left)
      left -= part.count
      pieces.append(
        framing == .chunked ? Data("\(String(part.count, radix: 16))\r\n".utf8) + part + Data("\r\n".utf8) : part)
    }
    if framing == .chunked, case .complete = ending { pieces.append(Data("0\r\n\r\n".utf8)) }
    return pieces
  }

  var keepsConnection: Bool {
    guard case .complete = ending else { return false }
    return framing != .close && declaredLength == nil
  }
}

/// Which requests get an answer.
struct Route: Sendable {
  enum Condition {
    case always
    /// The first requests only, that many.
    case first(Int)
    case header(String, String)
  }

  var path: String
  var condition: Condition
  var answer: Answer

  init(_ path: String, _ answer: Answer) { self.init(path, .always, answer) }

  init(_ path: String, _ condition: Condition, _ answer: Answer) {
    self.path = path
    self.condition = condition
    self.answer = answer
  }

  func takes(_ request: ReceivedRequest, after uses: Int) -> Bool {
    guard request.target.split(separator: "?", omittingEmptySubsequences: false)[0] == path else { return false }
    switch condition {
    case .always: return true
    case .first(let count): return uses < count
    case .header(let name, let value): return request[name] == value
    }
  }
}
