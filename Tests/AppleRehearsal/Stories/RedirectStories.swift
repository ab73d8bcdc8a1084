import Foundation
import StubKit
import Testing

#if canImport(URLLoading)
  import URLLoading
#endif

@Suite("A redirect on Apple platforms", .timeLimit(.minutes(1)))
struct RedirectStories {
  private func run(_ watcher: Watcher, _ url: String) async {
    let session = URLSession(configuration: .ephemeral, delegate: watcher, delegateQueue: nil)
    await watcher.run(session.dataTask(with: URL(string: url)!))
    session.finishTasksAndInvalidate()
  }

  @Test("is followed from stub to stub, and both are in the journal")
  func followed() async throws {
    let watcher = Watcher()
    let registry = StubRegistry()
    await withStubs(registry: registry) {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      stub(condition: isPath("/to"), response: .text("there"))
      await run(watcher, "http://a.example/from")
    }
    #expect(watcher.events == ["redirect /to", "head 200", "data", "end"] && watcher.text == "there")
    #expect(registry.journal.entries.map(\.outcome) == [.answered(status: 302), .answered(status: 200)])
  }

  @Test("that is refused is the answer, with its body")
  func refused() async throws {
    let watcher = Watcher(redirect: { _ in nil })
    let registry = StubRegistry()
    await withStubs(registry: registry) {
      stub(condition: isPath("/from"), response: .text("moved", status: 302, headers: ["Location": "/to"]))
      await run(watcher, "http://a.example/from")
    }
    #expect(watcher.events == ["redirect /to", "head 302", "data", "end"] && watcher.text == "moved")
    #expect(registry.journal.entries.map(\.outcome) == [.answered(status: 302)])
  }

  @Test("goes where the delegate says")
  func changed() async throws {
    let watcher = Watcher(redirect: { _ in URLRequest(url: URL(string: "http://b.example/else")!) })
    await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to"))
      stub(condition: isHost("b.example"), response: .text("elsewhere"))
      await run(watcher, "http://a.example/from")
    }
    #expect(watcher.text == "elsewhere")
  }

  @Test("is followed twenty times, and not more", arguments: [20, 25])
  func chain(length: Int) async throws {
    let watcher = Watcher()
    await withStubs {
      stub(condition: isPath(template: "/{n}")) { _, match in
        let number = match["n"].flatMap { Int($0) } ?? 0
        return number < length ? .redirect(to: "/\(number + 1)") : .text("the end")
      }
      await run(watcher, "http://a.example/0")
    }
    #expect(
      watcher.text == (length == 20 ? "the end" : "") && watcher.code == (length == 20 ? nil : .httpTooManyRedirects))
  }

  @TaskLocal static var requester = "nobody"

  @Test("leads to a closure that sees the requester's task-locals")
  func closures() async throws {
    let answer = try await Self.$requester.withValue("me") {
      try await withStubs {
        stub(condition: isPath("/from")) { _ in .redirect(to: "/to") }
        stub(condition: isPath("/to")) { _ in .text(Self.requester) }
        return try await text("http://a.example/from")
      }
    }
    #expect(answer == "me")
  }

  @Test("leads to the real network where that is let through, and is asked about")
  func toTheNetwork() async throws {
    let server = try Server()
    let watcher = Watcher()
    let target = server.url("/there").absoluteString
    await withStubs {
      HTTPStubs.unmatched = .passThrough
      stub(condition: isPath("/from"), response: .redirect(to: target))
      await run(watcher, "http://a.example/from")
    }
    #expect(watcher.events == ["redirect /there", "head 200", "data", "end"] && watcher.text == "real")
    #expect(server.lines == ["GET /there"])
    server.stop()
  }
}
