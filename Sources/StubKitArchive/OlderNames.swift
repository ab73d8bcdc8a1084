import StubKit

// A name that doc comments showed before 0.1.0: see StubKit's file of this name.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension HTTPArchive {
  @available(*, unavailable, renamed: "StubHeaders") @_documentation(visibility: internal)
  public typealias Headers = StubHeaders
}
