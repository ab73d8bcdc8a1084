import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Interception", .inTurn)
struct InterceptionTests {
  /// Made when the first test asks, before or after StubKit was first used.
  private static let older = URLSession(configuration: .default)

  private static func sessions() -> [(String, URLSession)] {
    let withoutCache = URLSessionConfiguration.default
    withoutCache.urlCache = nil
    return [
      ("shared", .shared), ("older", older), ("default", URLSession(configuration: .default)),
      ("ephemeral", URLSession(configuration: .patient)), ("without a cache", URLSession(configuration: withoutCache)),
      ("copied", URLSession(configuration: URLSessionConfiguration.ephemeral.copy() as! URLSessionConfiguration)),
    ]
  }

  @Test("takes the requests of every session")
  func everySession() async throws {
    try await withStubs {
      stub(condition: isHost("a.example"), response: .text("stubbed", status: 203))
      for (name, session) in Self.sessions() {
        let fetched = try await session.fetch("http://a.example/x")
        #expect(fetched == Fetched(status: 203, text: "stubbed"), "\(name)")
      }
    }
  }

  @Test("takes the requests of Data(contentsOf:), which Foundation makes itself")
  func dataFromURL() throws {
    try withStubs {
      stub(condition: isHost("a.example"), response: .text("stubbed"))
      let data = try Data(contentsOf: url("http://a.example/"))
      #expect(data == Data("stubbed".utf8))
    }
  }

  @Test("gives a completion handler data whose indices begin at zero, as those from a server, also for a slice")
  func indices() async throws {
    try await withStubs {
      let slice = StubResponse.data(Data("unstubbed".utf8).dropFirst(2))
      for response in [slice, slice.delay(.milliseconds(1))] {
        stub(condition: isHost("a.example"), response: response)
        let data = try await untilResumed { handler in
          URLSession.shared.dataTask(with: url("http://a.example/")) { data, _, _ in handler.resume(returning: data) }
            .resume()
        }
        #expect(data == Data("stubbed".utf8))
        #expect(data?.startIndex == 0)
      }
    }
  }

  /// What follows the host and the port. Foundation on Linux, with libcurl, sends each of these.
  private static let sentURLs = [
    "", "/", "?", "/?", "?a=1", "?a/../b", "#f", "/a#f", "/a?#f", "/a?b=/../c", "/a/../b", "/a/./b", "/./", "/../a",
    "/a/..",
    "/a/.", "/a/./../b/.", "/a/../../../b", "/a//../b", "//../a", "/a//..//b",
    "///../../b",
    "/a/b/../?x", "/a/..?x", "/a/..#x", "/a;p/../b", "/.h/../x", "/a/.../../b", "/a/..b", "/a/..;x/b", "/a//b", "//a",
    "/a/%2e%2e/b", "/a/%2E/b", "/a/.%2e/b", "/a/%2E%2E/../b", "/a/..%2Fb", "/a%2F../b", "/a%2fb", "/%c3%a9", "/é",
    "/a b",
    "/%41%7e", "/a\\b", "/{a}|^`\"<>", "/%", "/a+b?c+d", "/a'b()!$&,=:@", "/a?{a}[]\\ é", "/.well-known/x",
  ]

  /// What a libcurl sends that takes an encoded dot for a dot, as Debian's does. That of the toolchain takes it for a
  /// character.
  private static let withoutEncodedDots = [
    "/a/%2e%2e/b": "/b", "/a/%2E/b": "/a/b", "/a/.%2e/b": "/b", "/a/%2E%2E/../b": "/b",
  ]

  @Test("matches a URL as it is sent")
  func sentURLs() async throws {
    let server = try LoopbackServer()
    let registry = StubRegistry(isEnabled: false)
    // The 0 is a leading zero of the port.
    for (host, rests) in [("127.0.0.1:", Self.sentURLs), ("LOCALHOST:0", ["/a"]), ("%6Cocalhost:", ["/a"])] {
      for rest in rests {
        let sent = request("http://\(host)\(server.port)\(rest)")
        _ = try await withStubs(in: registry) { try await URLSession.shared.data(for: sent) }
        let arrived = try #require(server.arrivals.last)
        var facts = RequestFacts(sent)
        if arrived.target == Self.withoutEncodedDots[rest] { continue }
        let (path, query) = arrived.target[...].cut(at: "?") ?? (arrived.target[...], "")
        #expect(facts.path == String(path).decodedPath.canonicalPath, "\(host)\(rest): \(arrived.target)")
        #expect(facts.segments == String(path).segmentsOfPath, "\(host)\(rest)")
        #expect(facts.queryItems == NamedValue.query(String(query)), "\(host)\(rest): \(arrived.target)")
        #expect(arrived["Host"]?.lowercased() == "\(facts.host ?? ""):\(facts.port ?? 0)", "\(host)\(rest)")
        #expect(isURL("http://\(host)\(server.port)\(path)").matches(sent), "\(host)\(rest)")
      }
    }
  }

  #if os(Linux)
    /// Two requests are warned of: one escapes, as StubKit takes no FTP, and one comes when its scope has ended. Who
    /// listens for warnings may use URLSession, so no warning comes on its work queue.
    @Test("warns of a request that escapes or comes late where no lock of URLSession is held", .inOwnProcess)
    func warnings() async throws {
      let areUnderLock = Locked<[Bool]>([])
      RunningTest.listener.withLock {
        $0 = Closure { _ in areUnderLock.withLock { $0.append(Platform.isOnWorkQueue) } }
      }
      let registry = StubRegistry()
      withStubs(in: registry) {
        stub(condition: .anything, response: .ok)
        URLSession.shared.dataTask(with: url("ftp://127.0.0.1:1/")) { _, _, _ in }.resume()
      }
      _ = try await StubRegistry.$local.withValue(registry) { try await URLSession.shared.fetch("http://a.example/") }
      try await until("both are told") { areUnderLock.withLock(\.count) == 2 }
      #expect(areUnderLock.withLock(\.self) == [false, false])
    }
  #endif

  @Test(
    "takes every scheme but ftp, ws, wss and data, and URLs without one",
    arguments: [
      ("http://a.example/", true), ("https://a.example/", true), ("HTTP://a.example/", true),
      ("foo://unknownhost:666", true), ("foo:bar", true), ("ftp://a.example/", false), ("ws://a.example/", false),
      ("wss://a.example/", false), ("data:text/plain,x", false), ("/users", true), ("url", true), ("//a/b?c", true),
    ])
  func schemes(text: String, isTaken: Bool) {
    withStubs { #expect(StubURLProtocol.canInit(with: URLRequest(url: url(text))) == isTaken) }
  }

  @Test("lets no clock wait for a load where other code only asks whether it would take a request")
  func askedByOthers() {
    withStubs {
      let clock = ManualClock()
      StubRegistry.current.clock = clock
      #expect(StubURLProtocol.canInit(with: URLRequest(url: url("http://a.example/"))))
      #expect(clock.virtual.state.withLock(\.isAtRest))
    }
  }

  @Test("takes custom schemes, and URLs without one, in every kind of task", arguments: BodyPlace.allCases)
  func customSchemes(place: BodyPlace) async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("anything"))
      stub(condition: { $0.url?.relativeString == "empty" }) { _ in .text("closure") }
      stub(condition: isPath("/users"), response: .text("users"))
      stub(condition: isScheme("foo") && isHost("unknownhost") && isPort(666), response: .text("foo!"))
      for (address, text) in [
        "foo://unknownhost:666": "foo!", "/users?a=b": "users", "u": "anything", "empty": "closure",
      ] {
        let answer = try await Sending(place, Data("body".utf8)).send(URLRequest(url: url(address)))
        #expect(answer == text, "\(address)")
      }
    }
  }

  #if os(Linux)
    /// A session for each way to make a configuration with these classes, and a session of it.
    private static func sessions(with classes: [AnyClass]?) async -> [(String, URLSession)] {
      @Sendable func assigned(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        configuration.protocolClasses = classes
        return configuration
      }
      func copy(_ original: URLSessionConfiguration) -> URLSessionConfiguration {
        original.copy() as! URLSessionConfiguration
      }
      let made = (Initializers.self as any DeprecatedCalls.Type).configurations
      let mutated = [URLSession(configuration: .default), URLSession(configuration: .ephemeral)]
      // Here, that of a session is no copy.
      for session in mutated { _ = assigned(session.configuration) }
      let onThread = await withCheckedContinuation { made in
        Thread.detachNewThread { made.resume(returning: URLSession(configuration: assigned(.ephemeral))) }
      }
      return [
        ("default", URLSession(configuration: assigned(.default))),
        ("copied", URLSession(configuration: copy(assigned(.ephemeral)))),
        ("with a queue", URLSession(configuration: assigned(.default), delegate: nil, delegateQueue: OperationQueue())),
        ("on a thread", onThread), ("mutated, default", mutated[0]), ("mutated, ephemeral", mutated[1]),
      ] + made.map { ("an initializer: \(type(of: $0))", URLSession(configuration: assigned($0))) }
    }

    private final class Subclass: URLSessionConfiguration, @unchecked Sendable {}
    private final class Stubborn: URLSessionConfiguration, @unchecked Sendable {
      override var protocolClasses: [AnyClass]? {
        get { nil }
        set {}
      }
    }

    // A deprecated initializer, called without a warning.
    private protocol DeprecatedCalls { static var configurations: [URLSessionConfiguration] { get } }
    private enum Initializers: DeprecatedCalls {
      @available(*, deprecated)
      static var configurations: [URLSessionConfiguration] { [URLSessionConfiguration(), Subclass(), Stubborn()] }
    }

    /// In a process of its own, in which no session is older, and the shared one is everybody's.
    @Test("lets nothing out of a scope, whatever a configuration's classes are and however it is made", .inOwnProcess)
    func everyConfiguration() async throws {
      let server = try LoopbackServer()
      let request = URLRequest(url: server.url("/x"))
      let lists: [(String, [AnyClass]?)] = [("nil", nil), ("none", []), ("a mock", [HandWrittenMock.self])]
      var early: [(String, URLSession)] = []
      for (list, classes) in lists {
        early += await Self.sessions(with: classes).map { ("\(list), \($0), before the first stub", $1) }
      }
      var goneOut = 0
      for (list, classes) in lists {
        try await withStubs {
          URLSession.shared.configuration.protocolClasses = classes
          let all = await early + Self.sessions(with: classes) + [("shared", .shared)]
          for (name, session) in all {
            await #expect(throws: UnmatchedRequestError.self, "\(list): \(name)") { try await session.fetch(request) }
            #expect(server.requests.count == goneOut, "\(list): \(name)")
          }
          // A registry that is disabled leaves it to the system.
          StubRegistry.current.isEnabled = false
          for (name, session) in all {
            let real = try await session.fetch(request)
            #expect(real.text == "real GET /x", "\(list): \(name)")
            goneOut += 1
          }
          StubRegistry.current.isEnabled = true
        }
      }
    }

    @Test("comes before the system's loaders, in whatever order the classes are set", .inOwnProcess)
    func ordersOfClasses() async throws {
      let server = try LoopbackServer()
      for order in [
        { $0.reversed() }, { $0.sorted { "\($0)" < "\($1)" } }, { $0.sorted { "\($0)" > "\($1)" } },
        { Array($0.dropFirst()) + $0.prefix(1) }, { ($0 + [HandWrittenMock.self]).reversed() },
        { [HandWrittenMock.self] + $0.reversed() }, { $0.reversed() + [HandWrittenMock.self] },
      ] as [([AnyClass]) -> [AnyClass]] {
        for mark in ["plain", "made in the scope", "installed"] {
          try await withStubs { () async throws in
            stub(condition: isPath("/x"), response: .text("stubbed"))
            let configuration = URLSessionConfiguration.ephemeral
            if mark == "installed" { StubRegistry.current.install(in: configuration) }
            configuration.protocolClasses = order(try #require(configuration.protocolClasses))
            let session =
              mark == "plain"
              ? StubRegistry.$local.withValue(nil) { URLSession(configuration: configuration) }
              : URLSession(configuration: configuration)
            #expect(
              try await session.fetch(URLRequest(url: server.url("/x"))).text == "stubbed",
              "\(mark), \(configuration.protocolClasses as Any)")
          }
        }
      }
      #expect(server.requests.isEmpty)
    }
  #endif

  @Test("leaves a handwritten URLProtocol the requests that it takes, and no others")
  func handWrittenMock() async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("stubbed"))
      let configuration = URLSessionConfiguration.ephemeral { $0.protocolClasses = [HandWrittenMock.self] }
      let fetched = try await URLSession(configuration: configuration).fetch("http://mock.example/")
      #expect(fetched.text == "handwritten")
      let other = try await URLSession(configuration: configuration).fetch("http://other.example/")
      #expect(other.text == "stubbed")
    }
  }

  @Test("says which class can have taken the requests that it didn't see")
  func earlierClass() async throws {
    try await withStubs {
      let none = stub(condition: isPath("/none"), response: .ok)
      #expect(report { try verify(none) }.contains("No requests were made."))
      let configuration = URLSessionConfiguration.ephemeral { $0.protocolClasses = [HandWrittenMock.self] }
      _ = try await URLSession(configuration: configuration).fetch("http://mock.example/none")
      let reports = [
        report { try verify(none) }, report { try verify(isPath("/none")) },
        none.closestRequests().joined(separator: "\n"),
      ]
      for report in reports {
        #expect(
          report.contains(
            "StubKit saw no request. HandWrittenMock stands before it in the protocolClasses of a session"),
          "\(report)")
        #expect(!report.contains("No requests were made"), "\(report)")
      }
      // One that StubKit has seen is a request.
      _ = try await URLSession(configuration: configuration).fetch("http://other.example/none")
      #expect(!none.closestRequests().joined().contains("StubKit saw no request"))
    }
  }

  @Test("lets requests out of sessions whose configuration has it disabled, once or twice")
  func disabledConfiguration() async throws {
    let server = try LoopbackServer()
    try await withStubs {
      stub(condition: .anything, response: .text("stubbed"))
      let configuration = URLSessionConfiguration.ephemeral
      for _ in 1...2 { HTTPStubs.setEnabled(false, for: configuration) }
      #expect(!HTTPStubs.isEnabled(for: configuration))
      let real = try await URLSession(configuration: configuration).fetch(URLRequest(url: server.url("/a")))
      #expect(real.text == "real GET /a")
    }
  }

  @Test("takes requests of sessions whose configuration has it enabled again")
  func enabledConfiguration() async throws {
    let server = try LoopbackServer()
    try await withStubs {
      stub(condition: .anything, response: .text("stubbed"))
      let configuration = URLSessionConfiguration.unstubbed
      HTTPStubs.setEnabled(true, for: configuration)
      #expect(HTTPStubs.isEnabled(for: configuration))
      let stubbed = try await URLSession(configuration: configuration).fetch(URLRequest(url: server.url("/a")))
      #expect(stubbed.text == "stubbed")
    }
  }

  private final class HandWrittenMock: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mock.example" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
      client?.urlProtocol(self, didReceive: HTTPURLResponse(to: request), cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data("handwritten".utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
    override func stopLoading() {}
  }
}
