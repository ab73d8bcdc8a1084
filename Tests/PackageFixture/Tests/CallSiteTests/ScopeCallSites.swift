import Foundation
import StubKitTesting
import XCTest

@MainActor func mainActorTest() async throws {
  var seen = 0
  let name = "n"
  stub(condition: isHost("x")) { _ in .text(name) }
  try await withStubs {
    stub(condition: isHost("x")) { _ in .json(["id": 42]) }
    seen += try await URLSession.shared.data(from: URL(string: "http://x/")!).0.count
  }
  let v = await withStubs { () async -> Int in await Task { 1 }.value }
  withStubs { seen += 1 }
  _ = (seen, v)
}

func scopesInAsync() async throws {
  let x = withStubs { 1 }
  await withStubs {
    let outer = StubRegistry.current
    await withStubs(in: outer) { await Task.yield() }
    await withTaskGroup(of: Void.self) { group in for _ in 0..<3 { group.addTask { _ = StubRegistry.current } } }
  }
  _ = x
}

nonisolated final class OldTests: XCTestCase {
  let base = "base"
  override func setUp() { stub(condition: isHost("x")) { _ in .json(["id": 42]) } }
  override func tearDown() { HTTPStubs.removeAllStubs() }
  func inSyncTest() throws {
    let base = base
    stub(condition: isHost("y")) { _ in .text(base) }
    _ = StubResponse.file("x")
  }
  @MainActor func inModelTest() async throws { try await withStubs { try await load() } }
  @MainActor func load() async throws {}
}
