import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A search while other threads add and remove stubs", .inTurn, .serialized)
struct ChangingStubsTests {
  /// What a stub is found by.
  enum Kind: CaseIterable {
    case path, template, folder, beginning, query, header, json, form, closure

    func condition(_ number: Int) -> RequestMatcher {
      let host = isHost("a.com")
      return switch self {
      case .path: host && isPath("/users/\(number)")
      case .template: host && isPath(template: "/users/\(number)/{rest}")
      case .folder: host && pathStartsWith("/users/\(number)/")
      case .beginning: pathStartsWith("/users/u\(number)-")
      case .query: host && containsQuery("n", "\(number)")
      case .header: hasHeader("X-N", "\(number)")
      case .json: host && hasJSON(at: "user.n", equals: StubJSON(number))
      case .form: hasFormBody(containing: ["n": "\(number)"])
      case .closure: .matching("is \(number)") { $0.url?.path == "/users/\(number)" }
      }
    }

    func request(_ number: Int) -> URLRequest {
      switch self {
      case .path, .closure: TestSupport.request("http://a.com/users/\(number)")
      case .template, .folder: TestSupport.request("http://a.com/users/\(number)/x")
      case .beginning: TestSupport.request("http://a.com/users/u\(number)-x")
      case .query: TestSupport.request("http://a.com/users?n=\(number)")
      case .header: TestSupport.request("http://a.com/", headers: ["X-N": "\(number)"])
      case .json: post(#"{"user": {"n": \#(number)}}"#, contentType: "application/json")
      case .form: post("a=b&n=\(number)", contentType: "application/x-www-form-urlencoded")
      }
    }
  }

  @Test("finds a stub that stays each time, and none that doesn't match", arguments: Kind.allCases)
  func lasting(kind: Kind) async throws {
    let registry = StubRegistry()
    let lasting = stub(condition: kind.condition(0), response: .status(204), in: registry)
    let isOver = Locked(false)
    let faults = Locked<[String]>([])
    try await untilResumed { done in
      let left = Locked(3)
      for thread in 0..<3 {
        Thread {
          if thread == 0 {
            for round in 0..<2_000 {
              if registry.search(for: kind.request(0)) !== lasting { faults.withLock { $0.append("lost \(round)") } }
              // The others are there for a moment.
              let number = 1 + round % 20
              if let found = registry.search(for: kind.request(number)),
                found.condition.description != kind.condition(number).description
              {
                faults.withLock { $0.append("\(found) for \(number)") }
              }
            }
            isOver.withLock { $0 = true }
          } else {
            change(kind, registry, until: isOver)
          }
          if left.adding(-1) == 0 { done.resume() }
        }.start()
      }
    }
    #expect(faults.withLock(\.self) == [])
    #expect(registry.stubs.map(\.id) == [lasting.id])
    #expect(registry.withIndex { $0.parts }.count == (kind == .header || kind == .json || kind == .form ? 1 : 0))
  }

  /// Keeps up to ten stubs, and uses some of them up.
  private func change(_ kind: Kind, _ registry: StubRegistry, until isOver: Locked<Bool>) {
    var stubs: [Stub] = []
    var round = 0
    while !isOver.withLock(\.self) {
      round += 1
      let times = round.isMultiple(of: 3) ? 1 : nil
      stubs.append(
        stub(condition: kind.condition(1 + round % 20), response: .status(204), times: times, in: registry))
      if times != nil { _ = stubs.last?.claim() }
      if stubs.count > 10 { stubs.remove(at: round % 10).remove() }
    }
    for stub in stubs { stub.remove() }
  }
}
