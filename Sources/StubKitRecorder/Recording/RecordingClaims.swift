import Foundation
import StubKit
import StubKitArchive

/// The files that are being recorded in this process, and the tests that record them.
final class RecordingClaims: Sendable {
  static let shared = RecordingClaims()

  private let claims = Protected<[String: StubLocation]>([:])

  /// - Throws: An error if another test records to the file at the same time.
  func claim(_ file: RecordingFile, at location: StubLocation) throws(RecordingError) {
    let other = claims.withLock { claims in
      defer { claims[key(file)] = claims[key(file)] ?? location }
      return claims[key(file)]
    }
    guard let other else { return }
    throw RecordingError(
      file.name, .conflicting,
      "Two tests record to \(file.url.path) at the same time: the one at \(other) and the one at \(location). Give each test "
        + "its own recording: one that is made later replaces the other.")
  }

  func release(_ file: RecordingFile) { claims.withLock { $0[key(file)] = nil } }

  private func key(_ file: RecordingFile) -> String {
    RecordingLock.folder(of: file.url).appendingPathComponent(file.url.lastPathComponent).path
  }
}
