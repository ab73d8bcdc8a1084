import Dispatch
import Foundation

extension StubRegistry {
  /// Waits until the stub of each request that was resumed is known, and each one without a stub has failed, for a
  /// second at most. Blocks the thread.
  package func settleRequests() {
    journal.unsettled.settle(for: .ofReports)
    warnOfUndecided()
  }

  /// Waits until the stub of each request that was resumed is known, and each one without a stub has failed, for a
  /// second at most.
  package func settleRequests() async {
    await journal.unsettled.settle(for: .ofReports)
    warnOfUndecided()
  }

  /// Says whose stub the end of a test could not wait for.
  private func warnOfUndecided() {
    for entry in journal.history.entries where entry.isUndecided {
      RequestWarnings.add(
        .undecided,
        "A test has ended, and it isn't known whether a stub matches its request: \(entry.line). Wait for the request in the test."
      )
    }
  }
}

/// The requests of a journal whose stub is still being looked for, whose body is still being read, or whose report is
/// still being made.
///
/// A request is among them from the moment when its client makes it. Whatever looks back at requests, such as a
/// verification, waits for them first, so that what has been asked is seen.
///
/// A search depends on URLSession's work queues, on a body, and on the closures of conditions, which run on threads of
/// StubKit's own. None of them needs the thread that looks back, but for these:
///
/// - None of the user's code runs on a work queue of URLSession, so nothing there looks back.
/// - A closure that StubKit runs can be part of the search. Code in it doesn't wait for requests of its registry, until
///   it has returned.
/// - A delegate can be asked for the stream of a body on the queue of the code that looks back. Such a body isn't
///   waited for there.
///
/// A request is waited for only once. If it takes longer than that, what looks back says that the request isn't known.
final class UnsettledRequests: Sendable {
  /// Who looks back.
  enum Reader: Sendable {
    /// Asks for the stubs of requests, such as the calls of one.
    case ofStubs
    /// Asks for the requests, with their bodies.
    case ofRequests
    /// The end of a test, where each request without a stub has to have failed, so that its report is made, also one
    /// that a redirect leads to.
    case ofReports
  }

  /// The run of the user's closure, of a condition, a response, a policy or an observer, that this code is part of.
  @TaskLocal static var closureRun: ClosureRun?

  /// What closures of the user do for a request of a registry. Tasks that they start can go on afterwards.
  final class ClosureRun: Sendable {
    let requests: UnsettledRequests
    private let hasEnded = Protected(false)

    init(_ requests: UnsettledRequests) { self.requests = requests }

    var isOver: Bool { hasEnded.withLock(\.self) }

    func end() { hasEnded.withLock { $0 = true } }
  }

  /// A Boolean value that indicates whether this code can be part of a search.
  private var isAskedByClosure: Bool { Self.closureRun.map { $0.requests === self && !$0.isOver } ?? false }

  /// How long code that looks back waits, in real time.
  private static let patience = Duration.seconds(1)

  struct Request: Sendable {
    let number: Int
    /// Whether the search for its stub isn't over.
    var isSearched = true
    /// Whether its body is being read.
    var lacksBody = false
    /// The queue on which its client's delegate is asked for the stream of its body, if it is.
    var delegateQueue: OperationQueue?
    /// Whether no stub matches. Then a report comes before its failure.
    var isReported = false
    /// Whether that report isn't made.
    var lacksReport = false
    /// Whether its response redirects at once, so that another request follows.
    var leadsOn = false
    /// Whether its client has its end, or has left. The search and the report go on.
    var isOver = false
    /// Whether code has waited for it long enough.
    var isGivenUp = false

    var isSettled: Bool {
      guard !isSearched, !leadsOn else { return false }
      return isOver ? !lacksReport : !lacksBody && !isReported
    }

    func isAwaited(by reader: Reader) -> Bool {
      guard !isGivenUp else { return false }
      switch reader {
      case .ofStubs: return isSearched && !isOver
      case .ofRequests: return (isSearched || lacksBody) && !isOver
      case .ofReports: return !isSettled
      }
    }
  }

  let requests = Awaitable<[Request]>([])

  func add(_ number: Int) { requests.withLock { $0.append(Request(number: number)) } }

  /// Changes what is known of a request, which leaves when it is settled.
  func update(_ number: Int, _ change: (inout Request) -> Void) {
    requests.update { requests in
      guard let index = requests.firstIndex(where: { $0.number == number }) else { return }
      change(&requests[index])
      if requests[index].isSettled { requests.remove(at: index) }
    }
  }

  func remove(_ number: Int) {
    requests.update { requests in
      if let index = requests.firstIndex(where: { $0.number == number }) { requests.remove(at: index) }
    }
  }

  /// A Boolean value that indicates whether the stub of each request is known.
  var isDecided: Bool { requests.withLock { !$0.contains { $0.isSearched && !$0.isOver } } }

  /// Waits until each request that has been made is known, as far as its reader asks. Costs nothing if there is none.
  func settle(for reader: Reader = .ofRequests) {
    let last = last(for: reader)
    guard last > 0, !isAskedByClosure else { return }
    let here = OperationQueue.current ?? (DispatchQueue.isMain ? .main : nil)
    let isSettled = requests.block(atMost: Self.patience) { requests in
      !requests.contains { request in
        let isAskedHere = here != nil && request.delegateQueue === here
        return request.number <= last && request.isAwaited(by: reader) && !isAskedHere
      }
    }
    if !isSettled { giveUp(upTo: last) }
  }

  /// Waits as the synchronous form does, without blocking a thread, in a cancelled task too.
  func settle(for reader: Reader = .ofRequests) async {
    let last = last(for: reader)
    guard last > 0, !isAskedByClosure else { return }
    let wait = Task { [requests] in
      await requests.wait(
        atMost: Self.patience,
        until: { requests in !requests.contains { $0.number <= last && $0.isAwaited(by: reader) } })
    }
    if await !wait.value { giveUp(upTo: last) }
  }

  /// The greatest number of a request that a reader waits for, or 0. The end of a test waits for later ones, too.
  private func last(for reader: Reader) -> Int {
    requests.withLock { requests in
      guard let last = requests.map(\.number).max() else { return 0 }
      return reader == .ofReports ? .max : last
    }
  }

  private func giveUp(upTo last: Int) {
    requests.withLock { requests in
      for index in requests.indices where requests[index].number <= last { requests[index].isGivenUp = true }
    }
  }
}
