import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Each in a process of its own, as what becomes of such a request depends on all scopes that are open.
@Suite("A request in a handler that comes after the end of its scope", .inTurn)
struct LateRequestTests {
  #if compiler(>=6.2)
    @Test("fails, however often its handler tries again, whoever made the first request")
    func nothing() async {
      await #expect(processExitsWith: .success) {
        let table = try LateAttributionTable()
        try await table.check(.nothing)
        try await table.check(.otherScope)
      }
    }

    @Test("goes to the global registry only if the scope was inferred")
    func globalInUse() async {
      await #expect(processExitsWith: .success) { try await LateAttributionTable().check(.globalInUse) }
    }

    @Test("fails also if code outside of scopes may use the network")
    func switchedOff() async {
      await #expect(processExitsWith: .success) { try await LateAttributionTable().check(.switchedOff) }
    }

    @Test("belongs to the scope around an inferred one as long as that is open")
    func enclosing() async {
      await #expect(processExitsWith: .success) {
        RunningTest.use(nil)
        let isInnerOver = DispatchGroup()
        isInnerOver.enter()
        let session = LateAttributionTable.plainSession()
        let outcomes = Locked<[String]>([])
        @Sendable func ask(_ number: Int) {
          URLSession.shared.dataTask(with: url("http://a.example/next")) { data, _, error in
            outcomes.withLock { $0.append(LateAttributionTable.outcome(data, error)) }
            if number < 3 { ask(number + 1) }
          }.resume()
        }
        try await withStubs(registry: LateAttributionTable.registry("outer")) {
          await withStubs(registry: LateAttributionTable.registry("inner")) {
            await LateAttributionTable.onPlainQueue {
              session.dataTask(with: url("http://a.example/held")) { _, _, _ in
                LateAttributionTable.proceed(after: isInnerOver) { ask(1) }
              }.resume()
            }
          }
          isInnerOver.leave()
          try await until("the handler has made its requests") { outcomes.withLock { $0.count == 3 } }
        }
        let found = outcomes.withLock { $0 }
        guard found == ["outer", "outer", "outer"] else { throw WrongAnswer(what: "\(found)") }
      }
    }
  #endif
}
