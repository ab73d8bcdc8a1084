import Foundation

/// The bytes that a delivery tells.
enum DeliveryBody: Sendable {
  case memory(Data)
  /// The stub is the one that answers with the file, for the error if it can't be read.
  case file(FixtureFile, of: StubReference?)
  /// Told in chunks as they come; what is kept of them is kept there.
  case stream(BodyCollection)

  /// How much of a file is in memory at a time.
  static let pieceLength = 65_536

  static let empty = DeliveryBody.memory(Data())

  var count: Int {
    switch self {
    case .memory(let data): data.count
    case .file(let file, _): file.length
    case .stream(let collection): collection.byteCount
    }
  }

  /// The longest piece in which it is told, nil if any will do.
  var longestPiece: Int? { if case .file = self { Self.pieceLength } else { nil } }

  /// Opens what a response carries, away from any queue that must not wait.
  static func open(_ body: ResponseBody, of stub: StubReference?) throws(StubResponseError) -> DeliveryBody {
    do throws(StubResponseError.Reason) {
      switch body {
      case .empty: return .empty
      case .data(let data), .pieces(let data, _, _): return .memory(data)
      // Begun when its request is answered.
      case .stream: return .empty
      case .file(let fixture):
        let (url, file) = try fixture.open()
        if file.length > pieceLength { return .file(FixtureFile(url, file), of: stub) }
        do { return .memory(try file.readToEnd()) } catch { throw .fixture(url.path, error) }
      }
    } catch { throw StubResponseError(stub: stub, reason: error) }
  }

  /// The bytes at these positions; a file's are read now.
  func piece(_ range: Range<Int>) throws(StubResponseError) -> Data {
    switch self {
    case .memory(let data):
      // A copy, since a slice's indices would not begin at zero, as a delegate may take for granted.
      return data.subdata(in: data.startIndex + range.lowerBound..<data.startIndex + range.upperBound)
    case .file(let file, let stub):
      do throws(StubResponseError.Reason) { return try file.read(range) } catch {
        throw StubResponseError(stub: stub, reason: error)
      }
    case .stream(let collection):
      let data = collection.data
      return data.subdata(in: data.startIndex + range.lowerBound..<data.startIndex + range.upperBound)
    }
  }

  /// All bytes; a file's are read now.
  ///
  /// - Throws: `StubResponseError`, and `CancellationError` as soon as the flag is cancelled.
  func whole(unless flag: CancellationFlag) throws -> Data {
    switch self {
    case .memory(let data): data
    case .file(let file, let stub): try naming(stub) { try file.read(unless: flag) }
    case .stream(let collection): collection.data
    }
  }

  /// The first bytes, for a response that says it has no more.
  func prefix(_ count: Int) -> DeliveryBody {
    switch self {
    case .memory(let data): .memory(Data(data.prefix(count)))
    case .file(let file, let stub): .file(FixtureFile(file, first: count), of: stub)
    case .stream: self
    }
  }

  /// A new file with all bytes. Throws as `whole(unless:)` does, and when the file can't be written.
  func file(unless flag: CancellationFlag) throws -> TemporaryFile {
    if case .stream(let collection) = self, let file = collection.takeFile() { return file }
    let copy = try TemporaryFile()
    switch self {
    case .memory(let data): try copy.append(data)
    case .file(let file, let stub): try naming(stub) { try file.copy(to: copy, unless: flag) }
    case .stream(let collection): try copy.append(collection.data)
    }
    return copy
  }

  private func naming<Result>(_ stub: StubReference?, _ read: () throws -> Result) throws -> Result {
    do { return try read() } catch let reason as StubResponseError.Reason {
      throw StubResponseError(stub: stub, reason: reason)
    }
  }
}
