import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A URL as a condition", .inTurn)
struct URLConditionTests {
  @Test("prints as it was written")
  func printed() {
    #expect(isURL("https://A.com:443/b/?c").description == #"isURL("https://A.com:443/b/?c")"#)
    #expect(isUnder("https://A.com/b/").description == #"isUnder("https://A.com/b/")"#)
    #expect(isURL(URL(string: "https://a.com")!).description == #"isURL("https://a.com")"#)
    #expect(
      urlMatches("^https:", options: .caseInsensitive).description
        == #"urlMatches("^https:", options: .caseInsensitive)"#)
    #expect(queryMatches("page", "^[0-9]+$").description == #"queryMatches("page", "^[0-9]+$")"#)
  }

  @Test("as a pattern is searched in the absolute URL, and captures")
  func pattern() {
    let bucket = urlMatches("^https://(?<bucket>[a-z]+)[.]s3[.].*[?]list-type=(?<type>.)#top$")
    #expect(
      bucket.captures(request("https://films.s3.example/a%20b?list-type=2#top")) == ["bucket": "films", "type": "2"])
    #expect(!bucket.matches(request("https://FILMS.s3.example/?list-type=2#top")))
  }

  @Test("of a query item, as a pattern, looks at each value of the name")
  func queryPattern() {
    for (query, year) in [
      ("?since=2024-01-31", "2024"), ("?since=x&since=2025-12-01&since=2026-01-01", "2025"),
      ("?%73ince=2024%2D01-31", "2024"), ("?since", nil), ("?since=24-01-31", nil), ("?Since=2024-01-31", nil),
      ("?until=2024-01-31", nil), ("", nil),
    ] {
      let matcher = queryMatches("since", "^(?<year>[0-9]{4})-[0-9]{2}-[0-9]{2}$")
      #expect(matcher.captures(request("https://a.com/\(query)")) == year.map { ["year": $0] }, "\(query)")
    }
  }
}
