import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A condition says the same of a URL in every spelling", .inTurn)
struct SpellingTests {
  /// What a search in a registry with one stub finds, and what is captured.
  private func found(
    _ condition: RequestMatcher, _ request: URLRequest, keyMask: UInt64, _ comment: Comment
  ) throws -> [String: String]? {
    let registry = StubRegistry(isEnabled: true, indexLimits: StubIndex.Limits(keyMask: keyMask))
    let only = stub(condition: condition, response: .empty(), in: registry)
    var search = StubSearch(request)
    // Without captures, bytes decide more.
    let isFound = registry.stub(matching: request) === only
    try #require(isFound == condition.matches(request), comment)
    guard case .found(_, let captures) = search.next(in: registry) else { return nil }
    return captures.dictionary
  }

  /// `STUBKIT_EQUIVALENCE_SEED` repeats a run, and `STUBKIT_EQUIVALENCE_CASES` says how long it is.
  @Test("for random URLs and conditions")
  func random() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["STUBKIT_EQUIVALENCE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999_999)
    let wanted = environment["STUBKIT_EQUIVALENCE_CASES"].flatMap(Int.init) ?? 10_000
    var cases = URLCases(seed: seed)
    var decided: [URLCases.Kind: (matches: Int, mismatches: Int)] = [:]
    for _ in 0..<wanted / 80 {
      let request = cases.request()
      let spellings = cases.spellings(of: request)
      for _ in 0..<8 {
        let (condition, kinds) = cases.condition()
        // Some texts are percent-encoded.
        if condition.mistake != nil { continue }
        let comment: Comment = "seed \(seed): \(condition), \(request.httpMethod ?? "") \(request) \(spellings)"
        let matches = try check(condition, request, comment)
        for spelling in spellings {
          try #require(condition.captures(spelling) == condition.captures(request), comment)
          try check(condition, spelling, comment)
        }
        for kind in kinds {
          decided[kind, default: (0, 0)].matches += matches ? 1 : 0
          decided[kind, default: (0, 0)].mismatches += matches ? 0 : 1
        }
      }
    }
    guard wanted >= 200_000 else { return }
    for kind in URLCases.Kind.allCases {
      let (matches, mismatches) = decided[kind] ?? (0, 0)
      #expect(matches >= 10, "\(kind)")
      #expect(mismatches >= 10, "\(kind)")
    }
  }

  @Test(
    "with names and values that look like something else",
    arguments: [
      (containsQuery(["a=1": nil]), "a=1", false), (containsQuery(["a=1": nil]), "a%3D1", true),
      (containsQuery(["a=1": "2"]), "a=1=2", false), (containsQuery(["a": "1=2"]), "a=1=2", true),
      (containsQuery(["a": "1=2"]), "a=1%3D2", true), (containsQuery(["a": nil]), "a=", false),
      (containsQuery(["a": ""]), "a", false),
      (hasExactQuery(["a=1": nil]), "a=1", false), (containsQuery(["a&b": "1"]), "a&b=1", false),
      (containsQuery(["a&b": "1"]), "a%26b=1", true),
    ])
  func lookalikes(condition: RequestMatcher, query: String, matches: Bool) throws {
    let request = URLRequest(url: URL(string: "http://a.com/?\(query)")!)
    let isMet = try check(condition, request, "\(condition), \(query)")
    #expect(isMet == matches)
  }

  /// Returns whether the condition matches, as the index says too.
  @discardableResult
  private func check(_ condition: RequestMatcher, _ request: URLRequest, _ comment: Comment) throws -> Bool {
    let captures = condition.captures(request)
    for keyMask in [.max, 0] as [UInt64] {
      let found = try found(condition, request, keyMask: keyMask, comment)
      try #require(found == captures, comment)
    }
    return captures != nil
  }
}
