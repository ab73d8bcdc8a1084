import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A group of stubs", .inTurn)
struct StubGroupTests {
  private struct Refusal: Error {}

  @Test("asks for its condition and each stub's own, and prints so")
  func conditions() async throws {
    try await withStubs {
      let api = stubs(on: isHost("api.example")) {
        stub(condition: isPath("/users"), response: .text("users"))
        stub(condition: isPath("/songs") || isPath("/albums")) { request in .text(request.url!.lastPathComponent) }
      }
      #expect(
        api.stubs.map(\.condition.description) == [
          #"isHost("api.example") && isPath("/users")"#,
          #"isHost("api.example") && (isPath("/songs") || isPath("/albums"))"#,
        ])
      let text = try await URLSession.shared.fetch("http://api.example/albums").text
      #expect(text == "albums" && api.callCount == 1)
      #expect("\(api)" == #"isHost("api.example"): 2 stubs"#)
      let error = await URLSession.shared.failure(of: "http://other.example/users")
      #expect(error != nil)
    }
  }

  @Test("lies in another one, from the outside in")
  func nested() {
    let registry = StubRegistry()
    let outer = stubs(on: isHost("a"), in: registry) {
      stub(condition: isPath("/1"), response: .empty())
      let inner = stubs(on: isMethodGET()) { stub(condition: isPath("/2"), response: .empty()) }
      #expect(inner.condition.description == #"isHost("a") && isMethodGET()"#)
      stub(condition: isPath("/3"), response: .empty())
    }
    #expect(
      registry.stubs.map(\.condition.description) == [
        #"isHost("a") && isPath("/1")"#, #"isHost("a") && isMethodGET() && isPath("/2")"#,
        #"isHost("a") && isPath("/3")"#,
      ])
    #expect(outer.stubs.map(\.id) == registry.stubs.map(\.id))
    #expect(StubGroup.current == nil)
  }

  @Test("is removed as one, and once")
  func removal() {
    let registry = StubRegistry()
    let lasting = stub(condition: .anything, response: .empty(), in: registry)
    let group = stubs(on: isHost("a"), in: registry) {
      for number in 0..<3 { stub(condition: isPath("/\(number)"), response: .empty()) }
    }
    #expect(registry.stubs.count == 4)
    group.remove()
    group.remove()
    #expect(registry.stubs.map(\.id) == [lasting.id] && group.stubs.count == 3)
  }

  @Test("holds the stubs of every registry that is named in it")
  func registries() {
    let (mine, other) = (StubRegistry(), StubRegistry())
    let group = stubs(on: isHost("a"), in: mine) {
      stub(condition: isPath("/1"), response: .empty())
      stub(condition: isPath("/2"), response: .empty(), in: other)
    }
    #expect(mine.stubs.count == 1 && other.stubs.count == 1 && group.stubs.count == 2)
    #expect(other.stubs[0].condition.description == #"isHost("a") && isPath("/2")"#)
  }

  @Test("whose closure throws leaves nothing behind")
  func failure() {
    let registry = StubRegistry()
    #expect(throws: Refusal.self) {
      try stubs(on: isHost("a"), in: registry) {
        stub(condition: isPath("/1"), response: .empty())
        throw Refusal()
      }
    }
    #expect(registry.stubs.isEmpty)
  }
}
