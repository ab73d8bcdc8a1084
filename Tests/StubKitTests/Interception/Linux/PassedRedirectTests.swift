#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("A server's redirect of a request that StubKit lets through", .inTurn)
  struct PassedRedirectTests {
    private var outcomes: [RecordedRequest.Outcome] { StubRegistry.current.journal.entries.map(\.outcome) }

    @Test("is asked about as a request of its own: a stub answers its target", arguments: BodyPlace.allCases)
    func stubbed(place: BodyPlace) async throws {
      let servers = try TwoServers(status: 307)
      try await withStubs {
        HTTPStubs.unmatched = .passThrough(when: isLoopback())
        let target = stub(condition: isHost("127.0.0.2"), response: .text("stub"))
        let text = try await Sending(place, Data("body".utf8)).send(URLRequest(url: servers.near.url("/to")))
        #expect(text == "stub")
        #expect(outcomes == [.passedThrough, .answered(status: 200)])
        #expect(target.lastRequest?.request.httpMethod == "POST")
      }
      #expect(servers.near.arrivals.map(\.body) == [Data("body".utf8)])
      #expect(servers.far.requests.isEmpty)
    }

    /// What lets the first request through, and what then becomes of the target.
    private static let decisions: [(name: String, decide: @Sendable () -> Void, reason: String)] = [
      ("a stub", { stub(condition: isLoopback(), response: .passThrough) }, "No stub matches"),
      ("a policy for this machine", { HTTPStubs.unmatched = .passThrough(when: isLoopback()) }, "No stub matches"),
      (
        "a policy that asks a closure",
        { HTTPStubs.unmatched = .respond { $0.isLoopback ? .passThrough : .failure(.cannotConnectToHost) } },
        "\(URLError.Code.cannotConnectToHost.rawValue)"
      ),
    ]

    @Test(
      "fails as its target fails, and the server there learns nothing", arguments: decisions.indices,
      [BodyPlace.dataOfDataTask, .asyncUploadData, .dataOfDownloadTask, .streamedUpload])
    func failed(row: Int, place: BodyPlace) async throws {
      let servers = try TwoServers(status: 307)
      let (name, decide, reason) = Self.decisions[row]
      await withStubs {
        decide()
        let error = await #expect(throws: (any Error).self, "\(name)") {
          _ = try await Sending(place, Data("body".utf8)).send(URLRequest(url: servers.near.url("/to")))
        }
        #expect(error?.localizedDescription.contains(reason) == true, "\(name): \(error as Any)")
        #expect(outcomes.count == 2)
      }
      #expect(servers.near.requests == ["POST /to"])
      #expect(servers.far.requests.isEmpty)
    }

    @Test("reaches its target if that may pass, too, from hop to hop and back to a stub")
    func passed() async throws {
      let servers = try TwoServers()
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        let direct = try await URLSession.shared.fetch(URLRequest(url: servers.near.url("/to")))
        #expect(direct.text == "real GET /x")
        // From the near server to a stub, to the far server, and to a stub again.
        servers.lead("http://one.example/a")
        stub(
          condition: isHost("one.example"),
          responses: [.redirect(to: servers.far.url("/to?2")), .text("end")])
        let led = try await URLSession.shared.fetch(URLRequest(url: servers.near.url("/to?1")))
        #expect(led.text == "end")
        #expect(servers.far.requests == ["GET /x", "GET /to?2"])
        #expect(
          outcomes.suffix(4) == [.passedThrough, .answered(status: 302), .passedThrough, .answered(status: 200)])
      }
    }

    @Test("may follow nineteen others, and not twenty", arguments: [20, 21])
    func limit(count: Int) async throws {
      let server = try LoopbackServer { request, connection in
        let step = Int(request.target.dropFirst()) ?? 0
        let head = step < count ? "302 Found\r\nLocation: /\(step + 1)" : "200 OK"
        _ = connection.write(Data("HTTP/1.1 \(head)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        return false
      }
      await withStubs {
        HTTPStubs.unmatched = .passThrough
        for session in [URLSession.patient, FollowingDelegate().session] {
          let error = await session.failure(of: server.url("/0").absoluteString) as? URLError
          #expect(error?.code == (count > 20 ? .httpTooManyRedirects : nil))
        }
        #expect(outcomes == Array(repeating: .passedThrough, count: 42))
      }
      #expect(server.requests.count == 42)
    }

    @Test("asks a delegate once, which may refuse it or lead elsewhere", arguments: [nil, "http://other.example/"])
    func delegate(target: String?) async throws {
      let servers = try TwoServers()
      try await withStubs {
        HTTPStubs.unmatched = .passThrough(when: isLoopback())
        stub(condition: isHost("other.example"), response: .text("other"))
        let delegate = AnsweringDelegate(redirect: { _, _ in target.map { URLRequest(url: url($0)) } })
        let told = try await delegate.told { $0.dataTask(with: servers.near.url("/to")) }
        #expect(
          told == ["redirect 302 GET \(servers.far.url("/x"))"]
            + (target == nil ? ["head 302", "data away", "complete"] : ["head 200", "data other", "complete"]))
      }
      #expect(servers.far.requests.isEmpty)
    }

    @Test("waits while its task is suspended, and goes nowhere if it is cancelled", arguments: [true, false])
    func disturbed(isCancelled: Bool) async throws {
      let servers = try TwoServers()
      try await withStubs {
        HTTPStubs.unmatched = .passThrough(when: isLoopback())
        let target = stub(condition: isHost("127.0.0.2"), response: .text("stub"))
        let asked = Protected<URLSessionTask?>(nil)
        let isAsked = Latch()
        let delegate = AnsweringDelegate(redirect: { _, request in
          asked.withLock { isCancelled ? $0?.cancel() : $0?.suspend() }
          isAsked.open()
          return request
        })
        let task = delegate.session().dataTask(with: servers.near.url("/to"))
        asked.withLock { $0 = task }
        task.resume()
        try await until("the delegate is asked") { isAsked.isOpen }
        #expect(target.callCount == 0)
        if !isCancelled { task.resume() }
        let told = try await delegate.untilCompletion()
        #expect(
          told.dropFirst()
            == (isCancelled ? ["error \(NSURLErrorDomain) -999"] : ["head 200", "data stub", "complete"]))
      }
      #expect(servers.far.requests.isEmpty)
    }

    /// URLSession traps if a redirect is answered whose task was cancelled after the question.
    @Test("may be cancelled at any moment, also while StubKit keeps the loader from following it")
    func cancelledAnywhere() async throws {
      let servers = try TwoServers()
      try await withStubs {
        HTTPStubs.unmatched = .passThrough(when: isLoopback())
        stub(condition: isHost("127.0.0.2"), response: .text("stub"))
        stub(condition: isHost("real.example")) { _ in try await .real(URLRequest(url: servers.near.url("/to"))) }
        for round in 0..<300 {
          let isOver = Latch()
          let start = round.isMultiple(of: 2) ? servers.near.url("/to") : url("http://real.example/")
          let task = URLSession.shared.dataTask(with: start) { _, _, _ in isOver.open() }
          task.resume()
          usleep(UInt32(round % 30) * 100)
          task.cancel()
          try await until("the task is over") { isOver.isOpen }
        }
      }
      #expect(servers.far.requests.isEmpty)
    }

    @Test("fails after the end of its scope")
    func late() async throws {
      let (isAsked, mayAnswer) = (Latch(), Latch())
      let server = try LoopbackServer { _, connection in
        isAsked.open()
        mayAnswer.blockUntilOpened()
        _ = connection.write(
          Data("HTTP/1.1 302 x\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        return false
      }
      // The end of the scope says that the request is under way.
      let (task, issues) = await takingIssues {
        try await withStubs {
          HTTPStubs.unmatched = .passThrough
          stub(condition: isPath("/again"), response: .text("stub"))
          let session = StubRegistry.current.makeSession(configuration: .patient)
          let task = Task.detached { await session.failure(of: server.url("/to").absoluteString) }
          try await until("the server is asked") { isAsked.isOpen }
          return task
        }
      }
      mayAnswer.open()
      #expect(await task?.value is StubScopeEndedError)
      #expect(issues.allSatisfy { $0.text.contains("was still under way") })
      #expect(server.requests == ["GET /to"])
    }

    /// A request whose redirect leads the client on, as it does without StubKit.
    struct Case: Sendable, CustomTestStringConvertible {
      var status = 302
      var method = "GET"
      var location = "FAR/x"
      var place: BodyPlace?
      var fields = ""
      var headers: [String: String] = [:]
      var user = ""
      /// Whether its session has a delegate, if it has no place for a body.
      var hasDelegate = false

      var testDescription: String {
        let place = place.map { "\($0)" } ?? (hasDelegate ? "delegate" : "async")
        return "\(status) \(method) \(place) \(user)\(location) \(fields.debugDescription)\(headers)"
      }

      static let withBody: [Case] = [301, 302, 303, 307, 308].flatMap { status in
        [BodyPlace.dataOfDataTask, .streamOfDataTask, .uploadFile, .asyncUploadData, .dataOfDownloadTask].flatMap {
          place in
          ["POST", "PUT"].map { Case(status: status, method: $0, place: place) }
        }
      }

      static let withoutBody: [Case] =
        [301, 302, 303, 307, 308].flatMap { status in
          ["GET", "HEAD", "DELETE"].map { Case(status: status, method: $0) }
        }
        + [
          "/x", "x", "//127.0.0.2:PORT/x", "FAR/x?a=1#f", "FAR/a%20b", "FAR/a b", "?q=1", "FAR",
          "ftp://127.0.0.2:PORT/x",
          "mailto:x@y", "file:///etc/hostname", "http://[", "", "http://ann:pw@127.0.0.2:PORT/x",
        ].map { Case(location: $0) }
        + ["NEAR/x", "FAR/x"].flatMap { location in
          [
            Case(location: location, headers: ["Authorization": "Bearer x", "X-Own": "1", "Cookie": "a=own"]),
            Case(location: location, fields: "Set-Cookie: s=1; Path=/\r\n"),
            Case(location: location, fields: "Set-Cookie: s=1; Path=/\r\n", headers: ["Cookie": "a=own"]),
            Case(location: location, user: "u:p@"),
          ]
        }
    }

    private static let cases =
      Case.withBody
      + Case.withoutBody.flatMap { test in
        var delegated = test
        delegated.hasDelegate = true
        return [test, delegated]
      }

    @Test("sends what Foundation sends when it follows by itself", arguments: cases)
    func asFoundation(test: Case) async throws {
      func run(_ configuration: URLSessionConfiguration) async throws -> [String] {
        let servers = try TwoServers(status: test.status, fields: test.fields)
        servers.lead(test.location)
        let start = url("http://\(test.user)127.0.0.1:\(servers.near.port)/to")
        let request = request(start, method: test.method, headers: test.headers, timeout: 3_600)
        let delegate = AnsweringDelegate()
        var answer: String
        do {
          if let place = test.place {
            answer = try await Sending(place, Data("body".utf8), method: test.method, in: configuration).send(request)
          } else if test.hasDelegate {
            delegate.session(configuration).dataTask(with: request).resume()
            answer = try await delegate.untilCompletion().joined(separator: ", ")
          } else {
            let (data, response) = try await URLSession(configuration: configuration).data(for: request)
            answer = "\((response as? HTTPURLResponse)?.statusCode ?? 0) \(response.url as Any) \(data.text)"
          }
        } catch {
          answer = "\((error as NSError).domain) \((error as NSError).code)"
        }
        let ports = [("\(servers.near.port)", "near"), ("\(servers.far.port)", "far")]
        return (servers.arrivals + [answer]).map { line in ports.reduce(line) { $0.replacing($1.0, with: $1.1) } }
      }
      let native = try await run(.unstubbed)
      let passed = try await withStubs {
        HTTPStubs.unmatched = .passThrough
        return try await run(.ephemeral)
      }
      #expect(passed == native)
    }

    @Test("goes to another URL without the credential that a server has asked for")
    func credential() async throws {
      let servers = try TwoServers(realm: "films")
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        let delegate = DelegateEvents(credential: URLCredential(user: "ann", password: "x", persistence: .none))
        let told = try await delegate.told { $0.dataTask(with: servers.near.url("/to")) }
        #expect(told == ["head 401", "head 200", "data real GET /x", "complete"])
      }
      #expect(
        servers.arrivals == ["near GET /to [] ", "near GET /to [\"Authorization: Basic YW5uOng=\"] ", "far GET /x [] "])
    }
  }

  @Suite("The stream of a delegate in an upload that passes through", .inTurn)
  struct PassedUploadTests {
    @Test("is read while it is sent, and asked for again with a credential")
    func streamed() async throws {
      let server = try LoopbackServer(realm: "films")
      let (isAsked, readCount, body) = (Latch(), Locked(0), Data(repeating: 98, count: 500_000))
      let stream = WatchedStream(body) {
        // The server has the head of the request before its whole body is read. Later versions of libcurl send it with
        // the first bytes. The server needs no thread of URLSession.
        let isFirst = readCount.withLock { count in
          count += 1
          return count <= 4
        }
        if isFirst { return }
        for _ in 0..<3_000 where !isAsked.isOpen {
          if server.requests.isEmpty { usleep(10_000) } else { isAsked.open() }
        }
      }
      let credential = URLCredential(user: "ann", password: "x", persistence: .none)
      let sending = Sending(.streamedUpload, body, stream: stream, credential: credential)
      try await withStubs {
        HTTPStubs.unmatched = .passThrough
        _ = try await sending.send(URLRequest(url: server.url("/x")))
      }
      #expect(isAsked.isOpen)
      #expect(sending.delegateCalls == 2)
      #expect(server.arrivals.first?.body == body)
    }
  }

  extension FollowingDelegate {
    fileprivate var session: URLSession { URLSession(configuration: .patient, delegate: self, delegateQueue: nil) }
  }
#endif
