import Foundation
import StubKit

// Names that pages showed before 0.1.0: see StubKit's file of this name.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RequestJournal {
  @available(*, unavailable, message: "write archive.data") @_documentation(visibility: internal)
  public func har() -> Data { fatalError() }
}
