import Foundation
import StubKit
import TestSupport
import Testing

@Suite("The guide to slow and failing networks, where it fails requests,", .inTurn)
struct SlowAndFailingNetworksFailures {
  private let clock = ManualClock()

  @Test("shows failures at once, after a while, after the head and within the body")
  func failures() async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(condition: isPath("/down"), response: .failure(.cannotConnectToHost))
      stub(condition: isPath("/gone"), response: .failure(.networkConnectionLost).delay(.seconds(2)))
      stub(condition: isPath("/head"), response: .data(film).failing(afterBytes: 0))
      stub(condition: isPath("/film"), response: .data(film).failing(afterBytes: 4_096, with: .timedOut))
      stub(condition: isPath("/own"), response: .failure(NSError(domain: "Proxy", code: 7)))

      let down = await clock.fate("/down")
      #expect(down == Fate(code: .cannotConnectToHost, after: .zero))
      let gone = await clock.fate("/gone")
      #expect(gone == Fate(code: .networkConnectionLost, after: .seconds(2)))
      let codes = [await code("/head"), await code("/film")]
      #expect(codes == [.networkConnectionLost, .timedOut])
      let lengths = StubRegistry.current.journal.entries.compactMap(\.response?.bodyLength)
      #expect(lengths == [0, 4_096])
      let own = await #expect(throws: NSError.self) { try await status("/own") }
      #expect(own?.domain == "Proxy" && own?.code == 7)
    }
  }

  @Test("shows bodies that are not as long as they say")
  func truncated() async throws {
    try await withStubs {
      stub(condition: isPath("/cut"), response: .text("only this", headers: ["Content-Length": "1000"]))
      stub(condition: isPath("/long"), response: .text("only this", headers: ["Content-Length": "4"]))

      let error = await #expect(throws: URLError.self) { try await text("/cut") }
      #expect(error?.code == .networkConnectionLost)
      #expect(error?.localizedDescription.contains("after 9 of 1000 bytes") == true)
      let long = try await text("/long")
      #expect(long == "only")
    }
  }

  @Test("shows certain requests that fail")
  func sequences() async throws {
    try await withStubs {
      stub(condition: isPath("/token"), response: .json(["token": "t"]))
      stub(condition: isPath("/job"), responses: [.failure(.timedOut), .status(503), .json(["done": true])])
      stub(
        condition: isPath("/feed"), responses: [.json([1]), .failure(.networkConnectionLost)], afterLast: .startOver)
      stub(condition: isPath("/token"), responses: [.status(401)], afterLast: .stopMatching)
      stub(condition: isPath("/ping")) { _, match in
        match.callNumber.isMultiple(of: 3) ? .failure(.timedOut) : .empty()
      }

      let jobs = [await code("/job"), await code("/job"), await code("/job"), await code("/job")]
      #expect(jobs == [.timedOut, nil, nil, nil])
      let feeds = [await code("/feed"), await code("/feed"), await code("/feed"), await code("/feed")]
      #expect(feeds == [nil, .networkConnectionLost, nil, .networkConnectionLost])
      let tokens = [try await status("/token"), try await status("/token")]
      #expect(tokens == [401, 200])
      let pings = [await code("/ping"), await code("/ping"), await code("/ping"), await code("/ping")]
      #expect(pings == [nil, nil, .timedOut, nil])
    }
  }

  @Test("shows a server that never answers")
  func noAnswer() async {
    let users = address("/users")
    await withStubs {
      HTTPStubs.clock = .immediate
      stub(condition: isPath("/users"), response: .noAnswer)
      let error = await #expect(throws: URLError.self) { try await URLSession.shared.data(from: users) }
      #expect(error?.code == .timedOut)
    }
  }

  @Test("shows a timeout for everything together")
  func resourceTimeout() async {
    await withStubs {
      HTTPStubs.clock = clock
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForResource = 20
      let session = URLSession(configuration: configuration)
      stub(condition: isPath("/film"), response: .data(film).bodyDuration(.seconds(30)))

      let film = await clock.fate("/film", session: session)
      #expect(film == Fate(code: .timedOut, after: .seconds(20)))
      session.finishTasksAndInvalidate()
    }
  }
}
