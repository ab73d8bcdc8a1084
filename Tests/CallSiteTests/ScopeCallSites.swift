import Foundation
import StubKitTesting
import XCTest

@MainActor func mainActorTest() async throws {
  var seen = 0
  let name = "n"
  stub(condition: isHost("x")) { _ in .text(name) }
  try await withStubs {
    stub(condition: isHost("x")) { _ in .json(["id": 42]) }
    _ = try await URLSession.shared.data(from: URL(string: "http://x/")!)
    seen += 1
  }
  let v = await withStubs { () async -> Int in
    stub(condition: isHost("x"), response: .empty())
    return await Task { 1 }.value
  }
  let r = StubRegistry()
  await withStubs(registry: r) { await Task.yield() }
  withStubs {
    stub(condition: isHost("x"), response: .empty()); seen += 1
  }
  _ = (seen, v)
}

func scopesInAsync() async throws {
  withStubs {
    stub(condition: isHost("x"), response: .empty()); return
  }
  let x = withStubs { 1 }
  let y = await withStubs {
    await Task.yield(); return 1
  }
  let z = try await withStubs { try await URLSession.shared.data(from: URL(string: "http://x/")!).0 }
  await withStubs {
    let outer = StubRegistry.current
    await withStubs(registry: outer) { await Task.yield() }
    await withTaskGroup(of: Void.self) { group in for _ in 0..<3 { group.addTask { _ = StubRegistry.current } } }
  }
  _ = (x, y, z)
}

nonisolated final class OldTests: XCTestCase {
  var session: URLSession!
  let base = "base"
  override func setUp() {
    super.setUp()
    stub(condition: isHost("x")) { _ in .json(["id": 42]) }
  }
  override func tearDown() {
    HTTPStubs.removeAllStubs()
    super.tearDown()
  }
  func inSyncTest() throws {
    stub(condition: isHost("x"), response: .json(["id": 42]))
    let base = base
    stub(condition: isHost("y")) { _ in .text(base) }
    _ = fixture(filePath: "x", headers: nil)
  }
}

nonisolated final class ModelTests: XCTestCase {
  @MainActor func inModelTest() async throws { try await withStubs { try await load() } }
  @MainActor func load() async throws {}
}
