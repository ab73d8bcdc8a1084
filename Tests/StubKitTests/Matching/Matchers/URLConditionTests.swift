import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A URL as a condition", .inTurn)
struct URLConditionTests {
  @Test("compares scheme, host, port and path as their own matchers do, and leaves a query that it does not name alone")
  func parts() {
    for (url, expected) in [
      ("https://api.a.com/v1/users", true), ("HTTPS://API.a.com/v1/users/", true),
      ("https://api.a.com:443/v1/users", true), ("https://api.a.com/v1/%75sers", true),
      ("https://ann:pw@api.a.com/v1/users", true), ("https://api.a.com/v1/users?page=2#top", true),
      ("http://api.a.com/v1/users", false), ("http://api.a.com:443/v1/users", false),
      ("https://api.a.com:8443/v1/users", false), ("https://www.a.com/v1/users", false),
      ("https://api.a.com/v1/users/42", false), ("https://api.a.com/v1", false), ("/v1/users", false),
    ] {
      #expect(isURL("https://api.a.com/v1/users").matches(request(url)) == expected, "\(url)")
      #expect(isURL(URL(string: "https://API.a.com:443/v1/users/#top")!).matches(request(url)) == expected, "\(url)")
    }
  }

  @Test("compares its query item by item, in any order, each as often")
  func query() {
    for (query, expected) in [
      ("?a=1&b&a=1", true), ("?b&a=1&a=%31", true), ("?a=1&b", false), ("?a=1&b&a=1&a=1", false),
      ("?a=1&b=&a=1", false), ("?a=1&b&a=1&c", false), ("", false),
    ] {
      #expect(isURL("https://a.com/?a=1&a=1&b").matches(request("https://a.com/\(query)")) == expected, "\(query)")
    }
  }

  @Test("with an empty query wants none")
  func emptyQuery() {
    for (query, expected) in [("", true), ("?", true), ("?a", false)] {
      #expect(isURL("https://a.com?").matches(request("https://a.com/\(query)")) == expected, "\(query)")
    }
  }

  @Test("may be written in any form of the same URL")
  func forms() {
    for (written, url) in [
      ("https://a.com", "https://a.com/"), ("https://a.com/", "https://a.com"),
      ("https://bücher.example/é b", "https://xn--bcher-kva.example/e%CC%81%20b"),
      ("http://[::1]:8080/a", "http://[::1]:8080/a/"), ("app+x://host/a", "APP+X://HOST/a"),
    ] {
      #expect(isURL(written).matches(request(url)), "\(written)")
      #expect(isUnder(written).matches(request(url)), "\(written)")
    }
  }

  @Test("as a base takes every path below it, segment by segment")
  func base() {
    for (url, expected) in [
      ("https://api.a.com/v1", true), ("https://api.a.com/v1/", true), ("https://api.a.com/v1/users?page=2", true),
      ("https://api.a.com:443/v1//users", true), ("https://api.a.com/v10", false), ("https://api.a.com/v", false),
      ("https://api.a.com/", false), ("https://api.a.com/V1/users", false), ("http://api.a.com/v1/users", false),
      ("https://a.com/v1/users", false), ("https://api.a.com:80/v1/users", false),
    ] {
      #expect(isUnder("https://api.a.com/v1").matches(request(url)) == expected, "\(url)")
      #expect(isUnder("https://api.a.com/v1/").matches(request(url)) == expected, "\(url)")
      #expect(isUnder(URL(string: "https://API.a.com/v1")!).matches(request(url)) == expected, "\(url)")
    }
  }

  @Test("as a base is compared in every canonical form")
  func canonicalBase() {
    for (base, url, expected) in [
      ("https://a.com/caf\u{E9}", "https://a.com/cafe%CC%81/x", true),
      ("https://a.com/cafe\u{301}", "https://a.com/caf%C3%A9", true),
      ("https://a.com/cafe", "https://a.com/cafe%CC%81", false),
      ("https://a.com/cafe", "https://a.com/cafe/%CC%81", true),
      ("https://a.com", "https://a.com/%CC%81", true),
    ] {
      #expect(isUnder(base).matches(request(url)) == expected, "\(base)")
    }
  }

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

  @Test("matches no request without a URL")
  func noURL() {
    var request = URLRequest(url: URL(string: "http://a")!)
    request.url = nil
    for matcher in [isURL("http://a"), isUnder("http://a"), urlMatches(".*"), queryMatches("a", ".*")] {
      #expect(!matcher.matches(request), "\(matcher)")
    }
  }

  @Test("as a pattern is searched in the absolute URL, and captures")
  func pattern() {
    let bucket = urlMatches("^https://(?<bucket>[a-z]+)[.]s3[.].*[?]list-type=(?<type>.)#top$")
    #expect(
      bucket.captures(request("https://films.s3.example/a%20b?list-type=2#top")) == ["bucket": "films", "type": "2"])
    #expect(!bucket.matches(request("https://FILMS.s3.example/?list-type=2#top")))
    #expect(urlMatches("S3", options: .caseInsensitive).matches(request("https://films.s3.example/")))
    #expect(urlMatches("a%20b").matches(request("https://a.com/a%20b")))
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

  @Test("of a query item takes an empty value, and options")
  func queryPatternOptions() {
    #expect(queryMatches("a", "^$").matches(request("https://a.com/?a=")))
    #expect(queryMatches("a", "^B", options: .caseInsensitive).matches(request("https://a.com/?a=bc")))
  }
}
