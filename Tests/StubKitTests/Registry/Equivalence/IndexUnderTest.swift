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

  /// As `all`, the way a load asks: without closures until it hangs on one, then from there with them.
  ///
  /// - Returns: What was found before the first closure was wanted, whether one was, and what was found from there on.
  func allDeferred(_ request: URLRequest) -> (early: [Found], isUndecided: Bool, late: [Found]) {
    var search = StubSearch(request)
    var early: [Found] = []
    while true {
      switch search.next(in: registry, closures: .defer) {
      case .found(let stub, let captures): early.append(Found(stub: stub, captures: captures.dictionary))
      case .none: return (early, false, [])
      case .undecided: return (early, true, rest(of: &search))
      }
    }
  }

  private func rest(of search: inout StubSearch) -> [Found] {
    var found: [Found] = []
    while case .found(let stub, let captures) = search.next(in: registry, closures: .run) {
      found.append(Found(stub: stub, captures: captures.dictionary))
    }
    return found
  }
}
