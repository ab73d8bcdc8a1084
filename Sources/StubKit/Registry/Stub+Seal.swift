extension Stub {
  /// See ``StubRegistry/isSealed``.
  func trapAtSeal(isGlobal: Bool) -> Never {
    guard isGlobal else {
      fatalError(
        "The stub \(self) can't be registered, because its registry is sealed. Register it before you set isSealed.")
    }
    fatalError(
      """
      The stub \(self) is registered outside of every scope, where tests that run in parallel share it, and the global registry is \
      sealed. Add the trait .stubbed to the test or its suite. In XCTest, inherit from StubbedTestCase. Elsewhere, use withStubs.
      """)
  }
}
