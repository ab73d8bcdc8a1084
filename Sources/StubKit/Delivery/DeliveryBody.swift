import Foundation

/// The bytes that a delivery sends.
enum DeliveryBody: Sendable {
  case memory(Data)
  /// A file, and the stub that answers with it. The error names the stub if the file can't be read.
  case file(FixtureFile, of: StubReference?)
  /// Several bodies one after the other, one of which is a file.
  indirect case parts([DeliveryBody])
  /// Chunks that are sent as they arrive. The collection keeps what has to be kept.
  case stream(BodyCollection)

  /// The number of bytes of a file that are in memory at a time.
  static let pieceLength = 65_536

  static let empty = DeliveryBody.memory(Data())

  var count: Int {
    switch self {
    case .memory(let data): data.count
    case .file(let file, _): file.length
    case .parts(let parts): parts.reduce(0) { $0 + $1.count }
    case .stream(let collection): collection.byteCount
    }
  }

  /// The largest number of bytes in a piece, or `nil` for any number.
  var longestPiece: Int? { isInFile ? Self.pieceLength : nil }

  /// A Boolean value that indicates whether a piece has to be read from a file.
  var isInFile: Bool {
    switch self {
    case .file, .parts: true
    case .memory, .stream: false
    }
  }

  /// The body is in memory if all of its parts are.
  init(joining parts: [DeliveryBody]) {
    var whole = Data()
    for part in parts {
      guard case .memory(let data) = part else {
        self = .parts(parts)
        return
      }
      whole += data
    }
    self = .memory(whole)
  }

  /// Opens the body of a response. Call this on a queue that can wait.
  static func open(_ body: ResponseBody, of stub: StubReference?) throws(StubResponseError) -> DeliveryBody {
    do throws(StubResponseError.Reason) {
      switch body {
      case .empty: return .empty
      case .data(let data), .pieces(let data, _, _): return .memory(data)
      // The stream begins when its request is answered.
      case .stream: return .empty
      case .file(let fixture):
        let (url, file) = try fixture.open()
        if file.length > pieceLength { return .file(FixtureFile(url, file), of: stub) }
        do { return .memory(try file.readToEnd()) } catch { throw .fixture(url.path, error) }
      }
    } catch { throw StubResponseError(stub: stub, reason: error) }
  }

  /// Returns the bytes at these positions. Those of a file are read now.
  func piece(_ range: Range<Int>) throws(StubResponseError) -> Data {
    switch self {
    case .memory(let data):
      return data.piece(range)
    case .file(let file, let stub):
      do throws(StubResponseError.Reason) { return try file.read(range) } catch {
        throw StubResponseError(stub: stub, reason: error)
      }
    case .parts(let parts):
      var piece = Data()
      var start = 0
      for part in parts where start < range.upperBound {
        let wanted = range.clamped(to: start..<start + part.count)
        if !wanted.isEmpty { piece += try part.piece(wanted.lowerBound - start..<wanted.upperBound - start) }
        start += part.count
      }
      return piece
    case .stream(let collection):
      return collection.data.piece(range)
    }
  }

  /// Returns all bytes. Those of a file are read now.
  ///
  /// - Throws: `StubResponseError`, and `CancellationError` as soon as the flag is cancelled.
  func whole(unless flag: CancellationFlag) throws -> Data {
    switch self {
    case .memory(let data): data
    case .file(let file, let stub): try naming(stub) { try file.read(unless: flag) }
    case .parts(let parts): try parts.reduce(into: Data()) { try $0 += $1.whole(unless: flag) }
    case .stream(let collection): collection.data
    }
  }

  /// Returns the first bytes, for a response that says it has no more.
  func prefix(_ count: Int) -> DeliveryBody { part(0..<min(count, self.count)) }

  /// Returns the bytes at these positions. A stream has no parts.
  func part(_ range: Range<Int>) -> DeliveryBody {
    switch self {
    case .memory(let data):
      return .memory(data.piece(range))
    case .file(let file, let stub): return .file(FixtureFile(file, range), of: stub)
    case .parts(let parts):
      var (found, start): ([DeliveryBody], Int) = ([], 0)
      for part in parts {
        let wanted = range.clamped(to: start..<start + part.count)
        if !wanted.isEmpty { found.append(part.part(wanted.lowerBound - start..<wanted.upperBound - start)) }
        start += part.count
      }
      return DeliveryBody(joining: found)
    case .stream: return self
    }
  }

  /// Returns a new file with all bytes. Throws like `whole(unless:)`, and if the file can't be written.
  func file(unless flag: CancellationFlag) throws -> TemporaryFile {
    if case .stream(let collection) = self, let file = collection.takeFile() { return file }
    let copy = try TemporaryFile()
    try append(to: copy, unless: flag)
    return copy
  }

  private func append(to copy: TemporaryFile, unless flag: CancellationFlag) throws {
    switch self {
    case .memory(let data): try copy.append(data)
    case .file(let file, let stub): try naming(stub) { try file.copy(to: copy, unless: flag) }
    case .parts(let parts): for part in parts { try part.append(to: copy, unless: flag) }
    case .stream(let collection): try copy.append(collection.data)
    }
  }

  private func naming<Result>(_ stub: StubReference?, _ read: () throws -> Result) throws -> Result {
    do { return try read() } catch let reason as StubResponseError.Reason {
      throw StubResponseError(stub: stub, reason: reason)
    }
  }
}

extension DeliveryBody {
  /// The bytes, or `nil` for a file and a stream.
  var inMemory: Data? { if case .memory(let data) = self { data } else { nil } }
}

extension Data {
  /// Returns the bytes at these positions. A slice is copied, because its indices would not begin at zero, on which a
  /// delegate may rely.
  func piece(_ range: Range<Int>) -> Data {
    if range.count == count, startIndex == 0 { return self }
    return subdata(in: startIndex + range.lowerBound..<startIndex + range.upperBound)
  }
}
