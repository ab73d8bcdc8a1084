import Foundation

/// The use of a recording in a registry: what happens to requests that no stub matches, and who records them.
///
/// Several recordings can be in use in one registry, one inside the other or side by side in several tasks. A request
/// belongs to the innermost one of the task that makes it.
package final class RecordingFrame: Sendable {
  /// The innermost frame of the current task.
  @TaskLocal package static var current: RecordingFrame?

  /// The recorder of what comes back from the network, or `nil` if nothing is recorded.
  package let recorder: (any ExchangeRecorder)?
  /// The command that records the requests that a played recording lacks, or `nil` if there is none.
  package let remedy: String?
  /// The frame around this one, if that is known.
  fileprivate let parent: RecordingFrame?
  /// Whether the frame is that of a whole test, so that all tasks of the test are in it.
  fileprivate let isOfTest: Bool
  private let policy: Protected<UnmatchedPolicy?>

  /// - Parameters:
  ///   - unmatched: The policy for requests that no stub matches, or `nil` for that of the registry.
  ///   - isOfTest: Whether the frame is that of a whole test. Otherwise, it is that of the tasks in which
  ///     ``current`` names it.
  package init(
    _ recorder: (any ExchangeRecorder)? = nil, unmatched: UnmatchedPolicy? = nil, remedy: String? = nil,
    isOfTest: Bool = false, in registry: StubRegistry
  ) {
    self.recorder = recorder
    self.remedy = remedy
    self.isOfTest = isOfTest
    policy = Protected(unmatched)
    parent = registry.ownRecordingFrame
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

  fileprivate func isInside(_ other: RecordingFrame) -> Bool {
    var frame = parent
    while let around = frame {
      if around === other { return true }
      frame = around.parent
    }
    return false
  }
}

/// What is known of the task that makes a request, for the recordings of its registry.
struct RecordingOrigin: Sendable {
  /// Whether the request comes from a task of a scope.
  let isKnown: Bool
  let frame: RecordingFrame?

  /// The origin of a request that is made on this thread.
  static var current: RecordingOrigin {
    RecordingOrigin(isKnown: StubRegistry.local != nil, frame: RecordingFrame.current)
  }

  static let unknown = RecordingOrigin(isKnown: false, frame: nil)
}

/// The recordings in use in a registry, in the order in which they began.
struct RecordingFrames {
  private(set) var frames: [RecordingFrame] = []

  enum Choice {
    case none
    case frame(RecordingFrame)
    /// The request can belong to any of several recordings.
    case undecided([RecordingFrame])
  }

  mutating func begin(_ frame: RecordingFrame) { frames.append(frame) }

  mutating func end(_ frame: RecordingFrame) { frames.removeAll { $0 === frame } }

  func choice(for origin: RecordingOrigin) -> Choice {
    guard let last = frames.last else { return .none }
    if let own = own(origin) { return .frame(own) }
    // Without a task, a request belongs to the innermost of several that are nested.
    let areNested = zip(frames, frames.dropFirst()).allSatisfy { $1.isInside($0) }
    return areNested ? .frame(last) : .undecided(frames)
  }

  /// Returns the innermost frame of a task, or that of its test.
  func own(_ origin: RecordingOrigin) -> RecordingFrame? {
    guard origin.isKnown else { return nil }
    var frame = origin.frame
    while let candidate = frame {
      if frames.contains(where: { $0 === candidate }) { return candidate }
      frame = candidate.parent
    }
    return frames.last { $0.isOfTest }
  }
}

extension RecordingFrames.Choice {
  /// The policy for requests that no stub matches, or `nil` for that of the registry. In doubt, a request that some
  /// recording plays never reaches the network.
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
  var frame: RecordingFrame? { if case .frame(let frame) = self { frame } else { nil } }

  /// Returns the recorder of a request that goes to the network. If it can belong to several recordings, none of them
  /// can be trusted, and each learns of that.
  func recorder(of request: URLRequest) -> (any ExchangeRecorder)? {
    switch self {
    case .none: return nil
    case .frame(let frame): return frame.recorder
    case .undecided(let frames):
      for frame in frames { frame.recorder?.cannotAttribute(request) }
      return nil
    }
  }
}
