/// The results of the user's closures for one request. Adding one is as cheap as possible, because there can be
/// thousands, and only a report reads them.
struct ClosureResults: Sendable {
  private enum Entry {
    case result(ObjectIdentifier, Bool)
    /// The closures of these stubs returned `false`, from the last one to the first. Removed stubs left holes.
    case refusals(ArraySlice<Stub?>)
  }

  /// The results in the order in which the closures ran.
  private var entries: [Entry] = []
  /// The results by closure, created for a report.
  private var byClosure: [ObjectIdentifier: Bool] = [:]

  mutating func append(_ closure: ClosureCriterion, _ result: Bool) {
    entries.append(.result(ObjectIdentifier(closure), result))
  }

  mutating func append(refusalsOf stubs: ArraySlice<Stub?>) { entries.append(.refusals(stubs)) }

  /// The last result of a closure, or `nil` if it has not run.
  subscript(closure: ClosureCriterion) -> Bool? {
    let identity = ObjectIdentifier(closure)
    if let known = byClosure[identity] { return known }
    for entry in entries.reversed() {
      switch entry {
      case .result(identity, let result): return result
      case .result: continue
      case .refusals(let stubs): if stubs.contains(where: { $0?.onlyClosure === closure }) { return false }
      }
    }
    return nil
  }

  /// Moves the results into a table.
  mutating func index() {
    for entry in entries {
      switch entry {
      case .result(let closure, let result): byClosure[closure] = result
      case .refusals(let stubs):
        for closure in stubs.lazy.compactMap({ $0?.onlyClosure }) { byClosure[ObjectIdentifier(closure)] = false }
      }
    }
    entries = []
  }
}
