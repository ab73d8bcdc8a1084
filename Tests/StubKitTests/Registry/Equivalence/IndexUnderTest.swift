import Foundation

@testable import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The index's own interface, as far as the equivalence tests need more than `stub(matching:)`.
///
/// When that interface changes, this file is to change and no other.
struct IndexUnderTest {
  struct Found {
    let stub: Stub
    let captures: [String: String]
  }

  enum Result {
    case found(Found)
    case undecided
    case none
  }

  private var search: StubSearch

  /// A search through the stubs that the registry holds now.
  init(_ registry: StubRegistry) { search = registry.snapshot.search }

  mutating func next(_ facts: inout RequestFacts, closures: ClosurePolicy) -> Result {
    switch search.next(&facts, closures: closures) {
    case .found(let stub, let captures): .found(Found(stub: stub, captures: captures.dictionary))
    case .undecided: .undecided
    case .none: .none
    }
  }

  /// Everything that matches, in the order in which it would answer.
  mutating func all(_ request: URLRequest) -> [Found] {
    var facts = RequestFacts(request)
    return rest(&facts)
  }

  /// As `all`, the way a load asks: without closures until it hangs on one, then from there with them, on facts of the
  /// same request made anew.
  ///
  /// - Returns: What was found before the first closure was wanted, whether one was, and what was found from there on.
  mutating func allDeferred(_ request: URLRequest) -> (early: [Found], isUndecided: Bool, late: [Found]) {
    var facts = RequestFacts(request)
    var early: [Found] = []
    while true {
      switch next(&facts, closures: .defer) {
      case .found(let found): early.append(found)
      case .none: return (early, false, [])
      case .undecided: return (early, true, all(request))
      }
    }
  }

  private mutating func rest(_ facts: inout RequestFacts) -> [Found] {
    var found: [Found] = []
    while case .found(let next) = next(&facts, closures: .run) { found.append(next) }
    return found
  }
}
