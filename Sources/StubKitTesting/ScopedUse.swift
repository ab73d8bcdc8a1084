import StubKit

/// Something that a test uses in its registry, from before its first line until after its last one, such as a recording.
package protocol ScopedUse: Sendable {
  /// Begins the use. If it can't, the test doesn't run.
  ///
  /// - Returns: A closure that ends the use, and returns a sentence about each problem. Its parameter says whether the
  ///   test ended normally.
  func begin(in registry: StubRegistry) throws -> @Sendable (_ isWhole: Bool) -> [String]
}
