import Foundation

/// The body of a response: bytes in memory, a file, or a stream.
package enum ResponseBody: Sendable {
  case data(Data)
  /// A file that StubKit looks for when it answers a request.
  indirect case file(Fixture)
  /// The bytes at these positions of a long file, which are read when they are sent.
  indirect case open(RegularFile, Range<Int>, by: StubReference?)
  /// The chunks of a sequence, of unknown length.
  case stream(BodyStream)

  package static let empty = ResponseBody.data(Data())

  /// The length up to which a file is read before its first byte is sent.
  static let longestInMemory = 64 << 20
  /// The number of bytes of a longer file that are in memory at a time.
  static let pieceLength = 65_536

  /// The number of bytes, as far as it is known: 0 for a stream, and for a file that isn't open.
  var count: Int {
    switch self {
    case .data(let data): data.count
    case .open(_, let range, _): range.count
    case .file, .stream: 0
    }
  }

  /// The bytes, if they are in memory and don't come from a stream.
  var data: Data? { if case .data(let data) = self { data } else { nil } }
  var isStream: Bool { if case .stream = self { true } else { false } }
  /// A Boolean value that indicates whether the body is a file that isn't open.
  var isClosed: Bool { if case .file = self { true } else { false } }
  /// A Boolean value that indicates whether a piece has to be read from a file.
  var isOpen: Bool { if case .open = self { true } else { false } }

  /// Returns the body with the bytes of its file, or with a long file open. Call this on a queue that can wait.
  ///
  /// - Parameter stub: The stub that answers, for errors.
  func opened(by stub: StubReference?) -> Result<ResponseBody, StubResponseError> {
    guard case .file(let fixture) = self else { return .success(self) }
    do throws(StubResponseError.Reason) {
      let file = try fixture.open()
      let isLong = file.length > Self.longestInMemory
      return .success(try isLong ? .open(file, 0..<file.length, by: stub) : .data(Fixture.load(file)))
    } catch { return .failure(StubResponseError(stub: stub, reason: error)) }
  }

  /// Returns the bytes at these positions, in memory of their own. Those of a file are read now.
  func piece(_ range: Range<Int>) throws(StubResponseError) -> Data {
    switch part(range) {
    case .data(let data): return data
    case .open(let file, let place, let stub):
      do throws(RegularFile.Problem) { return try file.read(place) } catch {
        throw StubResponseError(stub: stub, reason: .fixture(file.path, error))
      }
    case .file, .stream: return Data()
    }
  }

  /// Returns the body with only the bytes at these positions. A stream has no parts.
  func part(_ range: Range<Int>) -> ResponseBody {
    switch self {
    case .data(let data): .data(data.piece(range))
    case .open(let file, let whole, let stub):
      .open(file, whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound, by: stub)
    case .file, .stream: self
    }
  }
}

/// The pace of a body.
package enum BodyPace: Sendable, Equatable {
  case atOnce
  case over(Duration)
  case bytesPerSecond(Double)
  /// The time from the head to the first piece, and from each piece to the next.
  indirect case pieces(every: Duration, first: Duration = .zero)
  /// Each piece that long after the head, and the end that long after it.
  indirect case recorded([Duration], end: Duration)
}

/// The way in which a body is cut.
package enum BodyCut: Sendable {
  /// Into as many pieces as the pace requires.
  case asPaced
  /// Into pieces of this number of bytes. The last piece contains the rest.
  case every(Int)
  /// At these positions, in ascending order.
  case at([Int])
}
