import Foundation

/// A large fixture, open for reading: what is sent of it is read when it is sent, so that it costs the memory of a piece.
struct FixtureFile: Sendable {
  let url: URL
  let length: Int
  private let file: RegularFile
  /// Where it begins in the file.
  private let start: Int

  init(_ url: URL, _ file: RegularFile) {
    self.url = url
    self.file = file
    start = 0
    length = file.length
  }

  /// The same file, of which only the bytes at these positions are seen.
  init(_ other: FixtureFile, _ range: Range<Int>) {
    url = other.url
    file = other.file
    start = other.start + range.lowerBound
    length = range.count
  }

  /// The bytes at these positions, in memory of their own.
  func read(_ range: Range<Int>) throws(StubResponseError.Reason) -> Data {
    do { return try file.read(start + range.lowerBound..<start + range.upperBound) } catch {
      throw .fixture(url.path, error)
    }
  }

  /// All bytes.
  ///
  /// - Throws: `StubResponseError.Reason` where it can't be read, and `CancellationError` as soon as the flag is cancelled.
  func read(unless flag: CancellationFlag) throws -> Data {
    do { return try file.read(start..<start + length, unless: flag) } catch let problem as RegularFile.Problem {
      throw StubResponseError.Reason.fixture(url.path, problem)
    }
  }

  /// Writes all bytes to another file. Throws as `read(unless:)` does, and what the other file throws.
  func copy(to copy: TemporaryFile, unless flag: CancellationFlag) throws {
    for piece in RegularFile.pieces(of: length) {
      try flag.check()
      try copy.append(read(piece))
    }
  }
}

extension StubResponseError.Reason {
  /// What is wrong with a fixture that is there.
  static func fixture(_ path: String, _ problem: RegularFile.Problem) -> Self {
    switch problem {
    case .isDirectory: .fixtureIsDirectory(path)
    case .isNotRegular(let kind): .fixtureIsNotRegular(path, kind)
    case .becameShorter: .fixtureBecameShorter(path)
    case .isUnreadable(let reason): .fixtureUnreadable(path, reason)
    case .missing: .fixtureUnreadable(path, "It is gone")
    }
  }
}
