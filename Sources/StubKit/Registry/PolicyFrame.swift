import Foundation

/// The policy for unmatched requests in a part of a test, and what listens to those that go to the network. A
/// recording is such a part.
///
/// Several can be in use in one registry, one inside the other or side by side in several tasks. A request belongs to
/// the innermost one of the task that makes it.
package final class PolicyFrame: Sendable {
  /// The innermost frame of the current task.
  @TaskLocal package static var current: PolicyFrame?

  package let tap: (any NetworkTap)?
  /// The command after which unmatched requests have stubs, or `nil` if there is none.
  package let remedy: String?
  /// The frame around this one, if that is known.
  fileprivate let parent: PolicyFrame?
  /// Whether the frame is that of a whole test, so that all tasks of the test are in it.
  fileprivate let isOfTest: Bool
  private let policy: Protected<UnmatchedPolicy?>

  /// - Parameters:
  ///   - unmatched: The policy for requests that no stub matches, or `nil` for that of the registry.
  ///   - isOfTest: Whether the frame is that of a whole test. Otherwise, it is that of the tasks in which
  ///     ``current`` names it.
  package init(
    _ tap: (any NetworkTap)? = nil, unmatched: UnmatchedPolicy? = nil, remedy: String? = nil,
    isOfTest: Bool = false, in registry: StubRegistry
  ) {
    self.tap = tap
    self.remedy = remedy
    self.isOfTest = isOfTest
    policy = Protected(unmatched)
    parent = registry.ownFrame
  }

  var unmatched: UnmatchedPolicy? {
    get { policy.withLock(\.self) }
    set {
      let replaced = policy.withLock { policy in
        defer { policy = newValue }
        return policy
      }
      _ = consume replaced
    }
  }

  fileprivate func isInside(_ other: PolicyFrame) -> Bool {
    var frame = parent
    while let around = frame {
      if around === other { return true }
      frame = around.parent
    }
    return false
  }
}

/// What is known of the task that makes a request, for the frames of its registry.
struct PolicyOrigin: Sendable {
  /// Whether the request comes from a task of a scope.
  let isKnown: Bool
  let frame: PolicyFrame?

  /// The origin of a request that is made on this thread.
  static var current: PolicyOrigin {
    PolicyOrigin(isKnown: StubRegistry.local != nil, frame: PolicyFrame.current)
  }

  static let unknown = PolicyOrigin(isKnown: false, frame: nil)
}

/// The frames in use in a registry, in the order in which they began.
struct PolicyFrames {
  var all: [PolicyFrame] = []

  enum Choice {
    case none
    case frame(PolicyFrame)
    /// The request can belong to any of several frames.
    case undecided([PolicyFrame])
  }

  func choice(for origin: PolicyOrigin) -> Choice {
    guard let last = all.last else { return .none }
    if let own = own(origin) { return .frame(own) }
    // Without a task, a request belongs to the innermost of several that are nested.
    let areNested = zip(all, all.dropFirst()).allSatisfy { $1.isInside($0) }
    return areNested ? .frame(last) : .undecided(all)
  }

  /// Returns the innermost frame of a task, or that of its test.
  func own(_ origin: PolicyOrigin) -> PolicyFrame? {
    guard origin.isKnown else { return nil }
    var frame = origin.frame
    while let candidate = frame {
      if all.contains(where: { $0 === candidate }) { return candidate }
      frame = candidate.parent
    }
    return all.last { $0.isOfTest }
  }
}

extension PolicyFrames.Choice {
  /// The policy for requests that no stub matches, or `nil` for that of the registry. In doubt, a request for which some
  /// frame has another policy than the network never reaches it.
  var unmatched: UnmatchedPolicy? {
    switch self {
    case .none: nil
    case .frame(let frame): frame.unmatched
    case .undecided(let frames):
      frames.lazy.map(\.unmatched).first { if case .passThrough? = $0?.kind { false } else { true } }
        ?? frames.last?.unmatched
    }
  }

  /// The only frame.
  var frame: PolicyFrame? { if case .frame(let frame) = self { frame } else { nil } }

  /// Returns the tap for a request that goes to the network. If the request can belong to several frames, none of them
  /// has it, and each learns of that.
  func tap(for request: URLRequest) -> (any NetworkTap)? {
    switch self {
    case .none: return nil
    case .frame(let frame): return frame.tap
    case .undecided(let frames):
      for frame in frames { frame.tap?.cannotAttribute(request) }
      return nil
    }
  }
}
