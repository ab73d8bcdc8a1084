import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The comparison of bytes says what the general way says", .inTurn)
struct PlainConditionTests {
  /// What bytes decide, or `nil` if they don't.
  private func plainVerdict(_ condition: RequestMatcher, _ request: URLRequest) -> Bool? {
    let owner = PlainCondition(condition)
    guard let plain = owner.reference, var text = request.url?.absoluteString else { return nil }
    let method = request.httpMethod.map { PlainMethod($0) } ?? .get
    return text.withUTF8 { url in
      guard let head = PlainHead(url: url, method: { method }) else { return nil }
      return withExtendedLifetime(owner) { plain.matches(head) }
    }
  }

  /// What a search in a registry with one stub finds, and what is captured.
  private func found(_ condition: RequestMatcher, _ request: URLRequest, keyMask: UInt64) -> [String: String]? {
    let registry = StubRegistry(isEnabled: true, indexLimits: StubIndex.Limits(keyMask: keyMask))
    stub(condition: condition, response: .empty(), in: registry)
    var search = StubSearch(registry, request)
    guard case .found(_, let captures) = search.next(closures: .run) else { return nil }
    return captures.dictionary
  }

  /// `STUBKIT_EQUIVALENCE_SEED` repeats a run, and `STUBKIT_EQUIVALENCE_CASES` says how long it is.
  @Test("for random URLs and conditions")
  func random() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["STUBKIT_EQUIVALENCE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999_999)
    let wanted = environment["STUBKIT_EQUIVALENCE_CASES"].flatMap(Int.init) ?? 10_000
    var cases = PlainCases(seed: seed)
    var decided: [PlainCases.Kind: (matches: Int, mismatches: Int)] = [:]
    for _ in 0..<wanted / 80 {
      let request = cases.request()
      for _ in 0..<8 {
        let (condition, kinds) = cases.condition()
        let plain = plainVerdict(condition, request)
        try check(condition, request, plain, "seed \(seed): \(condition), \(request.httpMethod ?? "") \(request)")
        guard let plain else { continue }
        for kind in kinds {
          decided[kind, default: (0, 0)].matches += plain ? 1 : 0
          decided[kind, default: (0, 0)].mismatches += plain ? 0 : 1
        }
      }
    }
    guard wanted >= 200_000 else { return }
    for kind in PlainCases.Kind.allCases {
      let (matches, mismatches) = decided[kind] ?? (0, 0)
      #expect(matches >= 10, "\(kind)")
      #expect(mismatches >= 10, "\(kind)")
    }
  }

  @Test(
    "for names and values that look like something else",
    arguments: [
      (containsQuery(["a=1": nil]), "a=1"), (containsQuery(["a=1": nil]), "a%3D1"),
      (containsQuery(["a=1": "2"]), "a=1=2"),
      (containsQuery(["a": "1=2"]), "a=1=2"), (containsQuery(["a": nil]), "a="), (containsQuery(["a": ""]), "a"),
      (containsQuery("a=1"), "a=1"), (hasExactQuery(["a=1": nil]), "a=1"), (lacksQuery("a=1"), "a=1"),
    ])
  func lookalikes(condition: RequestMatcher, query: String) throws {
    let request = URLRequest(url: URL(string: "http://a.com/?\(query)")!)
    try check(condition, request, plainVerdict(condition, request), "\(condition), \(query)")
  }

  /// - Parameter plain: What bytes decide, or `nil`.
  private func check(
    _ condition: RequestMatcher, _ request: URLRequest, _ plain: Bool?, _ comment: Comment
  ) throws {
    let general = condition.captures(request)
    if let plain { try #require(plain == (general != nil), comment) }
    for keyMask in [.max, 0] as [UInt64] {
      try #require(found(condition, request, keyMask: keyMask) == general, comment)
    }
  }
}
