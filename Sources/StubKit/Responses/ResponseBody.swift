import Foundation

/// The body of a response: bytes in memory, a file, or a stream.
package enum ResponseBody: Sendable {
  case data(Data)
  /// A file that StubKit looks for when it answers a request.
  case file(Fixture)
  /// The bytes of an open file, which are read when they are sent.
  case open(FileBytes)
  /// The chunks of a sequence, of unknown length.
  case stream(BodyStream)
  /// The chunks of a stream that have arrived.
  case collected(BodyCollection)

  package static let empty = ResponseBody.data(Data())

  /// The number of bytes of a file that are in memory at a time.
  static let pieceLength = 65_536

  /// The number of bytes, as far as it is known: 0 for a stream, and for a file that isn't open.
  var count: Int {
    switch self {
    case .data(let data): data.count
    case .open(let bytes): bytes.count
    case .collected(let collection): collection.byteCount
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

  /// Returns the body with its file open, or with the bytes of a short file. Call this on a queue that can wait.
  ///
  /// - Parameter stub: The stub that answers, for errors.
  func opened(by stub: StubReference?) -> Result<ResponseBody, StubResponseError> {
    guard case .file(let fixture) = self else { return .success(self) }
    return Result { () throws(StubResponseError) -> ResponseBody in
      do throws(StubResponseError.Reason) {
        let (url, file) = try fixture.open()
        if file.length > Self.pieceLength { return .open(FileBytes(of: file, at: url, stub)) }
        do throws(RegularFile.Problem) { return .data(try file.readToEnd()) } catch { throw .fixture(url.path, error) }
      } catch { throw StubResponseError(stub: stub, reason: error) }
    }
  }

  /// Returns the bytes at these positions, in memory of their own. Those of a file are read now.
  func piece(_ range: Range<Int>) throws(StubResponseError) -> Data {
    switch self {
    case .data(let data): data.piece(range)
    case .open(let bytes): try bytes.read(range)
    case .collected(let collection): collection.data.piece(range)
    case .file, .stream: Data()
    }
  }

  /// Returns the body with only the bytes at these positions. A stream has no parts.
  func part(_ range: Range<Int>) -> ResponseBody {
    switch self {
    case .data(let data): .data(data.piece(range))
    case .open(let bytes): .open(bytes.part(range))
    case .file, .stream, .collected: self
    }
  }

  /// Returns a new file with all bytes. Call this on a queue that can wait.
  ///
  /// - Throws: `StubResponseError` if a fixture can't be read, `URLError` if the file can't be written, and
  ///   `CancellationError` as soon as the flag is cancelled.
  func temporaryFile(unless flag: CancellationFlag) throws -> TemporaryFile {
    if case .collected(let collection) = self, let file = collection.takeFile() { return file }
    let copy = try TemporaryFile()
    for range in RegularFile.pieces(of: count) {
      try flag.check()
      try copy.append(piece(range))
    }
    return copy
  }
}

/// The bytes of an open file. They are read when they are sent, so a body costs the memory of one piece.
package struct FileBytes: Sendable {
  let count: Int
  let read: @Sendable (Range<Int>) throws(StubResponseError) -> Data

  private init(count: Int, read: @escaping @Sendable (Range<Int>) throws(StubResponseError) -> Data) {
    self.count = count
    self.read = read
  }

  init(of file: RegularFile, at url: URL, _ stub: StubReference?) {
    self.init(count: file.length) { range throws(StubResponseError) in
      do throws(RegularFile.Problem) { return try file.read(range) } catch {
        throw StubResponseError(stub: stub, reason: .fixture(url.path, error))
      }
    }
  }

  func part(_ part: Range<Int>) -> FileBytes {
    FileBytes(count: part.count) { [read] range throws(StubResponseError) in
      try read(part.lowerBound + range.lowerBound..<part.lowerBound + range.upperBound)
    }
  }
}

extension Data {
  /// Returns the bytes at these positions. A slice is copied, because its indices would not begin at zero, on which a
  /// delegate may rely.
  func piece(_ range: Range<Int>) -> Data {
    if range.count == count, startIndex == 0 { return self }
    return subdata(in: startIndex + range.lowerBound..<startIndex + range.upperBound)
  }
}

/// The pace of a body.
package enum BodyPace: Sendable, Hashable {
  case atOnce
  case over(Time)
  case bytesPerSecond(Double)
  /// The time from the head to the first piece, and from each piece to the next.
  case pieces(every: Time, first: Time = .zero)
  /// Each piece that long after the head, and the end that long after it.
  case recorded([Time], end: Time)
}

/// The way in which a body is cut.
package enum BodyCut: Sendable, Hashable {
  /// Into as many pieces as the pace requires.
  case asPaced
  /// Into pieces of this number of bytes. The last piece contains the rest.
  case every(Int)
  /// At these positions, in ascending order.
  case at([Int])
}
