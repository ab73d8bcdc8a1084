import Foundation
import TestSupport
import Testing

@testable import StubKitTesting

@Suite("The cases of a strict test", .inTurn)
struct CasesOfTestTests {
  @Test("have one issue for each stub, with the values that all of them sent", arguments: ["once"])
  func cases(_: String) async throws {
    let test = try #require(Test.current)
    let trait = StubbedTrait.stubbed(strict: true)
    let provider = try #require(trait.scopeProvider(for: test, testCase: nil))
    let issues = await takingIssues {
      try await provider.provideScope(for: test, testCase: nil) {
        for number in 1...4 {
          try await trait.provideScope(for: test, testCase: nil) {
            stubAtLine(1, isMethod(.get) && isPath("/films/\(number)"))
            stubAtLine(2, isMethod(.get) && isPath("/actors"))
            _ = try await fetch("http://a.example/films/\(number)?page=\(number)&per_page=20")
            _ = try await fetch("http://a.example/actors?lang=de")
          }
        }
      }
    }.issues
    let texts = issues.map(\.text)
    #expect(issues.map { $0.sourceLocation?.line } == [1, 2], "\(texts)")
    #expect(texts.first?.contains("its query items page (1, 2, 3, 4), per_page (20).") == true, "\(texts)")
    #expect(texts.last?.contains("Write ?lang=de in its URL, or containsQuery(\"lang\")") == true, "\(texts)")
  }

  @Test("need no scope around them if the test has no arguments")
  func single() throws {
    #expect(try StubbedTrait.stubbed.scopeProvider(for: #require(Test.current), testCase: nil)?.isRecursive == nil)
  }
}
