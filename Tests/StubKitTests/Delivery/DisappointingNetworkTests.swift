import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A network that disappoints", .inTurn)
struct DisappointingNetworkTests {
  private static let address = "http://a.example/"

  private func code(_ error: (any Error)?) -> URLError.Code? { (error as? URLError)?.code }

  @Test("that is offline fails a request at once, without a body sent, and names its URL")
  func offline() async throws {
    try await withStubs {
      stub(condition: .anything, response: .text("never").delay(.seconds(600)).network(.offline))
      let error = await URLSession.shared.failure(of: Self.address) as? URLError
      #expect(error?.code == .notConnectedToInternet)
      #expect(error?.failingURL == url(Self.address))
      let events = TransferEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
      session.uploadTask(with: request(Self.address, method: "POST"), from: Data([1])).resume()
      let told = try await events.untilCompletion()
      #expect(told == ["error \(NSURLErrorNotConnectedToInternet)"])
    }
  }

  @Test("takes its latency, its uplink's and its downlink's time, and brings every byte")
  func slowness() async throws {
    let body = LargeFile.bytes(length: 3_000)
    try await withStubs { () async throws in
      let slow = NetworkConditions(
        latency: .milliseconds(20), downlink: .kilobytesPerSecond(100), uplink: .kilobytesPerSecond(100))
      stub(condition: .anything, response: .data(body).network(slow))
      let events = TransferEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
      let began = ContinuousClock.now
      session.uploadTask(with: request(Self.address, method: "POST"), from: Data(count: 1_000)).resume()
      let told = try await events.untilCompletion()
      #expect(ContinuousClock.now - began >= .milliseconds(20 + 10 + 30))
      #expect(told.prefix(2) == ["sent 1000 1000 1000", "head 200"] && told.last == "complete")
      #expect(events.bytes == body)
      // The body takes its time also where nobody hears that it is sent.
      let beganUnheard = ContinuousClock.now
      let (answer, _) = try await URLSession.shared.upload(
        for: request(Self.address, method: "POST"), from: Data(count: 5_000))
      #expect(ContinuousClock.now - beganUnheard >= .milliseconds(20 + 50 + 30))
      #expect(answer == body)
    }
  }

  @Test("fails the same calls of a flaky stub each time, and says how to see them again")
  func flaky() async throws {
    func fates() async -> [URLError.Code?] {
      await withStubs {
        stub(condition: .anything, response: .text("fine").flaky(0.5, with: .timedOut, seed: 42))
        var fates: [URLError.Code?] = []
        for _ in 1...20 { fates.append(code(await URLSession.shared.failure(of: Self.address))) }
        return fates
      }
    }
    let first = await fates()
    #expect(first.contains(.timedOut) && first.contains(nil))
    // Whatever runs beside it.
    async let beside = fates()
    let again = await fates()
    #expect(again == first)
    #expect(await beside == first)
    await withStubs {
      stub(condition: .anything, response: .text("fine").flaky(1))
      let error = await URLSession.shared.failure(of: Self.address)
      #expect(code(error) == .networkConnectionLost)
      #expect(error?.localizedDescription.contains("write seed: \(CallRandomness.seedOfProcess) in .flaky(…).") == true)
    }
  }

  @Test("loses connections before the head and in the middle of a body, and a client sees what came")
  func losses() async throws {
    try await withStubs {
      let body = LargeFile.bytes(length: 1_000)
      stub(condition: .anything, response: .data(body).network(NetworkConditions(lossRate: 1, seed: 5)))
      var (before, within) = (0, 0)
      for _ in 1...30 {
        let events = TransferEvents()
        let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
        session.dataTask(with: url(Self.address)).resume()
        let told = try await events.untilCompletion()
        #expect(told.last == "error \(NSURLErrorNetworkConnectionLost)")
        #expect(body.starts(with: events.bytes) && events.bytes.count < body.count)
        if told.first == "head 200" { within += 1 } else { before += 1 }
        session.finishTasksAndInvalidate()
      }
      #expect(before > 0 && within > 0 && before + within == 30)
    }
  }

  @Test("with a server that never answers ends with the request's timeout, its body sent")
  func noAnswer() async throws {
    try await withStubs {
      stub(condition: .anything, response: .noAnswer)
      let request = request(Self.address, method: "POST", timeout: 0.05)
      let events = TransferEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
      session.uploadTask(with: request, from: Data([1])).resume()
      let told = try await events.untilCompletion()
      #expect(told == ["sent 1 1 1", "error \(NSURLErrorTimedOut)"])
      #expect(StubResponse.noAnswer.description == "no answer")
    }
  }

  @Test("cuts a body that is shorter than its length off, and one that is longer at its length")
  func lengths() async throws {
    try await withStubs { () async throws in
      stub(condition: isPath("/short"), response: .text("Hello", headers: ["Content-Length": "9"]))
      stub(condition: isPath("/long"), response: .text("Hello", headers: ["Content-Length": "3"]))
      let events = DelegateEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
      session.dataTask(with: url("http://a.example/short")).resume()
      let told = try await events.untilCompletion()
      #expect(
        told == ["head 200", "data Hello", "error \(NSURLErrorDomain) \(NSURLErrorNetworkConnectionLost)"])
      let error = await URLSession.shared.failure(of: "http://a.example/short")
      #expect(error?.localizedDescription.contains("5 of 9 bytes") == true)
      #expect(try await URLSession.shared.fetch("http://a.example/long").text == "Hel")
    }
    let file = try LargeFile(length: 100_000)
    try await withStubs { () async throws in
      stub(condition: .anything, response: .file(file.url, headers: ["Content-Length": "70000"]))
      #expect(try await URLSession.shared.data(from: url(Self.address)).0 == file.bytes.prefix(70_000))
      let (location, _) = try await URLSession.shared.download(from: url(Self.address))
      #expect(try Data(contentsOf: location) == file.bytes.prefix(70_000))
      try FileManager.default.removeItem(at: location)
    }
  }
}
