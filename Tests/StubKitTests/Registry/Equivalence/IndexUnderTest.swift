import Foundation

@testable import StubKit

/// The index's own interface, as far as the equivalence tests need more than `stub(matching:)`.
///
/// When that interface changes, this file is to change and no other.
struct IndexUnderTest {
  struct Found {
    let stub: Stub
    let captures: [String: String]
  }

  private let registry: StubRegistry

  init(_ registry: StubRegistry) { self.registry = registry }

  /// Everything that matches, in the order in which it would answer.
  func all(_ request: URLRequest) -> [Found] {
    var search = StubSearch(request)
    return rest(of: &search)
  }

  /// As `all`, the way a load asks: what is found before a stub needs a task, and whether one does.
  func allWithoutTask(_ request: URLRequest) -> (found: [Found], needsTask: Bool) {
    var search = StubSearch(IncomingRequest(request), isInTask: false)
    var found: [Found] = []
    while true {
      switch search.next(in: registry) {
      case .found(let stub, let captures): found.append(Found(stub: stub, captures: captures.dictionary))
      case .none: return (found, false)
      case .needsTask: return (found, true)
      }
    }
  }

  private func rest(of search: inout StubSearch) -> [Found] {
    var found: [Found] = []
    while case .found(let stub, let captures) = search.next(in: registry) {
      found.append(Found(stub: stub, captures: captures.dictionary))
    }
    return found
  }
}
