import Foundation

/// Finds the requests in the bytes of a connection, strictly by RFC 9112.
///
/// It is a pure value. The bytes can arrive in any pieces, and the events are the same. Don't ask it again after a
/// problem, because nobody knows where the next request would begin.
struct RequestParser {
  /// The largest numbers of bytes of the parts of a request.
  struct Limits {
    /// The path and the query. A longer one is answered with a 414.
    var target = 16_384
    /// The header fields. Longer ones are answered with a 431.
    var fields = 65_536
    /// The body. A longer one is answered with a 413.
    var body = 1_073_741_824
  }

  enum Event: Equatable {
    case head(RequestHead)
    /// The request is complete, with its body.
    case end(Data)
  }

  private enum Place {
    /// Before a request. An empty line there is ignored once (RFC 9112, section 2.2).
    case start(hasSkippedLine: Bool)
    case fields(RequestHead)
    /// Bytes of the body are missing. Those of a chunk are followed by a line end.
    case body(Int, isChunk: Bool)
    case chunkEnd
    case chunkSize
    case trailers
    case end
  }

  /// The largest number of bytes in a method and a version, with their spaces.
  private static let startOverhead = 128
  /// The largest number of bytes in the line before a chunk.
  private static let chunkLine = 4_096

  let limits: Limits
  private var place = Place.start(hasSkippedLine: false)
  private var buffer: [UInt8] = []
  /// The position of the first byte that was not consumed.
  private var position = 0
  /// The position up to which no line end was found.
  private var searched = 0
  /// The bytes of the header fields and trailers until now.
  private var fieldLength = 0
  /// The bytes of the body until now.
  private(set) var body = Data()

  init(limits: Limits = Limits()) { self.limits = limits }

  /// The number of bytes that were not consumed.
  var backlog: Int { buffer.count - position }

  /// Whether a request has begun, and its last byte is missing.
  var isInsideRequest: Bool {
    switch place {
    case .start(let hasSkippedLine): hasSkippedLine || backlog > 0
    default: true
    }
  }

  /// Whether a byte has arrived since the connection began.
  var hasBegun: Bool { !buffer.isEmpty }

  mutating func append(_ bytes: some Collection<UInt8>) {
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      (position, searched) = (0, 0)
    } else if position > 65_536 {
      buffer.removeFirst(position)
      searched -= position
      position = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next event, or `nil` if more bytes are needed.
  mutating func next() throws(RequestProblem) -> Event? {
    while true {
      switch place {
      case .start(let hasSkippedLine):
        let limit = limits.target + Self.startOverhead
        guard let line = try line(upTo: limit, else: HeadParsing.tooLong(target: limits.target)) else { return nil }
        if line.isEmpty {
          guard !hasSkippedLine else { throw RequestProblem(400, "Empty lines stand in place of a request.") }
          place = .start(hasSkippedLine: true)
          continue
        }
        fieldLength = 0
        place = .fields(try HeadParsing.requestLine(line, targetLimit: limits.target))
      case .fields(var head):
        guard let line = try fieldLine() else { return nil }
        guard line.isEmpty else {
          // `place` lets go of the head meanwhile. With two owners, the head would copy all of its fields to add one.
          place = .end
          let (name, value) = try HeadParsing.field(line)
          head.fields.append(name, value)
          place = .fields(head)
          continue
        }
        try HeadParsing.finish(&head, bodyLimit: limits.body)
        switch head.body {
        case .none, .length(0): place = .end
        case .length(let count): place = .body(count, isChunk: false)
        case .chunked: place = .chunkSize
        }
        return .head(head)
      case .body(let count, let isChunk):
        let piece = buffer[position...].prefix(count)
        guard !piece.isEmpty else { return nil }
        position = piece.endIndex
        searched = position
        body.append(contentsOf: piece)
        let rest = count - piece.count
        if rest > 0 {
          place = .body(rest, isChunk: isChunk)
        } else {
          place = isChunk ? .chunkEnd : .end
        }
      case .chunkEnd:
        let problem = RequestProblem(400, "A chunk is longer than its size says.")
        guard let line = try line(upTo: 2, else: problem) else { return nil }
        guard line.isEmpty else { throw problem }
        place = .chunkSize
      case .chunkSize:
        let problem = RequestProblem(400, "The line before a chunk has more than \(Self.chunkLine) bytes.")
        guard let line = try line(upTo: Self.chunkLine, else: problem) else { return nil }
        let size = try HeadParsing.chunkSize(line)
        guard size <= limits.body - body.count else { throw HeadParsing.tooLarge(body: limits.body) }
        place = size == 0 ? .trailers : .body(size, isChunk: true)
      case .trailers:
        guard let line = try fieldLine() else { return nil }
        if line.isEmpty { place = .end } else { _ = try HeadParsing.field(line) }
      case .end:
        place = .start(hasSkippedLine: false)
        defer { body = Data() }
        return .end(body)
      }
    }
  }

  private mutating func fieldLine() throws(RequestProblem) -> ArraySlice<UInt8>? {
    let problem = RequestProblem(
      431, "The header fields have more than \(limits.fields) bytes, which is more than most servers take.")
    guard let line = try line(upTo: limits.fields - fieldLength, else: problem) else { return nil }
    fieldLength += line.count + 2
    return line
  }

  /// Takes the next line, without its line end, or returns `nil` if the line end has not arrived.
  ///
  /// - Parameters:
  ///   - limit: The largest number of bytes in the line and its end.
  ///   - problem: The problem of a longer line.
  private mutating func line(
    upTo limit: Int, else problem: RequestProblem
  ) throws(RequestProblem) -> ArraySlice<UInt8>? {
    let start = position
    while searched < buffer.count {
      let byte = buffer[searched]
      // A lone CR or LF could be a line end for one program, and not for another one.
      if byte == 0x0A { throw RequestProblem(400, "A line ends with LF only. HTTP's lines end with CRLF.") }
      guard searched - start + 2 <= limit else { throw problem }
      guard byte == 0x0D else {
        searched += 1
        continue
      }
      guard searched + 1 < buffer.count else { return nil }
      guard buffer[searched + 1] == 0x0A else { throw RequestProblem(400, "A CR is not followed by LF.") }
      let line = buffer[start..<searched]
      position = searched + 2
      searched = position
      return line
    }
    return nil
  }
}
