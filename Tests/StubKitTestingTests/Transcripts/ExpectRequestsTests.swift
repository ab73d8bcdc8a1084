import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("expectRequests", .inTurn, .withoutWarnings, .stubbed(attaches: .never))
struct ExpectRequestsTests {
  init() { stub(condition: isHost("a.example"), response: .text("stubbed")) }

  @Test("passes, and returns what the placeholders stand for")
  func passes() async throws {
    expectRequests("")
    _ = try await send("http://a.example/items/42")
    #expect(expectRequests("GET http://a.example/items/{{id:number}}") == ["id": "42"])
    _ = try await send("http://a.example/ads")
    expectRequests("GET http://a.example/{{_}}", to: isPath("/ads"))
    expectRequests("GET http://a.example/ads\n###\nGET http://a.example/items/42")
  }

  @Test("with an empty text fails with the text to paste")
  func empty() async throws {
    _ = try await send("http://a.example/a", method: "PUT", body: "\\d\"\"\"")
    _ = try await send("http://a.example/b")
    let (_, issues) = await takingIssues { expectRequests("", at: location) }
    #expect(
      issues.map(\.text) == [
        """
        expectRequests: the transcript is empty, and 2 requests were made. Paste this:
          at AppTests/Users.swift:5
          expectRequests(
            #\"\"\"
            PUT http://a.example/a

            \\d\"\"\"

            ###
            GET http://a.example/b
            \"\"\"#)
        """
      ])
  }

  private var location: StubLocation {
    StubLocation(fileID: "AppTests/Users.swift", filePath: "/app/Users.swift", line: 5, column: 3)
  }

  @Test("fails with the difference first, and then the text, in which placeholders that fit stay")
  func fails() async throws {
    _ = try await send("http://a.example/a/42?page=2")
    let (_, issues) = await takingIssues { expectRequests("GET http://a.example/a/{{id}}?page=1", at: location) }
    #expect(
      issues.map(\.text) == [
        """
        expectRequests: The requests differ from the transcript in 1 of 1:
          at AppTests/Users.swift:5
          GET http://a.example/a/42?page=2
        - ?page=1
        + ?page=2
        If this is right, replace the transcript:
          expectRequests(
            \"\"\"
            GET http://a.example/a/{{id}}?page=2
            \"\"\")
        """
      ])
  }

  @Test("names what it can't read, and a condition that is a mistake")
  func mistakes() async {
    let (_, issues) = await takingIssues {
      expectRequests("GET http://a.example/{{id")
      expectRequests("", to: isPath("relative"))
    }
    #expect(issues.count == 2)
    #expect(
      issues.first?.text.contains("the transcript can't be read: line 1: expected }} after {{id") == true)
    #expect(issues.last?.text.contains("relative") == true)
  }

  @Test("fails if the journal has dropped requests, because nothing is certain then")
  func dropped() async throws {
    StubRegistry.current.journal.limit = 1
    for _ in 0..<3 { _ = try await send("http://a.example/a") }
    let (_, issues) = await takingIssues { expectRequests("GET http://a.example/a") }
    #expect(issues.count == 1 && issues[0].text.contains("no longer in the journal"))
  }

  // MARK: What is sent

  private func sent(_ requests: URLRequest..., session: URLSession = .shared) async throws -> String {
    for request in requests { _ = try? await session.data(for: request) }
    return "\(HTTPStubs.journal)"
  }

  @Test("accepts what the journal prints: URLs as they are sent, and headers that the client sets")
  func heads() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["User-Agent": "Mine/1", "Accept": "*/*"]
    let session = StubRegistry.current.makeSession(configuration: configuration)
    let system = ProcessInfo.processInfo.operatingSystemVersionString
    let text = try await sent(
      request("http://ann:pw@a.example/a%2Fb;v=1/?q=C%2B%2B&q=a+b#top", headers: ["Accept-Language": "de-CH"]),
      request("http://a.example/b?", headers: ["User-Agent": "App (\(system))", "Accept": "text/plain"], timeout: 5),
      request("http://a.example/c", headers: ["Accept-Encoding": "gzip, deflate", "X-Braces": "{{x}}"]),
      session: session)
    #expect(
      text == """
        GET http://ann:pw@a.example/a%2Fb;v=1/?q=C%2B%2B&q=a+b
        Accept-Language: de-CH
        User-Agent: Mine/1

        ###
        # timeout 5
        GET http://a.example/b?
        Accept: text/plain
        User-Agent: App ({{system}})

        ###
        GET http://a.example/c
        User-Agent: Mine/1
        X-Braces: {{\\x7b}}{x}}
        """)
    expectRequests(text)
  }

  @Test("accepts what the journal prints of JSON, forms, text, bytes and bodies that it doesn't keep")
  func bodies() async throws {
    let binary = Data([0, 1, 2, 255])
    let text = try await sent(
      request(
        "http://a.example/1", method: "POST", headers: ["Content-Type": "application/json"], body: "{\"b\":1,\"a\":[]}"),
      request("http://a.example/2", method: "POST", body: "a=1&b=x%20y"),
      request("http://a.example/3", method: "POST", body: "hello stream"),
      request("http://a.example/4", method: "PUT", headers: ["Content-Type": "text/plain"], streamed: "streamed\n"),
      request(url("http://a.example/5"), method: "PUT", headers: ["Content-Type": "a/b"], body: binary),
      request(url("http://a.example/6"), method: "PUT", headers: ["Content-Type": "a/b"], body: Data(count: 1_000_001)))
    #expect(
      text == """
        POST http://a.example/1
        Content-Type: application/json

        {
          "a": [],
          "b": 1
        }

        ###
        POST http://a.example/2
        Content-Type: application/x-www-form-urlencoded

        a=1
        &b=x%20y

        ###
        POST http://a.example/3
        Content-Type: application/x-www-form-urlencoded

        hello stream

        ###
        PUT http://a.example/4
        Content-Type: text/plain

        streamed
        {{\\}}

        ###
        PUT http://a.example/5
        Content-Type: a/b

        \(TranscribedBytes(binary).source)

        ###
        PUT http://a.example/6
        Content-Type: a/b

        (1000001 bytes, not kept)
        """)
    expectRequests(text)
  }

  @Test("accepts what the journal prints of a POST without a type whose body it doesn't keep")
  func lackingBody() async throws {
    let text = try await sent(
      request(url("http://a.example/1"), method: "POST", headers: [:], body: Data(count: 1_000_001)))
    #expect(text.hasSuffix("\n\n(1000001 bytes, not kept)"))
    expectRequests(text)
  }

  private static let rightBody = "--x\r\nA: 1\r\n\r\nbody\r\n--x--\r\n"
  /// The body with something wrong in it.
  static let wrongBodies = [
    rightBody.replacing("\r\n", with: "\n"), rightBody.replacing("--x--\r\n", with: ""), "\(rightBody)more",
    "before\r\n\(rightBody)", rightBody.replacing("A: 1", with: "A 1"), rightBody.replacing("\r\n\r\nbody", with: ""),
  ]

  private func multipartRequest(_ body: String) -> URLRequest {
    request(
      "http://a.example/1", method: "PUT", headers: ["Content-Type": "multipart/form-data; boundary=x"], body: body)
  }

  @Test(
    "tells a multipart body by parts, and one with a wrong line as a text", arguments: wrongBodies.map(Lines.init(_:)))
  func multipart(wrong: Lines) async throws {
    let right = try await sent(multipartRequest(Self.rightBody))
    #expect(right.hasSuffix("--{{boundary1}}\nA: 1\n\nbody\n--{{boundary1}}--"))
    expectRequests(right)
    HTTPStubs.forgetRequests()
    let text = try await sent(multipartRequest(wrong.text))
    expectRequests(text)
    let (_, issues) = await takingIssues { expectRequests(right) }
    #expect(issues.count == 1 && issues[0].text.contains("\n- body: --"), "\(issues.map(\.text))")
  }

  // MARK: Redirects

  @Test("leaves out what platforms send differently after a redirect, such as the credential and the body")
  func redirect() async throws {
    stub(.post, "http://a.example/old", response: .redirect(to: "/new", status: 307))
    let text = try await sent(
      request(
        "http://a.example/old", method: "POST",
        headers: ["Authorization": "Bearer t", "Content-Type": "text/plain", "X": "1"],
        body: "body"))
    #expect(
      text == """
        POST http://a.example/old
        Authorization: Bearer t
        Content-Type: text/plain
        X: 1

        body

        ###
        # after a redirect
        POST http://a.example/new
        X: 1
        """)
    expectRequests(text)
  }

  /// Keeps a session from following redirects.
  private final class Refuser: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }

  @Test("compares a request whole that the client makes to the Location of a redirect that it has refused")
  func refusedRedirect() async throws {
    stub(.get, "http://a.example/old", response: .redirect(to: "/new", status: 302))
    let session = StubRegistry.current.makeSession(delegate: Refuser())
    _ = try? await session.data(for: request("http://a.example/old"))
    _ = try await session.data(
      for: request(
        "http://a.example/new", method: "PUT",
        headers: ["Authorization": "Bearer WRONG", "Content-Type": "application/json"],
        body: "{\"price\": 999}"))
    let text = """
      GET http://a.example/old

      ###
      PUT http://a.example/new
      Authorization: Bearer right
      Content-Type: application/json

      {"price": 1}
      """
    let (_, issues) = await takingIssues { expectRequests(text) }
    let issue = try #require(issues.first).text
    #expect(issue.contains("- Authorization: Bearer right\n+ Authorization: Bearer WRONG"), "\(issue)")
    #expect(issue.contains("- body.price: 1\n+ body.price: 999"), "\(issue)")
  }

  // MARK: Time

  @Test("says when a request was made on the clock of the test, so that a missing pause is red")
  func times() async throws {
    let clock = ManualClock()
    HTTPStubs.clock = clock
    for _ in 0..<2 {
      _ = try await clock.run { try await send("http://a.example/1") }
      await clock.advance(by: .milliseconds(3_250))
    }
    let text = "\(HTTPStubs.journal)"
    #expect(text == "# at 0s\nGET http://a.example/1\n\n###\n# at 3.25s\nGET http://a.example/1")
    expectRequests(text)
    expectRequests("### ×2\nGET http://a.example/1")
    let (_, issues) = await takingIssues { expectRequests(text.replacing("3.25", with: "4")) }
    #expect(issues.first?.text.contains("- # at 4s\n+ # at 3.25s") == true, "\(issues.map(\.text))")
  }

  // MARK: Secrets

  @Test("hides the secrets of requests that went to the network, and compares what is around them")
  func secrets() async throws {
    HTTPStubs.unmatched = .passThrough
    let request = request(
      "http://127.0.0.1:1/items?access_token=kJ8sQ2vX9zL4mN7pR1tY&page=2", method: "POST",
      headers: ["Authorization": "Bearer kJ8sQ2vX9zL4mN7pR1tY", "Content-Type": "application/json"],
      body: "{\"password\": \"hunter2hunter2\", \"film\": \"Alien\"}")
    let text = try await sent(request)
    #expect(!text.contains("kJ8s") && !text.contains("hunter2"), "\(text)")
    #expect(
      text.contains("page=2") && text.contains("\"Alien\"") && text.contains("Authorization: Bearer {{secret"),
      "\(text)")
    expectRequests(text)
    let (_, issues) = await takingIssues { expectRequests(text.replacing("page=2", with: "page=3")) }
    #expect(issues.count == 1 && !issues[0].text.contains("kJ8s"), "\(issues.map(\.text))")
    let (_, others) = await takingIssues { expectRequests(text.replacing("Bearer {{", with: "Basic {{")) }
    #expect(
      others.count == 1 && !others[0].text.contains("kJ8s") && others[0].text.contains("+ Authorization: Bearer {{"))
  }
  private static let token = "kJ8sQ2vX9zL4mN7pR1tY"

  @Test("hides a secret that left the machine in each request of the test, also if a stub has received it")
  func sharedSecrets() async throws {
    HTTPStubs.unmatched = .passThrough
    let text = try await sent(
      request("http://127.0.0.1:1/me", headers: ["Authorization": "Bearer \(Self.token)"]),
      request("http://a.example/b?\(Self.token)=1&k=\(Self.token)"),
      request(
        "http://a.example/c", method: "POST", headers: ["Content-Type": "application/json"],
        body: "{\"t\": \"x\(Self.token)\"}"),
      request("http://a.example/d", headers: ["Authorization": "Bearer of a stub"]))
    #expect(!text.contains(Self.token), "\(text)")
    #expect(text.contains("Bearer {{secret1}}") && text.contains("\"t\": \"x{{secret1}}\""), "\(text)")
    #expect(text.contains("Authorization: Bearer of a stub") && !text.contains("\n{{secret"), "\(text)")
    expectRequests(text)
    let (_, issues) = await takingIssues { expectRequests("GET http://a.example/b?k=1") }
    #expect(issues.count == 1 && !issues[0].text.contains(Self.token), "\(issues.map(\.text))")
  }

  @Test("hides the secrets of a request whose closure has asked for the real response", arguments: [true, false])
  func realResponse(isPolicy: Bool) async throws {
    if isPolicy {
      HTTPStubs.unmatched = .respond { request in try await .real(request) }
    } else {
      stub(.get, "http://127.0.0.1:1/me") { request in try await .real(request) }
    }
    let text = try await sent(request("http://127.0.0.1:1/me", headers: ["Authorization": "Bearer \(Self.token)"]))
    #expect(text == "GET http://127.0.0.1:1/me\nAuthorization: Bearer {{secret1}}")
    expectRequests(text)
    let (_, issues) = await takingIssues { expectRequests("GET http://127.0.0.1:1/me\nAuthorization: Bearer x") }
    #expect(issues.count == 1 && !issues[0].text.contains(Self.token), "\(issues.map(\.text))")
  }
}
