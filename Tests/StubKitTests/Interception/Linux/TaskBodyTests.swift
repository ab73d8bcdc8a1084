#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("The body of a task", .inTurn)
  struct TaskBodyTests {
    private let session = URLSession(configuration: .patient)
    private let address = request("http://a.example/", method: "POST")

    private func described(_ content: TaskBody.Content?) -> String {
      switch content {
      case .data(let data): "data \(String(decoding: data, as: UTF8.self))"
      case .file(let file): "file \(file.path)"
      case .stream: "stream"
      case .fromDelegate: "from the delegate"
      case .some(.none): "none"
      case nil: "unknown"
      }
    }

    @Test("is known in all its kinds")
    func kinds() throws {
      let body = try TaskBody()
      var streaming = address
      streaming.httpBodyStream = InputStream(data: Data("abc".utf8))
      let file = URL(fileURLWithPath: "/tmp/body")
      #expect(described(body.of(session.uploadTask(with: address, from: Data("abc".utf8)))) == "data abc")
      #expect(described(body.of(session.uploadTask(with: address, from: Data()))) == "data ")
      #expect(described(body.of(session.uploadTask(with: address, fromFile: file))) == "file /tmp/body")
      #expect(described(body.of(session.dataTask(with: streaming))) == "stream")
      #expect(described(body.of(session.uploadTask(withStreamedRequest: address))) == "from the delegate")
      #expect(described(body.of(session.dataTask(with: address))) == "none")
    }

    @Test("outlives its task")
    func lifetime() throws {
      func made() throws -> TaskBody.Content? {
        let body = try TaskBody()
        let session = URLSession(configuration: .patient)
        defer { session.invalidateAndCancel() }
        return body.of(session.uploadTask(with: address, from: Data(repeating: 65, count: 100_000)))
      }
      let content = try made()
      guard case .data(let data) = content else {
        Issue.record("an upload's data is not found")
        return
      }
      #expect(data == Data(repeating: 65, count: 100_000))
    }

    #if compiler(>=6.2)
      @Test("is not seen where it is not known, and goes to the network")
      func refused() async {
        await #expect(processExitsWith: .success) {
          setenv(URLSessionInternals.variable, "1", 1)
          let server = try LoopbackServer()
          defer { server.stop() }
          let body = Data("abc".utf8)
          try await withStubs {
            HTTPStubs.unmatched = .passThrough
            stub(condition: isPath("/upload"), response: .text("stubbed"))
            stub(condition: isPath("/upload") && bodyContains("abc"), response: .text("seen"))
            stub(condition: isPath("/data") && bodyContains("abc"), response: .text("seen"))
            stub(condition: isPath("/read") && bodyContains("xyz"), response: .empty())
            for place in [BodyPlace.uploadData, .uploadFile, .asyncUploadData, .streamedUpload] {
              let text = try await Sending(place, body).send(request("http://a.example/upload"))
              precondition(text == "stubbed")
            }
            for place in [BodyPlace.dataOfDataTask, .streamOfDataTask] {
              let text = try await Sending(place, body).send(request("http://a.example/data"))
              precondition(text == "seen")
            }
            for place in BodyPlace.allCases {
              let text = try await Sending(place, body).send(URLRequest(url: server.url("/out")))
              precondition(text == "real POST /out")
            }
            precondition(server.arrivals.allSatisfy { $0.body == body })
            let text = try await Sending(.streamOfDataTask, body).send(URLRequest(url: server.url("/read")))
            precondition(text == "real POST /read" && server.arrivals.last?.body == body)
          }
        }
      }
    #endif
  }

  @Suite("The session of a task", .inTurn)
  struct SessionOfTaskTests {
    @Test("is the one that made it")
    func session() throws {
      let session = URLSession(configuration: .patient)
      let fields = try TaskFields()
      #expect(fields.session(of: session.dataTask(with: url("http://a.example/"))) === session)
    }
  }

  @Suite("Stored cookies", .inTurn)
  struct StoredCookiesTests {
    @Test(
      "are added as URLSession adds them when it makes a task", arguments: [true, false], [nil, "own=1"])
    func added(isSetting: Bool, own: String?) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpShouldSetCookies = isSetting
      for (name, domain) in [("one", "a.example"), ("other", "b.example")] {
        let cookie = HTTPCookie(properties: [.name: name, .value: "1", .domain: domain, .path: "/"])!
        configuration.httpCookieStorage?.setCookie(cookie)
      }
      let session = URLSession(configuration: configuration)
      for host in ["a", "b", "c"] {
        var bare = request("http://\(host).example/", headers: own.map { ["Cookie": $0] } ?? [:])
        // URLSession on Linux does not look at it, and nor does what stands in for it.
        bare.httpShouldHandleCookies = host != "b"
        let task = session.dataTask(with: bare)
        let expected = task.originalRequest?.value(forHTTPHeaderField: "Cookie")
        let added = Platform.addingStoredCookies(to: bare, of: task)
        #expect(added.value(forHTTPHeaderField: "Cookie") == expected)
        #expect((expected == own) == (!isSetting || host == "c"))
      }
    }
  }
#endif
