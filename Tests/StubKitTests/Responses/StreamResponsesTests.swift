import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response that is a stream", .inTurn)
struct StreamResponsesTests {
  private enum Requester { @TaskLocal static var id = 0 }
  private struct Broken: Error, Equatable {}

  private static let address = url("http://a.example/")

  private func stream(_ texts: String...) -> AsyncStream<Data> {
    AsyncStream { continuation in
      for text in texts { continuation.yield(Data(text.utf8)) }
      continuation.finish()
    }
  }

  private func session(_ events: DelegateEvents) -> URLSession {
    URLSession(configuration: .patient, delegate: events, delegateQueue: nil)
  }

  @Test("reaches a delegate chunk by chunk")
  func delegates() async throws {
    try await withStubs {
      let (chunks, sender) = AsyncStream.makeStream(of: Data.self)
      stub(condition: .anything, response: .stream(chunks, headers: ["X-A": "b"]))
      let events = DelegateEvents()
      let task = session(events).dataTask(with: Self.address)
      task.resume()
      var expected = ["head 200"]
      for text in ["one", "", "two", "three"] {
        if !text.isEmpty { expected.append("data \(text)") }
        sender.yield(Data(text.utf8))
        try await until("the delegate is told \(expected)", or: { events.told.count > expected.count }) {
          events.told == expected
        }
      }
      sender.finish()
      let told = try await events.untilCompletion()
      #expect(told == expected + ["complete"])
      let head = task.response as? HTTPURLResponse
      #expect(head?.expectedContentLength == -1)
      #expect(head?.allHeaderFields as? [String: String] == ["X-A": "b"])
    }
  }

  @Test("reaches everybody else whole")
  func wholes() async throws {
    try await withStubs { () async throws in
      stub(condition: .anything, response: .stream { stream("one, ", "two, ", "three") })
      for place in BodyPlace.allCases {
        let text = try await Sending(place, Data([1])).send(URLRequest(url: Self.address))
        #expect(text == "one, two, three", "\(place)")
      }
      let events = DelegateEvents()
      session(events).downloadTask(with: Self.address).resume()
      #expect(try await events.untilCompletion() == ["file one, two, three", "complete"])
    }
  }

  @Test("that throws fails its request with that error")
  func failure() async throws {
    try await withStubs {
      stub(
        condition: .anything,
        response: .stream {
          AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("half".utf8))
            continuation.finish(throwing: Broken())
          }
        })
      let events = DelegateEvents()
      session(events).dataTask(with: Self.address).resume()
      let told = try await events.untilCompletion()
      #expect(told.prefix(2) == ["head 200", "data half"] && told.count == 3)
      #expect(told.last?.contains("Broken") == true)
      let error = await URLSession.shared.failure(of: "http://a.example/")
      #expect(error as? Broken == Broken())
    }
  }

  @Test("is not touched where nobody gets a body")
  func dropped() async throws {
    for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304)] {
      try await withStubs { () async throws in
        let made = Protected(0)
        stub(
          condition: .anything,
          response: .stream(status: status) {
            made.withLock { $0 += 1 }
            return stream("body")
          })
        let once = stub(condition: isPath("/once"), response: .stream(stream("body"), status: status))
        var request = request("http://a.example/", method: method)
        #expect(try await URLSession.shared.fetch(request) == Fetched(status: status, text: ""))
        request.url = url("http://a.example/once")
        for _ in 1...2 { #expect(try await URLSession.shared.fetch(request).status == status) }
        #expect(made.withLock { $0 } == 0 && once.callCount == 2, "\(method) \(status)")
      }
    }
  }

  @Test("serves one request if it was made once")
  func usedUp() async throws {
    try await withStubs { () async throws in
      let log = stub(condition: .anything, response: .stream(stream("one, ", "two")), name: "log")
      #expect(try await URLSession.shared.fetch("http://a.example/").text == "one, two")
      let error = try #require(await URLSession.shared.failure(of: "http://a.example/") as? StreamAlreadyUsedError)
      #expect(error.stub?.name == "log" && error.stub?.location == log.location)
      #expect(error.localizedDescription == error.description)
      #expect(
        error.description == """
          The stub "log" (\(log.location)) answers with a stream that an earlier request has already read. \
          Write .stream { … } with a closure that creates a new sequence for each request.
          """)
      #expect(log.callCount == 2)
    }
  }

  @Test("sees its requester's task-locals")
  func requesterTask() async throws {
    try await withStubs { () async throws in
      stub(condition: isPath("/inner"), response: .text("inner"))
      stub(
        condition: isPath("/outer"),
        response: .stream {
          let count = Protected(0)
          return AsyncThrowingStream<Data, any Error>(unfolding: {
            let number = count.withLock {
              $0 += 1
              return $0
            }
            guard number < 3 else { return nil }
            let inner = try await URLSession.shared.fetch("http://a.example/inner").text
            return Data("\(Requester.id) \(inner) ".utf8)
          })
        })
      let text = try await Requester.$id.withValue(7) {
        try await URLSession.shared.fetch("http://a.example/outer").text
      }
      #expect(text == "7 inner 7 inner ")
    }
  }
}
