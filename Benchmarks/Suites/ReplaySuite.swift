import Foundation
import StubKitRecorder

/// The cost of a request that an HTTP Archive answers.
extension Run {
  /// Measures one request again and again. An archive of 10,000 entries answers it, and in turn a single handwritten
  /// stub.
  func measureReplaying() async throws {
    let count = 10_000
    let request = Site.request("/items/\(count / 2)?page=7&sort=name")
    let headers = Style.responseHeaders.map { (name: $0.key, value: $0.value) }
    let single = StubRegistry()
    stub(
      condition: isURL(request.url!), response: .data(Requester.stubKitBody, headers: Style.responseHeaders), in: single
    )
    let entries = (0..<count).map { number in
      HTTPArchive.Entry(
        request: Site.request("/items/\(number)?page=7&sort=name"),
        response: .init(headers: .init(headers), body: Requester.stubKitBody))
    }
    let replayed = StubRegistry()
    replay(HTTPArchive(entries: entries), in: replayed)
    let blocks = try await Blocks(
      [.stubKit(single, name: "one stub"), .stubKit(replayed, name: "replayed")], effort,
      rounds: effort.requestsPerBlock
    ) { try await $0.perform(request) }
    report.add(.replay, "a request", blocks, stubs: count)
    report.measured("replay-over-one-stub", blocks.ratio("replayed", over: "one stub"))
  }
}
