import Foundation
import StubKitRecorder

extension ArchiveSuite {
  /// Measures one request again and again. An archive of 10,000 entries answers it, and in turn a single handwritten
  /// stub.
  func measureReplaying() async throws {
    Terminal.progress("archives: replaying")
    let count = 10_000
    let request = Site.request("/items/\(count / 2)?page=7&sort=name")
    let single = StubRegistry()
    stub(
      condition: isURL(request.url!), response: .data(Requester.stubKitBody, headers: Style.responseHeaders), in: single
    )
    let replayed = StubRegistry()
    replay(HTTPArchive(entries: (0..<count).map(entry)), in: replayed)
    let blocks = try await RequestSuite(effort: effort, report: report).blocks(
      [.stubKit(single, name: "one stub"), .stubKit(replayed, name: "replayed")], rounds: effort.requestsPerBlock,
      requestsAtOnce: 1
    ) { try await $0.perform(request) }
    for (index, name) in blocks.names.enumerated() {
      report.add(
        Suite.archives.rawValue, "a request", name, stubs: index == 0 ? 1 : count, unit: "µs",
        blocks.samples(index).map { $0 / 1_000 })
    }
    report.add(
      Suite.archives.rawValue, "a request, over one stub", "replayed", stubs: count, unit: "×",
      blocks.ratios("replayed", over: "one stub"))
    report.measured("replay-over-one-stub", blocks.ratio("replayed", over: "one stub"))
  }

  private func entry(_ number: Int) -> HTTPArchive.Entry {
    let headers = Style.responseHeaders.map { (name: $0.key, value: $0.value) }
    return HTTPArchive.Entry(
      request: Site.request("/items/\(number)?page=7&sort=name"),
      response: .init(headers: .init(headers), body: Requester.stubKitBody))
  }
}
