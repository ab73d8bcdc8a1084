import Foundation
import StubKitTesting
import Testing
import XCTest

// What the guide "Organizing stubs" shows of stubs that tests share, as it shows it.

/// What every test can rely on.
func stubBackend(sourceLocation: SourceLocation = #_sourceLocation) {
  let here = StubLocation(sourceLocation)
  stub(.get, "/config", response: .json(["theme": "dark"]), at: here)
  stub(.get, "/me", response: .json(["name": "Ann"]), at: here)
}

@Test(.stubbed) func showsTheProfile() async throws {
  stubBackend()
  let profile = try await Profile.load()
  #expect(profile.name == "Ann" && profile.theme == "dark")
}

@Test(.stubbed) func saysThatTheUserIsGone() async throws {
  stubBackend()
  stub(.get, "/me", response: .status(410))
  await #expect(throws: URLError.self) { try await Profile.load() }
}

@Suite(.stubbed) struct ProfileTests {
  init() { stubBackend() }

  @Test func showsTheName() async throws {
    #expect(try await Profile.load().name == "Ann")
  }

  @Test func showsAnotherName() async throws {
    stub(.get, "/me", response: .json(["name": "Ben"]))
    #expect(try await Profile.load().name == "Ben")
  }
}

struct BackendTrait: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    stubBackend(sourceLocation: test.sourceLocation)
    try await function()
  }
}

extension Trait where Self == BackendTrait {
  static var backend: Self { BackendTrait() }
}

@Test(.stubbed, .backend) func showsTheTheme() async throws {
  #expect(try await Profile.load().theme == "dark")
}

/// What the tests of all targets can rely on.
public func stubBackend(at here: StubLocation) {
  stub(.get, "/config", response: .json(["theme": "dark"]), at: here)
}

@Test(.stubbed) func sharesStubsWithOtherTargets() throws {
  stubBackend(at: StubLocation())
  let location = try #require(StubRegistry.current.stubs.first?.location)
  #expect("\(location)".hasPrefix("TestingExamples/ShareStubsExamples.swift:"))
}

@Suite(.stubbed, .backend) struct ThemeTests {
  @Test func isLight() async throws {
    stub(.get, "/config", response: .json(["theme": "light"]))
    #expect(try await Profile.load().theme == "light")
  }
}

class BackendTestCase: StubbedTestCase {
  override func setUp() {
    super.setUp()
    stubBackend()
  }
}

final class ProfileTestCase: BackendTestCase {
  func testSaysThatTheServerIsDown() async {
    stub(.any, "/config", response: .status(503))
    do {
      _ = try await Profile.load()
      XCTFail("The profile was loaded.")
    } catch {}
  }
}

extension StubResponse {
  static var ann: StubResponse { .json(["id": 42, "name": "Ann"]) }
}

@Test(.stubbed) func showsTheFirstUser() async throws {
  stub(.get, "/config", response: .json(["theme": "dark"]))
  stub(.get, "/me", response: .ann.delay(.milliseconds(20)))
  #expect(try await Profile.load().name == "Ann")
}

private struct Profile {
  let name: String
  let theme: String

  static func load() async throws -> Profile {
    let config = try await get("/config")
    let user = try await get("/me")
    return try Profile(name: #require(user.name), theme: #require(config.theme))
  }

  private struct Answer: Decodable {
    let name: String?
    let theme: String?
  }

  private static func get(_ path: String) async throws -> Answer {
    let (data, response) = try await URLSession.shared.data(from: URL(string: "https://api.example.com\(path)")!)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    return try JSONDecoder().decode(Answer.self, from: data)
  }
}
