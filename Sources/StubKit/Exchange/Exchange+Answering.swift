import Foundation

/// From a request to the delivery of its response.
extension Exchange {
  func ask() {
    guard let client else { return }
    // This comes before every failure: it determines on which queue the task learns of its end.
    client.prepare()
    if !hop.isFirst, !Platform.canIntercept(hop.request) { return fail(with: URLError.unsupported(hop.request)) }
    if !isPastCache, askCache(of: client) { return }
    // The network can have taken its time, and the scope can be over.
    if hop.redirectCount > 0, !trackInFlight() { return }
    var route = context.route
    if case .network(let passage) = route, let refusal = passage.refusal(of: hop.request) { route = refusal }
    switch route {
    // With a credential for a server, the request goes to that server again.
    case _ where hop.isSentToNetwork: client.passThrough(hop, of: self, by: nil)
    case .late(let reason, let test):
      fail(withReport: { [request = hop.request] in
        RequestWarnings.addLate(request, after: test, isOutside: reason == .outside)
        return StubScopeEndedError(reason)
      })
    case .blocked(let test):
      fail(withReport: { [request = hop.request] in
        let error = NetworkOffError(request, because: "It was made outside of every scope", of: test)
        RequestWarnings.add(.departed, error.description)
        return error
      })
    case .network: client.passThrough(hop, of: self, by: nil)
    case .unclaimed(let owner) where !isAttributed: resolve(owner)
    // The request was made in a Swift task that is cancelled. URLSession cancels it too, but only after it has begun,
    // so whether a server answers in time would be a matter of luck.
    case _ where context.isCancelled && client.isAwaitedByTask:
      leaveUnasked()
      fail(with: URLError(.cancelled))
    case .unclaimed, .registry:
      let entry =
        entry
        ?? registry.journal.begin(
          hop.request, context.confidence, context.snapshot,
          followsRedirect: hop.redirectCount > 0 || context.followsRedirect)
      var answering = Answering(client.incoming(hop), of: client, in: context, entry)
      let answer = answering.begin()
      adopt(answering.entry)
      take(answer)
    }
  }

  /// The client has left before the request has reached the registry. If no stub matches, the test learns of it, as
  /// when the client leaves a little later.
  func leaveUnasked() {
    guard let client, let entry, entry.isOnItsWay else { return }
    if case .registry = context.route {
      LastReleases.happenElsewhere {
        var answering = Answering(client.incoming(hop), of: client, in: context, entry)
        if case .unmatched(let report) = answering.beginForLeftClient().kind { queue.away(report) { _ in } }
      }
    }
    entry.ends(.cancelled)
  }

  /// Asks the session's cache, before anybody learns of the request, as for one to a server. Returns `false` if the
  /// request accepts no response of a cache.
  private func askCache(of client: any ExchangeClient) -> Bool {
    isPastCache = true
    switch context.route {
    // The network asks the cache itself.
    case .late, .blocked, .network: return false
    case .registry, .unclaimed: break
    }
    guard let look = client.cacheLookup(for: hop.request) else { return false }
    away(look) { [self] cached in
      stopWork()
      guard let cached, let head = cached.response as? HTTPURLResponse else { return transition(to: .ready) }
      // No server receives the request.
      withdrawEntry()
      play(cached, head, to: client, ending: .answered(status: head.statusCode))
    }
    return true
  }

  /// Plays a response from a cache, in place of what answers the request otherwise.
  func play(
    _ cached: CachedURLResponse, _ head: HTTPURLResponse, to client: any ExchangeClient,
    ending outcome: RecordedRequest.Outcome
  ) {
    let plan = DeliveryPlan(bodyLength: cached.data.count)
    let expected = ExpectedHead(head: head, isEncoded: false, setCookies: [], comesAtOnce: true, isCached: true)
    play(ResponseSchedule(plan: plan, body: .data(cached.data)), stream: nil, expected, nil, to: client) { [self] _ in
      end(outcome)
    }
  }

  /// Finds out whether a request that nobody claims may leave, before the registry is asked.
  private func resolve(_ owner: OpenScopes.Inferred) {
    away { [request = hop.request] in
      Departure.ofUnclaimed(request, owner)
    } then: { [self] departure in
      if case .unclear = departure {
        Trace.log("unattributed", hop.request)
        fail(withReport: { [request = hop.request, creator = context.snapshot.endedCreator] in
          let error = UnmatchedRequestError(unclear: request, creator)
          RequestWarnings.add(.unattributed, error.description)
          return error
        })
      } else if case .departs = departure {
        Trace.log("passed through", hop.request)
        withdrawEntry()
        context.callbacks.scope?.release()
        client?.passThrough(hop, of: self, by: nil)
      } else {
        isAttributed = true
        stopWork()
        transition(to: .ready)
      }
    }
  }

  private func take(_ answer: Answer) {
    guard state.isUnanswered, let client else {
      switch answer.kind {
      case .unmatched(let report): queue.away(report) { _ in }
      case .respond(let response, _): if case .stream(let stream) = response.body { stream.abandon() }
      case .later: entry?.drops()
      case .passThrough, .fail: break
      }
      return
    }
    if case .later(let rest) = answer.kind {
      let drop = { @Sendable [entry] in entry?.drops() ?? () }
      guard beginWait() else { return drop() }
      return run(rest, then: { [self] in take($0) }, orDropped: drop)
    }
    let incoming = answer.incoming
    if let body = incoming.readBody {
      if !body.isEmpty { readByteCount = body.count }
      // A file can be read again.
      if hop.body == nil, !incoming.isOfFile { hop.body = .data(body) }
    } else if let file = incoming.file {
      entry?.sends(bodyIn: file)
    }
    if incoming.isUnread { entry?.endsBody() }
    switch answer.kind {
    case .respond(let response, let stub):
      respond(response, CallRandomness(stub: stub, callNumber: answer.callNumber), to: incoming)
    case .passThrough(let stub):
      client.passThrough(hop, of: self, by: stub)
    case .fail(let error): fail(with: error)
    case .unmatched(let report): fail(withReport: report)
    case .later: fatalError("What comes later is another kind of answer.")
    }
  }

  /// Continues away from the queue, because a long report would delay the requests of other clients.
  func fail(withReport report: @escaping @Sendable () -> any Error) {
    away(report) { [self] error in fail(with: error) }
  }

  private func respond(_ response: StubResponse, _ randomness: CallRandomness, to incoming: IncomingRequest) {
    // Few have changes, and a response takes long to copy.
    if response.options?.changes != nil { return openBody(of: response.changed, randomness, to: incoming) }
    openBody(of: response, randomness, to: incoming)
  }

  /// - Parameter response: The response, with its changes.
  private func openBody(of response: StubResponse, _ randomness: CallRandomness, to incoming: IncomingRequest) {
    let stub = randomness.stub
    if let reason = response.problem { return fail(with: StubResponseError(stub: stub, reason: reason)) }
    guard response.isClosed else { return deliver(response, randomness, to: incoming) }
    away {
      Result { () throws(StubResponseError) in try response.opened(for: randomness) }
    } then: { [self] opened in
      do { deliver(try opened.get(), randomness, to: incoming) } catch { fail(with: error) }
    }
  }

  /// - Parameter response: The response, opened.
  private func deliver(_ response: StubResponse, _ randomness: CallRandomness, to incoming: IncomingRequest) {
    if let (selected, body) = response.selected(for: incoming.asSent, of: response.body) {
      return deliver(selected, of: body, randomness)
    }
    deliver(response, of: response.body, randomness)
  }

  /// - Parameter response: The response as the request's own headers select it, for the body.
  private func deliver(_ response: StubResponse, of body: ResponseBody, _ randomness: CallRandomness) {
    guard let client else { return }
    let response = response.sent(as: registry.httpVersion)
    var schedule = response.schedule(
      for: hop.request.httpMethod, of: body, conditions: registry.network, randomness: randomness)
    var chunks: StreamChunks?
    if let stream = schedule.stream {
      guard let next = stream.claim() else { return fail(with: StreamAlreadyUsedError(stub: randomness.stub)) }
      // Weakly, because the exchange keeps the delivery that keeps this.
      chunks = StreamChunks(next) { [weak self] work in self?.taskForClosures().run(work) }
    }
    let isDropped = response.dropsBody(for: hop.request.httpMethod)
    let recorded = RecordedRequest.Response(response, length: body.count, sent: schedule.body, isDropped: isDropped)
    let expected = client.expect(response, recorded.headerFields, schedule, for: hop)
    if Trace.isOn, response.failure == nil {
      Trace.log("answered", hop.request, response.status, by: randomness.stub, of: registry.test)
    }
    let options = response.options
    entry?.suffers(options?.faults(ofCall: randomness.callNumber))
    let followUp =
      options?.isVerbatim == true
      ? nil : expected.flatMap { FollowUp($0.head, of: hop.requestToRedirect, to: options?.redirectTarget) }
    // The body is sent to a server that is reached, and not again after a redirect, as in URLSession.
    if hop.redirectCount == 0, schedule.reachesServer {
      schedule.plan.requestLength = client.requestLength(readByteCount, isTimed: schedule.plan.uplink != nil)
    }
    if let punctuality = response.options?.punctuality { schedule.plan.arrive(punctuality, within: limits) }
    // Nobody has to be waited for before the client receives the whole response.
    if !schedule.takesTime, schedule.plan.requestLength == 0, followUp == nil, !isPaused, client.isListening,
      !isListenedTo
    {
      return answer(with: expected, schedule.body, recorded)
    }
    schedule.plan.limits = schedule.takesTime ? limits : nil
    schedule.plan.joinsPieces = !client.noticesPieces && !schedule.body.isOpen
    // Like the native loader's, an error of the system names the first URL, even after a redirect.
    schedule.failure = schedule.failure.map { ($0 as? URLError)?.naming(client.request) ?? $0 }
    // Nobody sees the head before the end.
    let comesWithEnd = schedule.comesAtOnce && followUp == nil && !isListenedTo && !client.noticesPieces
    play(schedule, stream: chunks, expected, followUp, to: client, recorded, comesWithEnd: comesWithEnd) {
      [self] error in
      end(error.map { .failed($0) } ?? .answered(status: response.status))
    }
    if case .delivering = state { trackInFlight(awaiting: awaitedDelivery) }
  }

  /// Plays a response, and what it leads to: now, or, if the client is paused, as soon as it continues.
  ///
  /// - Parameters:
  ///   - stream: The source of the plan's chunks, if it has any.
  ///   - expected: The head, or `nil` for a failure.
  ///   - recorded: The response in the journal, or `nil` for one of the network.
  ///   - comesWithEnd: Whether nobody sees the head before the end, so that both are recorded together.
  ///   - notifiesListeners: Whether the end waits for the listeners.
  ///   - willEnd: A closure that ends the exchange, just before the client learns of the end.
  func play(
    _ schedule: ResponseSchedule, stream: (any ChunkSource)?, _ expected: ExpectedHead?, _ followUp: FollowUp?,
    to client: any ExchangeClient, _ recorded: RecordedRequest.Response? = nil, comesWithEnd: Bool = false,
    notifiesListeners: Bool = true,
    willEnd: @escaping ((any Error)?) -> Void
  ) {
    let head = expected?.head
    let delivery = Delivery(
      schedule, response: head, stream: stream, client: client, queue: queue,
      waitsAt: { [self] milestone in
        switch milestone {
        case .head:
          client.headIsDue(expected)
          if comesWithEnd { unseenResponse = recorded } else if let recorded { entry?.receives(recorded) }
          return holdResponse(for: followUp, after: head, atEnd: false)
        case .end(let error):
          if error == nil, holdResponse(for: followUp, after: head, atEnd: true) { return true }
          return notifiesListeners && notifyListeners(ofEnd: error) { [self] in state.delivery?.release() }
        }
      },
      waitsFor: { [self] need in entry?.waits(for: need == .chunk ? .piece : need.map { _ in .gate }) }
    ) { [self] error in
      if error == nil, let head { client.accept(head, of: hop) }
      willEnd(error)
    }
    stopWork()
    transition(to: .delivering(delivery))
    // On a clock of the test, the test says how long that takes.
    if schedule.plan.ending.isEndless, queue.timeline.timesOutWaits, !queue.timeline.isWatched {
      entry?.waits(for: .timeout)
    }
    // Nothing comes before the client continues.
    if isPaused { entry?.awaits(.delivery(isDue: false)) }
  }

  /// Gives the client a response that takes no time, without a delivery. A connection of a server expects no head.
  private func answer(with expected: ExpectedHead?, _ body: ResponseBody, _ recorded: RecordedRequest.Response) {
    guard let client else { return }
    client.headIsDue(expected)
    // A completion handler sees the head only after the end.
    let isSeenEarly = client.noticesPieces
    if isSeenEarly { entry?.receives(recorded) }
    if let expected { client.receive(expected.head) }
    if let whole = body.data?.piece(0..<body.count), !whole.isEmpty {
      // What is written to a file can fail.
      do { try client.receive(whole, isWhole: true) } catch {
        if !isSeenEarly { entry?.receives(recorded) }
        return fail(with: error)
      }
    }
    if let expected { client.accept(expected.head, of: hop) }
    end(
      .answered(status: expected?.head.statusCode ?? recorded.status), receiving: isSeenEarly ? nil : recorded,
      sentLength: body.count)
    client.finish()
  }
}

extension URLError {
  /// The system's own error of a request that none of its loaders supports.
  static func unsupported(_ request: URLRequest) -> URLError {
    URLError(.unsupportedURL, "unsupported URL").naming(request)
  }

  /// The error of a GET with a body, which URLSession sends to no server.
  static func bodyOfGET(_ request: URLRequest) -> URLError {
    let text =
      "\(request.summary) has a body. URLSession sends no GET with a body, so no stub was asked: use another method, or put "
      + "the values into the query."
    return URLError(.dataLengthExceedsMaximum, text).naming(request)
  }

  /// The error of a request that follows twenty redirects in a row, and is redirected again.
  static func redirectedTooOften(_ request: URLRequest) -> URLError {
    let text =
      "\(request.summary) was redirected again, after \(Redirect.limit) redirects in a row. A stub redirects its own "
      + "requests, or two redirect to each other: fix the condition, or the target."
    return URLError(.httpTooManyRedirects, text).naming(request)
  }

  /// Returns the same error with the URL of the request, unless it names a URL already.
  func naming(_ request: URLRequest) -> URLError {
    guard let url = request.url, userInfo[NSURLErrorFailingURLErrorKey] == nil else { return self }
    var info = errorUserInfo
    info[NSURLErrorFailingURLErrorKey] = url
    // This is the value of `NSURLErrorFailingURLStringErrorKey`. The constant is deprecated, but `failureURLString`
    // reads the key.
    info["NSErrorFailingURLStringKey"] = url.absoluteString
    return URLError(code, userInfo: info)
  }
}
