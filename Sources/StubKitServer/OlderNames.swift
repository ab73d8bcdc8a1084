import StubKit

// Names that guides showed before 0.1.0: see StubKit's file of this name.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension StubServer {
  @available(*, unavailable, message: "write StubServer(for: …, in: registry)") @_documentation(visibility: internal)
  public convenience init(
    registry: StubRegistry, for origin: String? = nil, port: Int = 0, limits: Limits = .init()
  ) async throws { fatalError() }
}
