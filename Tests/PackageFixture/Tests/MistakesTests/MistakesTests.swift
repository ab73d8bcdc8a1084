import Foundation
import StubKit
import Testing

/// `.ci/run` runs these in debug and in release: with optimisation a precondition keeps its sentence to itself.
@Suite("A mistake in a test's own text")
struct MistakesTests {
  @Test("traps with a sentence that says what to write", arguments: Mistake.allCases)
  func sentence(mistake: Mistake) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
      try await mistake.make()
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("Fatal error: ") && said.contains(mistake.sentence), "\(said)")
  }
}
