import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Work that blocks its thread", .inTurn)
struct BlockingWorkTests {
  /// The texts of as many requests made at once.
  private func texts(_ count: Int) async throws -> Set<String> {
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<count {
        group.addTask { try await URLSession.shared.fetch("http://a.example/outer/\(number)").text }
      }
      return try await group.reduce(into: []) { $0.insert($1) }
    }
  }

  @Test("in 100 closures at once keeps none of them waiting")
  func closures() async throws {
    try await withStubs {
      let all = Rendezvous(100)
      stub(condition: .anything) { _ in .text("\(all.arrive())") }
      let texts = try await texts(100)
      #expect(texts == ["true"])
    }
  }

  @Test("in conditions and in what observes keeps none of them waiting")
  func conditions() async throws {
    try await withStubs {
      let (asked, told) = (Rendezvous(40), Rendezvous(40))
      stub(condition: { _ in asked.arrive() }, response: .text("met"))
      StubRegistry.current.onStubActivation { _, _, _ in _ = told.arrive() }
      let texts = try await texts(40)
      #expect(texts == ["met"])
    }
  }

  @Test("in more closures than there are threads leaves the requests alone that they wait for")
  func nested() async throws {
    try await withStubs {
      stub(condition: isPath("/inner"), response: .text("inner"))
      stub(condition: isPath(template: "/outer/{number}")) { _ in
        let (done, text) = (DispatchSemaphore(value: 0), Protected("nothing"))
        URLSession.shared.dataTask(with: url("http://a.example/inner")) { data, _, error in
          text.withLock { $0 = error.map { "\($0)" } ?? String(decoding: data ?? Data(), as: UTF8.self) }
          done.signal()
        }.resume()
        return .text(done.waitForSignal() ? text.withLock { $0 } : "no answer")
      }
      let texts = try await texts(300)
      #expect(texts == ["inner"])
    }
  }

  @Test("in closures on a manual clock keeps none of them waiting")
  func manualClock() async throws {
    try await withStubs {
      StubRegistry.current.clock = ManualClock()
      let all = Rendezvous(60)
      stub(condition: .anything) { _ in .text("\(all.arrive())") }
      let texts = try await texts(60)
      #expect(texts == ["true"])
    }
  }

  @Test("in the streams of 40 bodies keeps none of them waiting")
  func bodies() async throws {
    let all = Rendezvous(40)
    let lengths = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<40 { group.addTask { try await BodyReader.read(MeetingStream(all)).count } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(lengths == [1])
  }
}

extension DispatchSemaphore {
  /// Returns `false` if none came for a long time. Blocks its thread, as code does that was written before `async`.
  fileprivate func waitForSignal() -> Bool { wait(timeout: .now() + 250) == .success }
}

/// A stream of one byte, if its reader meets the readers of all others.
private final class MeetingStream: InputStream {
  private let all: Rendezvous
  private let isRead = Protected(false)

  init(_ all: Rendezvous) {
    self.all = all
    super.init(data: Data())
  }

  override func open() {}
  override func close() {}
  override var streamStatus: Status { .open }
  override var hasBytesAvailable: Bool { !isRead.withLock { $0 } }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
    let wasRead = isRead.withLock { isRead in
      defer { isRead = true }
      return isRead
    }
    guard !wasRead, all.arrive() else { return 0 }
    buffer[0] = 7
    return 1
  }
}
