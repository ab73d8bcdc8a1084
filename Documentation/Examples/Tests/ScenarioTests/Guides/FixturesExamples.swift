import Foundation
import StubKit
import StubKitOHHTTPStubs
import TestSupport
import Testing

@Suite("The guide to fixtures", .inTurn)
struct FixturesExamples {
  private let page = Page.guide("Fixtures")

  /// A file that is gone when the test is over.
  private final class TestFile {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString).bin")
    deinit { try? FileManager.default.removeItem(at: url) }
  }

  @Test("shows files of a bundle, with all that a response may have")
  func bundle() async throws {
    try await withStubs {
      HTTPStubs.clock = .immediate
      stub(condition: isPath("/users"), response: fixture(named: "users.json", in: .module, subdirectory: "Fixtures"))
      stub(condition: isPath("/songs"), response: fixture(named: "Fixtures/songs.json", in: .module))
      let songs = try await text("/songs")
      let told = try await text("/users")
      #expect(told.contains("Ann") && !songs.isEmpty && songs != told)

      stub(
        condition: isMethodPOST() && isPath("/users"),
        response: fixture(
          named: "users.json", in: .module, subdirectory: "Fixtures", status: 201, headers: ["ETag": "\"1\""]))
      stub(
        condition: isPath("/songs"),
        response: fixture(named: "songs.json", in: .module, subdirectory: "Fixtures").delay(.seconds(1)).chunked(by: 16)
      )
      var request = URLRequest(url: address("/users"))
      request.httpMethod = "POST"
      let created = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
      #expect(created?.statusCode == 201 && created?.value(forHTTPHeaderField: "ETag") == "\"1\"")
      let slowSongs = try await text("/songs")
      #expect(slowSongs == songs)

      stub(condition: isPath(template: "/lists/{name}")) { _, match in
        try fixture(named: "\(match("name")).json", in: .module, subdirectory: "Fixtures")
      }
      let list = try await text("/lists/songs")
      #expect(list == songs)
    }
  }

  @Test("shows files by their path")
  func paths() async throws {
    try await withStubs {
      stub(condition: isPath("/products"), response: fixture(filePath: "Tests/ScenarioTests/Fixtures/products.json"))

      let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      stub(condition: isPath("/users"), response: .file(here.appendingPathComponent("../Fixtures/users.json")))

      let users = try await text("/users")
      #expect(users.contains("Ann"))
      // Where else the tests are started, the error says where that is.
      let folder = FileManager.default.currentDirectoryPath
      if FileManager.default.fileExists(atPath: folder + "/Tests/ScenarioTests") {
        let products = try await status("/products")
        #expect(products == 200)
      } else {
        let error = await #expect(throws: StubResponseError.self) { try await status("/products") }
        #expect(error?.description.contains(folder) == true)
      }
    }
  }

  @Test("lists content types as files have them")
  func contentTypes() {
    let rows = page.text.matches(of: #/\n\| `(\w+)` \| `([^`]+)` \|/#)
    #expect(rows.count > 10)
    for row in rows {
      #expect(StubResponse.file("a.\(row.1)").description == "200, \(row.2), file a.\(row.1)")
      #expect(StubResponse.file("a.\(row.1.uppercased())").description.contains(", \(row.2), "))
    }
    #expect(StubResponse.file("a.unknown").description == "200, file a.unknown")
  }

  @Test("says how long the pieces of a large file are, which a delegate gets one by one")
  func pieces() async throws {
    let file = TestFile()
    try film.write(to: file.url)
    try await withStubs {
      stub(condition: isPath("/film"), response: .file(file.url))
      let (lengths, received) = AsyncStream.makeStream(of: Int.self)
      let session = URLSession(configuration: .ephemeral, delegate: Receiver(received), delegateQueue: nil)
      session.dataTask(with: address("/film")).resume()
      let told = await lengths.reduce(into: []) { $0.append($1) }
      #expect(told.reduce(0, +) == film.count && told.allSatisfy { $0 <= 65_536 } && told.count == 4)
      session.finishTasksAndInvalidate()
      let whole = try await URLSession.shared.data(from: address("/film"))
      #expect(whole.0 == film && whole.1.expectedContentLength == film.count)
    }
  }

  private final class Receiver: NSObject, URLSessionDataDelegate {
    private let lengths: AsyncStream<Int>.Continuation
    init(_ lengths: AsyncStream<Int>.Continuation) { self.lengths = lengths }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      lengths.yield(data.count)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      lengths.finish()
    }
  }

  @Test("shows a file that is written after the stub, and anew")
  func rewritten() async throws {
    let temporary = TestFile()
    let file = temporary.url
    try await withStubs {
      stub(condition: isPath("/config"), response: .file(file))
      try Data(#"{"version":1}"#.utf8).write(to: file)
      let first = try await text("/config")
      try Data(#"{"version":2}"#.utf8).write(to: file)
      let second = try await text("/config")
      #expect(first == #"{"version":1}"# && second == #"{"version":2}"#)
    }
  }

  @Test("says what becomes of a large file that is replaced or cut off while it is sent", arguments: [true, false])
  func changedWhileSent(isReplaced: Bool) async throws {
    let file = TestFile()
    try film.write(to: file.url)
    let clock = ManualClock()
    try await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/film"), response: .file(file.url).bodyDuration(.seconds(10)))
      let answer = Task { try await URLSession.shared.data(from: address("/film")).0 }
      await clock.waitForPending()
      await clock.advance(by: .seconds(2))
      try Data("new".utf8).write(to: file.url, options: isReplaced ? .atomic : [])
      await clock.advance(by: .seconds(8))
      if isReplaced {
        let data = try await answer.value
        #expect(data == film)
      } else {
        let error = await #expect(throws: StubResponseError.self) { try await answer.value }
        #expect(error?.description.contains("became shorter while StubKit sent it") == true)
      }
    }
  }

  @Test("shows the error of a file that is not there")
  func missing() async throws {
    try await withStubs {
      stub(
        condition: .anything, response: fixture(named: "user.json", in: .module, subdirectory: "Fixtures"),
        name: "users", fileID: "AppTests/UserTests.swift", line: 12)
      let error = try #require(await #expect(throws: StubResponseError.self) { try await status("/users") })
      let folder = try #require(Bundle.module.resourceURL).path
      let told = error.description.replacing(folder, with: "/App/.build/debug/App_AppTests.resources")
      #expect(told == page.printed[2])
    }
  }

  @Test("shows a whole response")
  func message() async throws {
    try await withStubs {
      stub(
        condition: isPath("/login"),
        response: fixture(
          message: "login.http", in: .module, subdirectory: "Fixtures"))

      let told = try await text("/login")
      #expect(told == #"{"user": "ann"}"# + "\n")
      #expect(StubRegistry.current.journal.entries.last?.outcome == .answered(status: 201))
    }
  }

  private final class FixtureReader {}

  @Test("shows OHHTTPStubs' function")
  func path() async throws {
    try await withStubs {
      stub(
        condition: isPath("/users"),
        response: fixture(filePath: OHPathForFile("Fixtures/users.json", FixtureReader.self)!))

      let told = try await text("/users")
      #expect(told.contains("Ann"))
    }
  }
}
