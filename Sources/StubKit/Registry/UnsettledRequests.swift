import Dispatch
import Foundation

extension StubRegistry {
  /// Waits until the stub of each request that was resumed is known, and each one without a stub has failed, for a
  /// second at most. Blocks the thread.
  package func settleRequests() { journal.unsettled.settleWithReports() }

  /// Waits until the stub of each request that was resumed is known, and each one without a stub has failed, for a
  /// second at most.
  package func settleRequests() async { await journal.unsettled.settleWithReports() }
}

/// The requests of a journal whose stub is still being looked for, or whose report is still being made.
///
/// A request is among them from the moment when its client makes it. Whatever looks back at requests, such as a
/// verification, waits for them first, so that what has been asked is seen.
///
/// A search depends on URLSession's work queues, on a body, and on the closures of conditions, which run on threads of
/// StubKit's own. None of them needs the thread that looks back, but for these:
///
/// - None of the user's code runs on a work queue of URLSession, so nothing there looks back.
/// - A closure that StubKit runs can be part of the search. Code in it doesn't wait.
/// - A delegate can be asked for the stream of a body on the main thread, or on the queue of the code that looks back.
///   Such a body isn't waited for there.
///
/// A request is waited for only once. If its search takes longer than that, what looks back says that the request isn't
/// known.
final class UnsettledRequests: Sendable {
  /// What a request waits for.
  enum Wait: Sendable {
    /// The search for its stub.
    case search
    /// A stream of its client's delegate, before the search can go on.
    case delegate
    /// The failure of the request, which no stub matches. Its report comes before that.
    case report
  }

  /// A Boolean value that indicates whether this code runs in a closure that StubKit runs: of a condition, a response,
  /// a policy or an observer.
  @TaskLocal static var isAskedByClosure = false

  /// How long code that looks back waits, in real time.
  private static let patience = Duration.seconds(1)

  struct Request: Sendable {
    let number: Int
    var wait = Wait.search
    /// Whether code has waited for it long enough.
    var isGivenUp = false

    /// A Boolean value that indicates whether code that asks for stubs waits for it.
    var isAwaited: Bool { wait != .report && !isGivenUp }
  }

  let requests = Awaitable<[Request]>([])

  func add(_ number: Int) { requests.withLock { $0.append(Request(number: number)) } }

  func update(_ number: Int, _ wait: Wait) {
    requests.update { requests in
      if let index = requests.firstIndex(where: { $0.number == number }) { requests[index].wait = wait }
    }
  }

  func remove(_ number: Int) {
    requests.update { requests in
      if let index = requests.firstIndex(where: { $0.number == number }) { requests.remove(at: index) }
    }
  }

  /// Waits until the stub of each request that has been made is known. Costs nothing if there is none.
  ///
  /// - Returns: Whether each of them is known.
  @discardableResult
  func settle() -> Bool {
    let last = last
    if last > 0, !Self.isAskedByClosure {
      let asksHere = DispatchQueue.isMain || OperationQueue.current != nil
      let isSettled = requests.block(atMost: Self.patience) { requests in
        !requests.contains { $0.number <= last && $0.isAwaited && !($0.wait == .delegate && asksHere) }
      }
      if !isSettled { giveUp(upTo: last) }
    }
    return requests.withLock { $0.allSatisfy { $0.number > last || $0.wait == .report } }
  }

  /// Waits until the stub of each request that has been made is known, and each one without a stub has failed. For the
  /// end of a test.
  func settleWithReports() {
    let last = last
    guard last > 0 else { return }
    let isSettled = requests.block(atMost: Self.patience) { requests in
      !requests.contains { $0.number <= last && !$0.isGivenUp }
    }
    if !isSettled { giveUp(upTo: last) }
  }

  /// Waits as the synchronous form does, without blocking a thread, in a cancelled task too.
  func settleWithReports() async {
    let last = last
    guard last > 0 else { return }
    let wait = Task { [requests] in
      await requests.wait(
        atMost: Self.patience,
        until: { requests in
          !requests.contains { $0.number <= last && !$0.isGivenUp }
        })
    }
    if await !wait.value { giveUp(upTo: last) }
  }

  /// The greatest number of a request here, or 0.
  private var last: Int { requests.withLock { $0.map(\.number).max() ?? 0 } }

  private func giveUp(upTo last: Int) {
    requests.withLock { requests in
      for index in requests.indices where requests[index].number <= last { requests[index].isGivenUp = true }
    }
  }
}
