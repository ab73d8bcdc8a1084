import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

/// DifferentialTests replay what they recorded: redirects, challenges, failures and bodies that break off, in every
/// kind of task.
@Suite("A replayed archive", .inTurn)
struct ReplayTests {
  private let registry = StubRegistry()
  private let session: URLSession

  init() { session = registry.makeSession() }

  private func texts(_ urls: String...) async throws -> [String] {
    var texts: [String] = []
    for url in urls { texts.append(try await session.fetch("http://\(url)").text) }
    return texts
  }

  @Test("answers repeated requests in turn, then with the last answer")
  func sequence() async throws {
    replay(
      HTTPArchive(
        entry("http://a.com/job", "waiting"), entry("http://a.com/users", "[]"), entry("http://a.com/job", "done")),
      in: registry)
    let answers = try await texts("a.com/job", "a.com/users", "a.com/job", "a.com/job")
    #expect(answers == ["waiting", "[]", "done", "done"])
  }

  @Test("has a stub for each entry, named for it and placed at the call, so that those nobody asks for are known")
  func stubsOfEntries() async throws {
    let stubs = replay(HTTPArchive("job.har", entry("http://a.com/job"), entry("http://a.com/unused")), in: registry)
    _ = try await texts("a.com/job")
    #expect(stubs.map(\.name) == ["job.har, entry 1", "job.har, entry 2"])
    #expect(registry.unusedStubs.map(\.name) == ["job.har, entry 2"])
    #expect(stubs.allSatisfy { $0.location.fileID.hasSuffix("ReplayTests.swift") })
    let ofNoFile = replay(HTTPArchive(entry("http://c.com/")), in: registry)
    #expect(ofNoFile.map(\.name) == ["the archive, entry 1"])
  }

  @Test("gives way to a stub that is registered later")
  func laterStub() async throws {
    replay(HTTPArchive(entry("http://a.com/job", "recorded")), in: registry)
    stub(condition: isHost("a.com"), response: .text("mine"), in: registry)
    #expect(try await texts("a.com/job") == ["mine"])
  }

  @Test("starts over for each request by itself, or stops matching and says so, if told to")
  func afterLast() async throws {
    let stubs = replay(
      HTTPArchive(entry("http://a.com/", "1"), entry("http://a.com/", "2"), entry("http://b.com/", "b")),
      afterLast: .startOver, in: registry)
    let asked = try await texts("a.com/", "a.com/", "a.com/", "a.com/", "a.com/", "b.com/")
    #expect(asked == ["1", "2", "1", "2", "1", "b"])
    #expect(stubs.map(\.callCount) == [3, 2, 1])
    replay(HTTPArchive("once.har", entry("http://c.com/", "1")), afterLast: .stopMatching, in: registry)
    #expect(try await texts("c.com/") == ["1"])
    let error = try #require(await session.failure(of: "http://c.com/") as? UnmatchedRequestError)
    #expect(error.description.contains("GET /, once.har, entry 1: already used"))
    #expect(error.description.contains("1 of 1 times"))
  }

  @Test("sends a body whole, whichever coding its message had", arguments: ["chunked", "identity", "gzip, chunked"])
  func codings(coding: String) async throws {
    let response = HTTPArchive.Response(headers: ["Transfer-Encoding": coding], body: Data("text".utf8))
    replay(HTTPArchive(.init(request: request("http://a.com/"), response: response)), in: registry)
    #expect(try await texts("a.com/") == ["text"])
  }

  @Test("sends what a browser's cache had for a 304 to a client that sends no validator", arguments: [nil, #""2""#])
  func cachedContent(newTag: String?) async throws {
    var conditional = request("http://a.com/logo", headers: ["If-None-Match": #""1""#])
    var cached = HTTPArchive.Response(status: 304, headers: ["Content-Length": "0"], body: Data("logo".utf8))
    cached.headers["ETag"] = newTag
    replay(HTTPArchive("logo.har", .init(request: conditional, response: cached)), in: registry)
    let (data, response) = try await session.data(for: request("http://a.com/logo"))
    let head = try #require(response as? HTTPURLResponse)
    #expect(data == Data("logo".utf8))
    #expect(head.statusCode == 200)
    #expect(head.value(forHTTPHeaderField: "Content-Length") == "4")
    if let newTag { conditional.setValue(newTag, forHTTPHeaderField: "If-None-Match") }
    #expect(try await session.fetch(conditional) == Fetched(status: 304, text: ""))
  }

  @Test("names the entries that a request came near to by the path at which their body differs, and equal ones once")
  func nearBodies() async throws {
    func post(_ body: String) -> URLRequest { request("http://a.com/users?page=2", method: "POST", body: body) }
    let bodies = [#"{"page": 1, "by": "name"}"#] + Array(repeating: #"{"page": 2}"#, count: 4)
    var archive = HTTPArchive(entries: bodies.map { entry(post($0)) })
    archive.fileName = "users.har"
    replay(archive, in: registry)
    let error = try #require(
      await #expect(throws: UnmatchedRequestError.self) { try await session.fetch(post(#"{"page": 3}"#)) })
    let lines = error.description.split(separator: "\n").map(String.init)
    #expect(lines[1] == "There are 2 recorded requests, closest first:")
    let start = try #require(
      lines.firstIndex(of: "  POST /users?page=2, users.har, entries 2, 3, 4 and 1 more: body differs at $.page"))
    #expect(lines[start + 1] == "    body at page: expected 2, got 3")
    #expect(!error.description.contains("isURL"))
  }

  @Test("names the entries that a request came near to by the part of the URL that differs")
  func nearURLs() async throws {
    replay(HTTPArchive("gets.har", entry("http://a.com/u/1"), entry("http://a.com/u/2?token=REDACTED")), in: registry)
    let report = try #require(await session.failure(of: "http://a.com/u/2") as? UnmatchedRequestError).description
    #expect(report.contains("GET /u/1, gets.har, entry 1: path differs"), "\(report)")
    #expect(report.contains("gets.har, entry 2: query item token differs"), "\(report)")
    #expect(report.contains("query item token: expected \"REDACTED\", missing"), "\(report)")
  }

  // A path that isn't recorded, another host, no URL, and a path that is relative: it would lead to /folder/end.
  @Test(
    "follows a redirect where the recording went, whatever its Location says",
    arguments: ["/nowhere", "http://b.example/", "http://[bad/", "end"])
  func redirects(location: String) async throws {
    var redirect = entry("http://a.com/folder/start", status: 302)
    redirect.response?.headers["Location"] = location
    redirect.redirectedTo = url("http://a.com/end?token=s3cret")
    let archive = HTTPArchive(redirect, entry("http://a.com/end?token=s3cret", "here"))
    let read = try HTTPArchive(archive.data)
    #expect(read.entries[0].redirectedTo == redirect.redirectedTo)
    let redacted = read.redactedAndReported(.standard).archive
    #expect(!redacted.data.text.contains("s3cret"))
    replay(redacted, in: registry)
    #expect(try await texts("a.com/folder/start") == ["here"])
  }

  @Test(
    "answers with what the archive has, and adds nothing but the true length",
    arguments: [
      (
        "GET", .init(status: 418, headers: ["X-A": "1", "x-a": "2", "Set-Cookie": "a=1"], body: Data("tea".utf8)),
        ["X-A": "1, 2", "Set-Cookie": "a=1"]
      ),
      // The length is made true of a body that somebody has edited, and is kept by what has none, or was compressed.
      ("GET", .init(headers: ["Content-Length": "2"], body: Data("edited".utf8)), ["Content-Length": "6"]),
      ("GET", .init(headers: ["content-length": "40"], body: Data("edited".utf8)), ["Content-Length": "6"]),
      ("HEAD", .init(headers: ["Content-Length": "512"]), ["Content-Length": "512"]),
      (
        "GET", .init(status: 304, headers: ["Content-Length": "512", "ETag": "1"]),
        ["Content-Length": "512", "Etag": "1"]
      ),
      (
        "GET", .init(headers: ["Content-Encoding": "gzip", "Content-Length": "5"], body: Data("decompressed".utf8)),
        ["Content-Encoding": "gzip", "Content-Length": "5"]
      ),
    ] as [(String, HTTPArchive.Response, [String: String])])
  func responses(method: String, recorded: HTTPArchive.Response, fields: [String: String]) async throws {
    let request = request("http://a.com/", method: method)
    replay(HTTPArchive(.init(request: request, response: recorded)), in: registry)
    let (data, response) = try await session.data(for: request)
    let head = try #require(response as? HTTPURLResponse)
    #expect(data == recorded.body)
    #expect(head.statusCode == recorded.status)
    let received = head.allHeaderFields.map { ("\($0.key)".capitalized, "\($0.value)") }
    #expect(Dictionary(uniqueKeysWithValues: received) == fields)
  }

  @Test("fails a request for an entry that can't be replayed, and says which and why")
  func obstacle() async throws {
    var lost = HTTPArchive.Entry(request: request("http://a.com/1"), response: .init(status: 200))
    lost.statedObstacle = "has no content. Export the archive with its content."
    replay(HTTPArchive("a.har", lost, HTTPArchive.Entry(request: request("http://a.com/2"))), in: registry)
    let first = try #require(await session.failure(of: "http://a.com/1") as? ReplayError)
    #expect(first.description == "a.har, entry 1 has no content. Export the archive with its content.")
    #expect(first.localizedDescription == first.description)
    let reason = "has neither a response nor an error. Record it again."
    let second = await session.failure(of: "http://a.com/2") as? ReplayError
    #expect(second == ReplayError(fileName: "a.har", entry: 2, reason: reason))
  }

  @Test("fails a request with the error that was recorded, and the description that the client saw")
  func recordedError() async throws {
    let error = URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: "Nobody is at port 81"])
    let archive = HTTPArchive("a.har", HTTPArchive.Entry(request: request("http://a.com/3"), error: error))
    // As from a file.
    replay(try HTTPArchive(archive.data), in: registry)
    let replayed = try #require(await session.failure(of: "http://a.com/3") as? URLError)
    #expect(replayed.code == .cannotConnectToHost)
    #expect(replayed.localizedDescription == "Nobody is at port 81")
  }
}

extension ReplayTests {
  @Test("of many requests that differ in a secret only answers each of them, in any order")
  func manySecrets() {
    let archive = HTTPArchive(
      entries: (0..<50).map { entry(asked(#"?signature=\#(PlantedSecret.random($0)) < {"a": [1, {"c": "d"}]}"#)) })
    let (redacted, report) = archive.redactedAndReported(.standard)
    #expect(RedactionProof(of: redacted, against: archive, .standard, report).problem == nil)
    let inTurn = Array(0..<50)
    // Other secrets get the answers in turn, and each placeholder its own.
    for (asking, order) in [
      (archive, inTurn), (redacted, inTurn), (redacted, inTurn.reversed()), (redacted, inTurn.map { $0 * 7 % 50 }),
    ] as [(HTTPArchive, [Int])] {
      let registry = StubRegistry()
      let stubs = replay(redacted, in: registry)
      let wrong = order.first { number in
        let request = asking.entries[number].request
        guard registry.answerer(of: request) === stubs[number] else { return true }
        guard case .use = stubs[number].claim(for: IncomingRequest(request), seen: []) else { return true }
        return false
      }
      #expect(wrong == nil, "redacted: \(asking == redacted), \(order)")
    }
  }
}
