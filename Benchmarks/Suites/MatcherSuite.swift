import Foundation
import StubKit

/// The cost of each criterion by itself, in `RequestMatcher.matches`. It includes reading the request.
extension Run {
  func measureMatchers() {
    var contenders: [Contender] = [.extract(stubs: 1, requests: [MatcherSamples.get])]
    for (request, matchers) in MatcherSamples.all {
      contenders += matchers.map { matcher in Self.contender(matcher, request) }
    }
    report.add(.matchers, "matches", Comparison(contenders, effort: effort))
  }

  private static func contender(_ matcher: RequestMatcher, _ request: URLRequest) -> Contender {
    Contender(name: matcher.description, stubs: 1) { count in
      var found = 0
      for _ in 0..<count where matcher.matches(request) { found += 1 }
      return found
    }
  }
}
