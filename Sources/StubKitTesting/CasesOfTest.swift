import StubKit

/// What the cases of one parameterised test find, which is told once for all of them.
final class CasesOfTest: Sendable {
  /// The test whose cases run here, or `nil` for a test without cases.
  @TaskLocal static var current: CasesOfTest?

  private let parts = Protected<[UnaskedParts]>([])

  /// Adds what a case has found.
  func add(_ found: [UnaskedParts]) {
    parts.withLock { parts in
      for part in found {
        if let index = parts.firstIndex(where: { $0.location == part.location }) {
          parts[index].merge(part)
        } else {
          parts.append(part)
        }
      }
    }
  }

  /// One finding for each stub, at the end of the last case.
  var findings: [Finding] { parts.withLock(\.self).findings() }
}
