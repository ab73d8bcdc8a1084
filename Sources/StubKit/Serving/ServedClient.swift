import Foundation

/// The receiver of the answer to a request that arrived over a connection.
///
/// It is called on the queue of its exchange only. After `passThrough`, `finish` or `fail`, it isn't called again.
package protocol ServedClient: AnyObject, Sendable {
  /// - Parameters:
  ///   - reason: The reason phrase, or `nil` for the usual one of the status.
  ///   - headers: The fields in the order in which they were set, each as often as it was set.
  ///   - hasBody: Whether a body follows. If not, the head describes one that the client doesn't get, or none.
  func headArrived(_ status: Int, _ reason: String?, _ headers: StubHeaders, hasBody: Bool)

  func pieceArrived(_ piece: Data)

  /// Runs `completion` on the queue when what was received has left for the other end. Returns `false`, and doesn't run
  /// it, if it has left already.
  func notifyWhenDelivered(_ completion: @escaping Work) -> Bool

  func finish()

  func fail(_ failure: ServedFailure)

  /// Sends the request to the network.
  ///
  /// - Parameter recorder: Learns what the network answers, or `nil`.
  func passThrough(_ request: URLRequest, recorder: (any NetworkRecorder)?)
}

/// The end of an exchange that has no response, or only a part of one.
package enum ServedFailure: Sendable {
  /// The failure that the test asked for.
  case meant(any Error)
  /// No stub matches the request.
  case unmatched(UnmatchedRequestError)
  /// Something is wrong with the stub that answers.
  case mistaken(any Error)
  /// The scope of the registry has ended, or the server was stopped.
  case cut
}

extension Exchange {
  /// Creates an exchange for a request that arrived over a connection, or returns `nil` if the registry takes no
  /// requests, and the request goes to the network.
  ///
  /// - Parameter request: The request with its body in `httpBody`.
  package convenience init?(
    _ request: URLRequest, in scope: ServingScope, client: any ServedClient, on queue: any DeliveryQueue
  ) {
    guard let registry = scope.registry, let snapshot = registry.snapshot() else { return nil }
    let context = RequestContext(RegistryReference(registry), snapshot, startsClosures: scope.start)
    let queue = context.queue(queue)
    self.init(request, context, client: ConnectionClient(request, client, queue), on: queue)
  }

  /// Begins. Everything that needs no waiting happens before this returns.
  package func serve() {
    Trace.log("taken", hop.request)
    let begun = queue.timeline.begin()
    defer { queue.timeline.end(begun) }
    start()
  }

  /// The client went away after it had received everything, and before the end was due.
  package func complete() {
    guard let head = (client as? ConnectionClient)?.expected else { return end(.cancelled) }
    end(.answered(status: head.status))
  }

  /// Cuts the answer off, because the scope of its registry has ended.
  package func cut() {
    let client = client as? ConnectionClient
    end(.failed(StubScopeEndedError()))
    client?.client.fail(.cut)
  }
}

/// A connection of a server as the client of an exchange.
private final class ConnectionClient: ExchangeClient, @unchecked Sendable {
  // Safe because only the exchange's queue uses the mutable state.
  let request: URLRequest
  let client: any ServedClient
  private let queue: TimelineQueue
  /// The head of the response, and whether a body follows it.
  private(set) var expected: (status: Int, reason: String?, headers: StubHeaders, hasBody: Bool)?

  init(_ request: URLRequest, _ client: any ServedClient, _ queue: TimelineQueue) {
    self.request = request
    self.client = client
    self.queue = queue
  }

  var isListening: Bool { true }
  var hasLeft: Closure<@Sendable () -> Bool> { Closure { false } }

  func incoming(_ hop: Hop) -> IncomingRequest { IncomingRequest(hop.request) }

  /// The body has arrived already. Over a slow network, it still takes its time.
  func requestLength(_ readByteCount: Int, isTimed: Bool) -> Int { isTimed ? request.httpBody?.count ?? 0 : 0 }

  func expect(_ response: StubResponse, _ fields: StubHeaders, _ schedule: ResponseSchedule, for hop: Hop)
    -> ExpectedHead?
  {
    expected = (response.status, response.options?.reason, fields, !response.dropsBody(for: request.httpMethod))
    return nil
  }

  func headIsDue(_: ExpectedHead?) {
    guard let expected else { return }
    client.headArrived(expected.status, expected.reason, expected.headers, hasBody: expected.hasBody)
  }

  func receive(_ response: URLResponse) {}
  func receive(_ piece: Data, isWhole: Bool) { client.pieceArrived(piece) }

  func notifyWhenDelivered(_ completion: @escaping Work) -> Bool {
    client.notifyWhenDelivered { [queue] in queue.timeline.counted(completion)() }
  }

  func finish() { client.finish() }

  /// A failure without a response is a mistake of the test, unless it is one of the system's errors. A failure with a
  /// response is the one that the stub names, except for a mistake in the conditions of the network.
  func fail(_ error: any Error) {
    if let error = error as? UnmatchedRequestError {
      client.fail(.unmatched(error))
    } else if error is URLError || expected != nil && !(error is StubResponseError) {
      client.fail(.meant(error))
    } else {
      client.fail(.mistaken(error))
    }
  }

  func passThrough(_ hop: Hop, of exchange: Exchange, by stub: StubReference?) {
    let recorder = exchange.registry.tap(for: incoming(hop))?.begin(request)
    exchange.end(.passedThrough)
    client.passThrough(request, recorder: recorder)
  }
}

/// A registry that answers requests from connections, with the task-local values of the code that serves it.
///
/// Closures see the same task-local values as that code, so an `#expect` in them belongs to its test.
package final class ServingScope: Sendable {
  private let registered: Protected<StubRegistry?>
  private let starts: AsyncStream<Work>.Continuation
  private let generation: ScopeGeneration
  private let ticket = Protected<UInt64?>(nil)

  /// Creates the scope for the code that calls this.
  package init(_ registry: StubRegistry) {
    registered = Protected(registry)
    generation = registry.inFlight.generation
    let (stream, starts) = AsyncStream<Work>.makeStream()
    self.starts = starts
    // Not on Swift's own threads, which a test can block while it waits for the client.
    _ = StubRegistry.$local.withValue(registry) {
      // A closure that has its request already runs within its start, and can block.
      Platform.task(on: nil) { for await start in stream { _ = Platform.task(on: nil, beginsHere: false, start) } }
    }
  }

  deinit { close() }

  /// The registry, or `nil` after `close()`, because one of its stubs can keep the server.
  var registry: StubRegistry? { registered.current }

  /// Calls a closure once, on any thread, when the outermost scope of the registry ends, or at once if it has ended. It
  /// is not called after `close()`, nor if this was created outside of every scope of the registry.
  package func whenScopeEnds(_ end: @escaping Work) {
    let number = generation.requests.table.whenMet({ [generation] in $0.isOver(generation.number) }, end)
    guard let number else { return end() }
    ticket.current = number
  }

  /// Ends the scope. Closures that run already run on.
  package func close() {
    starts.finish()
    registered.discard { $0.take() }
    if let last = ticket.withLock({ $0.take() }) { generation.requests.table.giveUp(last) }
  }

  /// Runs a closure where it sees the task-local values.
  func start(_ start: @escaping Work) { starts.yield(start) }
}
