import Foundation

/// A large fixture, open for reading. Each part is read when it is sent, so the fixture costs the memory of one
/// piece.
struct FixtureFile: Sendable {
  let url: URL
  let length: Int
  private let file: RegularFile
  /// The position of its first byte in the file.
  private let start: Int

  init(_ url: URL, _ file: RegularFile) {
    self.url = url
    self.file = file
    start = 0
    length = file.length
  }

  /// Creates a view of the same file that shows only the bytes at these positions.
  init(_ other: FixtureFile, _ range: Range<Int>) {
    url = other.url
    file = other.file
    start = other.start + range.lowerBound
    length = range.count
  }

  /// Returns the bytes at these positions, in memory of their own.
  func read(_ range: Range<Int>) throws(StubResponseError.Reason) -> Data {
    do { return try file.read(start + range.lowerBound..<start + range.upperBound) } catch {
      throw .fixture(url.path, error)
    }
  }

  /// Returns all bytes.
  ///
  /// - Throws: `StubResponseError.Reason` if the file can't be read, and `CancellationError` as soon as the flag is
  ///   cancelled.
  func read(unless flag: CancellationFlag) throws -> Data {
    do { return try file.read(start..<start + length, unless: flag) } catch let problem as RegularFile.Problem {
      throw StubResponseError.Reason.fixture(url.path, problem)
    }
  }
}

extension StubResponseError.Reason {
  /// Returns what is wrong with an existing fixture.
  static func fixture(_ path: String, _ problem: RegularFile.Problem) -> Self {
    switch problem {
    case .isDirectory: .fixtureIsDirectory(path)
    case .isNotRegular(let kind): .fixtureIsNotRegular(path, kind)
    case .becameShorter: .fixtureBecameShorter(path)
    case .isUnreadable(let reason): .fixtureUnreadable(path, reason)
    case .missing: .fixtureUnreadable(path, "It no longer exists")
    }
  }
}
