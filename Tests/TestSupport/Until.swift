import StubKit
import Testing

/// Waits until a condition holds, and fails the test if it does not hold in time.
///
/// The wait ends early if the task is cancelled. It looks at the condition again and again, and sleeps between the
/// looks. Only the pauses that it asks for count, not the time that passes: on a busy machine, or in a process that was
/// stopped for a minute, the wait takes longer instead of failing. The sum of all pauses is 30 seconds, or as many
/// times that as `Slowdown` says.
///
///     try await until("both responses are held") { gate.waitingCount == 2 }
///
/// - Parameters:
///   - what: What is awaited, for the sentence "Waited in vain until …".
///   - isOver: Whether something has happened after which the condition can't come to hold, such as the end of a task.
///     The wait then fails at once.
///   - condition: Runs on the caller's actor.
package func until(
  _ what: String, or isOver: () -> Bool = { false }, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) async throws {
  let limit = Duration.seconds(30)
  if try await holds(within: limit, or: isOver, condition) { return }
  let cause = isOver() ? "what it depends on has ended" : "\(limit * Slowdown.factor) of pauses are over"
  let entries = StubRegistry.current.journal.entries.map { "\n  \($0)" }.joined()
  let journal = entries.isEmpty ? "The journal is empty." : "The journal so far:\(entries)"
  let isInTime = false
  try #require(isInTime, "Waited in vain until \(what): \(cause). \(journal)", sourceLocation: sourceLocation)
}

/// Returns whether a condition came to hold before the pauses were over, which are longer where `Slowdown` says so. See
/// `until(_:or:)`.
package func holds(
  within limit: Duration, or isOver: () -> Bool = { false }, isolation: isolated (any Actor)? = #isolation,
  _ condition: () throws -> Bool
) async throws -> Bool {
  let limit = limit * Slowdown.factor
  var pause = Duration.microseconds(100)
  var paused = Duration.zero
  while true {
    // In this order: what ends may have brought about the condition just before.
    let isLastLook = isOver() || paused >= limit
    if try condition() { return true }
    if isLastLook { return false }
    try await Task.sleep(for: pause)
    paused += pause
    pause = min(pause * 3 / 2, .milliseconds(20))
  }
}

/// Waits for the next element of a stream, or for its end, and fails the test if neither comes in time.
///
/// - Parameter what: What is awaited, as for `until(_:or:)`.
@discardableResult
package func next<Element: Sendable>(
  of stream: AsyncStream<Element>, when what: String, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws -> Element? {
  let received = Locked<Element??>(nil)
  let reading = Task {
    var elements = stream.makeAsyncIterator()
    let element = await elements.next()
    received.withLock { $0 = .some(element) }
  }
  defer { reading.cancel() }
  try await until(what, sourceLocation: sourceLocation) { received.withLock { $0 != nil } }
  return received.withLock { $0 ?? nil }
}

extension Collection where Self: Sendable, Element: Sendable {
  /// Calls a closure for all elements at once, each in a task of its own, and returns the results as they come.
  @discardableResult
  package func atOnce<Result: Sendable>(
    _ body: @escaping @Sendable (Element) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: Result.self) { group in
      for element in self { group.addTask { try await body(element) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}
