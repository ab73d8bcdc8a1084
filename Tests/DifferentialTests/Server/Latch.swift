import Dispatch

@testable import StubKit

/// Something that happens once, which tasks and threads can wait for.
final class Latch: Sendable {
  private let state = Protected(State())
  private let group = DispatchGroup()

  private struct State {
    var isOpen = false
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var count = 0
  }

  init() { group.enter() }

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func open() {
    let waiting: [CheckedContinuation<Bool, Never>]? = state.withLock { state in
      guard !state.isOpen else { return nil }
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    guard let waiting else { return }
    group.leave()
    for continuation in waiting { continuation.resume(returning: true) }
  }

  /// Whether it was opened before the time was over. No thread waits.
  func isOpened(within seconds: Double) async -> Bool {
    await withCheckedContinuation { continuation in
      let number: Int? = state.withLock {
        guard !$0.isOpen else { return nil }
        $0.count += 1
        $0.waiting[$0.count] = continuation
        return $0.count
      }
      guard let number else { return continuation.resume(returning: true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
        self?.state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: false)
      }
    }
  }

  /// The same for a thread that has nothing else to do: the server's.
  @discardableResult
  func blockUntilOpened(within seconds: Double = 600) -> Bool { group.wait(timeout: .now() + seconds) == .success }
}
