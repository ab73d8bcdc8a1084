import TestSupport
import Testing

@testable import StubKit

@Suite("The open scopes", .inTurn)
struct OpenScopesTests {
  /// How scopes are open, each inside the one that its number names.
  struct Layout: CustomTestStringConvertible {
    let testDescription: String
    let parents: [Int?]
    var disabled: Set<Int> = []
    /// Left again, while the others stay.
    var left: Set<Int> = []
    /// The one that claims what names none; nil for nobody.
    let claimant: Int?
    var isUnclear = false
  }

  static let layouts = [
    Layout(testDescription: "none", parents: [], claimant: nil),
    Layout(testDescription: "one", parents: [nil], claimant: 0),
    Layout(testDescription: "one inside the other", parents: [nil, 0, 1], claimant: 2),
    Layout(testDescription: "side by side", parents: [nil, nil], claimant: nil, isUnclear: true),
    Layout(testDescription: "two inside one", parents: [nil, 0, 0], claimant: nil, isUnclear: true),
    Layout(testDescription: "one that is not enabled", parents: [nil], disabled: [0], claimant: nil),
    Layout(testDescription: "a shield inside", parents: [nil, 0], disabled: [1], claimant: 0),
    Layout(testDescription: "a shield between", parents: [nil, 0, 1], disabled: [1], claimant: 2),
    Layout(testDescription: "a shield beside", parents: [nil, nil], disabled: [0], claimant: 1),
    Layout(testDescription: "one inside another that is left first", parents: [nil, 0], left: [0], claimant: 1),
    Layout(testDescription: "one beside another that is left", parents: [nil, nil], left: [1], claimant: 0),
    Layout(
      testDescription: "one inside another that is left, beside a third", parents: [nil, 0, nil], left: [0],
      claimant: nil, isUnclear: true),
  ]

  @Test("say whose a request is that names none of them: the innermost one's, if there is just one", arguments: layouts)
  func inferred(layout: Layout) {
    let scopes = OpenScopes()
    let registries = layout.parents.indices.map { StubRegistry(isEnabled: !layout.disabled.contains($0)) }
    for (registry, parent) in zip(registries, layout.parents) {
      scopes.enter(registry, inside: parent.map { registries[$0] })
    }
    for number in layout.left { scopes.leave(registries[number]) }
    switch scopes.inferred {
    case .never: #expect(layout.claimant == nil && !layout.isUnclear && registries.allSatisfy { !$0.isEnabled })
    case .ended: Issue.record("A scope is open.")
    case .several: #expect(layout.isUnclear)
    case .only(let held, _):
      let claimant = registries.firstIndex { $0 === held.registry }
      #expect(claimant == layout.claimant)
    }
    for number in registries.indices where !layout.left.contains(number) { scopes.leave(registries[number]) }
    #expect(scopes.isEmpty)
    switch scopes.inferred {
    case .never: #expect(registries.allSatisfy { !$0.isEnabled })
    case .ended: #expect(registries.contains { $0.isEnabled })
    case .only: Issue.record("No scope is open.")
    case .several: Issue.record("No scope is open.")
    }
  }

  @Test("are inside the scopes in which they were opened, also after one between was opened again")
  func enclosing() {
    let scopes = OpenScopes()
    let (outer, between, inner) = (StubRegistry(), StubRegistry(), StubRegistry())
    scopes.enter(outer)
    scopes.enter(between, inside: outer)
    scopes.enter(inner, inside: between)
    #expect(scopes.enclosing(inner) == [ObjectIdentifier(between), ObjectIdentifier(outer)])
    scopes.leave(between)
    scopes.enter(between)
    #expect(scopes.enclosing(inner) == [])
    #expect(scopes.enclosing(outer) == [])
    for registry in [outer, between, inner] { scopes.leave(registry) }
  }
}
