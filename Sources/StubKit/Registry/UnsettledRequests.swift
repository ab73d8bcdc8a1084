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
/// - A closure that StubKit runs, or the stream of a body, can be part of the search. Code in it doesn't wait for
///   requests of its registry, until it has returned.
/// - A delegate can be asked for the stream of a body on the queue of the code that looks back, or on the dispatch queue
///   beneath it. Such a body isn't waited for there.
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

  /// How long code that looks back waits, in real time.
  private static let patience = Duration.seconds(1)

  struct Request: Sendable {
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

  /// The requests by their numbers in the journal.
  let requests = Awaitable<[Int: Request]>([:])

  func add(_ number: Int) { requests.withLock { $0[number] = Request() } }

  /// Changes what is known of a request, which leaves when it is settled.
  func update(_ number: Int, _ change: (inout Request) -> Void) {
    requests.update { requests in
      guard var request = requests[number] else { return }
      change(&request)
      requests[number] = request.isSettled ? nil : request
    }
  }

  func remove(_ number: Int) { requests.update { $0[number] = nil } }

  /// A Boolean value that indicates whether the stub of each request is known.
  var isDecided: Bool { requests.withLock { !$0.values.contains { $0.isSearched && !$0.isOver } } }

  /// Waits until each request that has been made is known, as far as its reader asks. Costs nothing if there is none.
  func settle(for reader: Reader = .ofRequests) {
    guard let last = last(for: reader) else { return }
    let isSettled = isSettled(upTo: last, for: reader, blocksThread: true)
    if !requests.block(atMost: Self.patience, until: isSettled) { giveUp(upTo: last) }
  }

  /// Waits as the synchronous form does, without blocking a thread, in a cancelled task too.
  func settle(for reader: Reader = .ofRequests) async {
    guard let last = last(for: reader) else { return }
    let isSettled = isSettled(upTo: last, for: reader, blocksThread: false)
    let wait = Task { [requests] in await requests.wait(atMost: Self.patience, until: isSettled) }
    if await !wait.value { giveUp(upTo: last) }
  }

  /// The greatest number of a request that a reader waits for, or `nil` if it waits for none. The end of a test waits
  /// for later ones, too.
  private func last(for reader: Reader) -> Int? {
    guard let last = requests.withLock({ $0.keys.max() }), !ClosureRun.isUnderWay(for: self) else { return nil }
    return reader == .ofReports ? .max : last
  }

  /// - Parameter blocksThread: Whether no delegate can be asked for a stream on the reader's queue meanwhile.
  private func isSettled(
    upTo last: Int, for reader: Reader, blocksThread: Bool
  ) -> @Sendable (inout [Int: Request]) -> Bool {
    { requests in
      !requests.contains { number, request in
        number <= last && request.isAwaited(by: reader)
          && !(blocksThread && request.delegateQueue?.isCurrent == true)
      }
    }
  }

  private func giveUp(upTo last: Int) {
    requests.withLock { requests in
      for number in requests.keys where number <= last { requests[number]?.isGivenUp = true }
    }
  }
}
