import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A stub", .inTurn)
struct StubTests {
  private let registry = StubRegistry()

  private func makeStub(times: Int? = nil, name: String? = nil) -> Stub {
    stub(condition: isHost("a.example"), response: .empty(), name: name, times: times, in: registry)
  }

  @Test("knows where it was written")
  func location() {
    let line = #line + 1
    let stub = stub(condition: .anything, response: .empty(), in: registry)
    #expect(stub.location.line == line)
    #expect(stub.location.fileID == "StubKitTests/StubTests.swift")
    #expect(stub.location.filePath.hasSuffix("Tests/StubKitTests/Registry/StubTests.swift"))
    #expect(stub.location.column > 1)
    #expect("\(stub.location)" == "StubKitTests/StubTests.swift:\(line)")
  }

  @Test("is described by its name, else by its condition, and its place")
  func description() {
    #expect(makeStub(name: "users").description.hasPrefix("\"users\" (StubKitTests/StubTests.swift:"))
    #expect(makeStub().description.hasPrefix("isHost(\"a.example\") (StubKitTests/StubTests.swift:"))
  }

  @Test("can be renamed")
  func name() {
    let stub = makeStub(name: "old")
    stub.name = "new"
    #expect(stub.name == "new")
    stub.name = nil
    #expect(stub.name == nil)
  }

  @Test("is removed once")
  func removal() {
    let stub = makeStub()
    #expect(stub.isActive)
    #expect(stub.remove())
    #expect(!stub.remove())
    #expect(!stub.isActive)
    #expect(registry.stubs.isEmpty)
  }

  @Test("is inactive when its uses are spent, and stays listed")
  func usedUp() {
    let stub = makeStub(times: 2)
    #expect([stub.claim(), stub.claim(), stub.claim()] == [1, 2, nil])
    #expect(!stub.isActive)
    #expect(stub.callCount == 2)
    #expect(stub.usage == "2 of 2 uses")
    #expect(registry.stubs.count == 1)
  }

  @Test("gives each of its uses once, whoever asks at once")
  func contention() async {
    let stub = makeStub(times: 1_000)
    let claimed = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<16 { group.addTask { (0..<100).compactMap { _ in stub.claim() } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claimed.sorted() == Array(1...1_000))
  }

  @Test("does not keep its registry alive, and survives it")
  func registryGone() {
    var registry: StubRegistry? = StubRegistry()
    weak var watched: StubRegistry?
    watched = registry
    let stub = stub(condition: .anything, response: .empty(), in: registry!)
    registry = nil
    #expect(watched == nil)
    #expect(!stub.isActive)
    #expect(!stub.remove())
    #expect(stub.requests.isEmpty)
  }
}

@Suite("A sequence's end", .inTurn)
struct SequenceEndTests {
  @Test(
    "says which response a call gets",
    arguments: [
      (SequenceEnd.repeatLast, [0, 1, 2, 2, 2, 2, 2]), (.startOver, [0, 1, 2, 0, 1, 2, 0]),
      (.stopMatching, [0, 1, 2]),
    ])
  func index(end: SequenceEnd, expected: [Int]) {
    #expect(expected.indices.map { end.index(ofCall: $0 + 1, in: 3) } == expected)
  }

  @Test("stops matching after the last response, or earlier if times: says so", arguments: [(nil, 2), (1, 1), (9, 2)])
  func limit(times: Int?, expected: Int) {
    let stub = stub(
      condition: .anything, responses: [.text("1"), .text("2")], afterLast: .stopMatching, times: times,
      in: StubRegistry())
    #expect((0..<5).compactMap { _ in stub.claim() }.count == expected)
  }

  @Test("is compared and printed by value")
  func value() {
    #expect(SequenceEnd.startOver != .repeatLast)
    #expect("\(SequenceEnd.stopMatching)" == "stopMatching")
  }
}
