import Dispatch
import Foundation

/// The callbacks of one request: the scope in which they run, and how many have yet to return.
///
/// A callback is the client's completion handler, a method of its delegate, or what resumes its async call.
final class RequestCallbacks: Sendable {
  /// A Boolean value that indicates whether this code runs in a callback, or in a task that one has made.
  @TaskLocal static var isRunning = false

  /// The scope of the callbacks, or `nil` if they run in none.
  let scope: CallbackScope?
  private let priority = Task.currentPriority
  private let state: Protected<State>

  private struct State {
    var threadsOfAwaiter: DispatchQueue?
    /// The number of callbacks that wait or run.
    var pendingCount = 0
    /// A Boolean value that indicates whether the last one has been added.
    var isComplete = false
    /// The request whose callbacks they are.
    var entry: JournalEntry?
    var completions: [Work] = []
  }

  /// - Parameter entry: The request whose callbacks they are, or `nil` for one that isn't in the journal.
  init(in scope: CallbackScope?, of entry: JournalEntry? = nil) {
    self.scope = scope
    state = Protected(State(entry: entry))
  }

  /// A callback that was dropped with its queue has not returned, and never will.
  deinit {
    let (entry, completions) = state.withLock { ($0.entry, $0.completions) }
    entry?.returnsCallbacks()
    for completion in completions { completion() }
  }

  /// The next callback is the last one, and only resumes an async call.
  func resumeAwaiter() { state.withLock { $0.threadsOfAwaiter = .global(qos: CooperativePool.of(priority).quality) } }

  /// Adds a callback that is about to be enqueued.
  ///
  /// - Returns: The threads on which the task of an async call goes on, if the callback does nothing but resume it, or
  ///   else `nil`.
  @discardableResult
  func begin() -> DispatchQueue? {
    state.withLock { state in
      state.pendingCount += 1
      return state.threadsOfAwaiter
    }
  }

  /// A callback has returned.
  func end() { update { $0.pendingCount -= 1 } }

  /// The last callback has been added.
  func complete() { update { $0.isComplete = true } }

  /// Runs a callback that was added.
  func run(_ callback: () -> Void) {
    Self.$isRunning.withValue(true) { if let scope { scope.run(callback) } else { callback() } }
    end()
  }

  /// Tells a request when the last callback has returned, in place of the request of the task before it.
  func follow(_ entry: JournalEntry) { update { $0.entry = entry } }

  /// Runs a closure when the last callback has returned, on any thread. It runs now if that is so already.
  func whenOver(_ completion: @escaping Work) { update { $0.completions.append(completion) } }

  private func update(_ change: (inout State) -> Void) {
    let (entry, completions) = state.withLock { state -> (JournalEntry?, [Work]) in
      change(&state)
      guard state.isComplete, state.pendingCount == 0 else { return (nil, []) }
      return (state.entry.take(), exchange(&state.completions, with: []))
    }
    entry?.returnsCallbacks()
    for completion in completions { completion() }
  }
}
