import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Registers several stubs that have a condition in common.
///
/// ```swift
/// let api = stubs(on: isUnder("https://api.example.com/v1")) {
///   stub(condition: isPath("/v1/users"), response: .json([]))
///   stub(condition: isMethodPOST() && isPath("/v1/login"), response: .json(["token": "t"]))
/// }
/// …
/// api.remove()
/// ```
///
/// Each stub that the closure registers asks for the group's condition and its own, and prints so:
/// `isUnder("https://api.example.com/v1") && isPath("/v1/users")`. Groups lie in groups. Where the closure throws, the stubs that it
/// has registered are removed again.
///
/// - Parameters:
///   - condition: What all requests of the group must meet.
///   - registry: Where the stubs are registered that name no registry of their own: ``StubRegistry/current`` by default.
///   - body: Registers the stubs, here and now.
/// - Returns: The group: it counts the calls of all its stubs, and removes them.
@discardableResult
public func stubs(
  on condition: RequestMatcher, in registry: StubRegistry = .current, _ body: () throws -> Void
) rethrows -> StubGroup {
  let group = StubGroup(condition, in: StubGroup.current)
  do {
    try StubGroup.$current.withValue(group) {
      try StubRegistry.$local.withValue(registry === StubRegistry.current ? StubRegistry.local : registry) {
        try body()
      }
    }
  } catch {
    group.remove()
    throw error
  }
  return group
}

/// Stubs that were registered together, with a condition in common: what `stubs(on:in:_:)` returns.
///
/// A registry keeps its stubs alive; the group may be thrown away.
public final class StubGroup: Sendable, CustomStringConvertible {
  @TaskLocal static var current: StubGroup?

  /// What all requests of the group must meet, those of the groups around it included.
  public let condition: RequestMatcher
  private let outer: StubGroup?
  private let members = Protected<[Stub]>([])

  init(_ condition: RequestMatcher, in outer: StubGroup?) {
    self.condition = outer.map { $0.condition && condition } ?? condition
    self.outer = outer
  }

  /// The stubs, oldest first, with those of groups in it. One that was removed stays here.
  public var stubs: [Stub] { members.withLock { $0 } }

  /// How many requests the group's stubs have been chosen for.
  public var callCount: Int { stubs.reduce(0) { $0 + $1.callCount } }

  /// Takes all stubs of the group out of their registry. Requests that they were already chosen for are still answered.
  public func remove() {
    for stub in stubs { stub.remove() }
  }

  /// `isUnder("https://api.example.com"): 2 stubs`
  public var description: String {
    let count = stubs.count
    return "\(condition): \(count) \(count == 1 ? "stub" : "stubs")"
  }

  func add(_ stub: Stub) {
    members.withLock { $0.append(stub) }
    outer?.add(stub)
  }
}
