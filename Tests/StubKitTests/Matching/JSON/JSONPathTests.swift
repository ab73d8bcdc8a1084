import StubKit
import TestSupport
import Testing

@Suite("A place in a JSON value", .inTurn)
struct JSONPathTests {
  static let body = #"{"a":{"b":[{"c":1},null]},"d.e":2,"":3,"m~n/o":4,"0":5,"l":[[6]],"n":null,"x]":7}"#

  @Test("is found by dots and brackets, or as a JSON Pointer")
  func found() {
    for (path, expected) in [
      ("a.b[0].c", 1), ("[\"d.e\"]", 2), ("['d.e']", 2), ("a['b'][0][\"c\"]", 1), ("l[0][0]", 6), ("0", 5), ("n", nil),
      ("a.b[1]", nil), ("a.b.0.c", 1), ("l.0[0]", 6),
      ("[\"x]\"]", 7), ("/a/b/0/c", 1), ("/d.e", 2), ("/", 3), ("/m~0n~1o", 4), ("/0", 5), ("/l/0/0", 6), ("/n", nil),
    ] as [(String, JSONValue)] {
      #expect(hasJSON(at: path, equals: expected).matches(post(Self.body)), "\(path)")
      #expect(!hasJSON(at: path, equals: "other").matches(post(Self.body)), "\(path)")
    }
  }

  @Test("what is not there is not null")
  func missing() {
    for path in [
      "a.x", "a.b[2]", "a.b.c", "a[0]", "n.x", "l.1", "l.00", "/a/b/00/c", "/a/b/-", "/a/x", "/n/x", "/l/+0", "missing",
    ] {
      #expect(!hasJSON(at: path, equals: nil).matches(post(Self.body)), "\(path)")
    }
  }

  @Test("the empty path is the whole body")
  func root() {
    #expect(hasJSON(at: "", equals: [1]).matches(post("[1]")))
    #expect(hasJSON(at: "[0]", equals: 1).matches(post("[1]")))
  }

  @Test("is a mistake where there is no path")
  func mistakes() {
    for path in ["a..b", "a.", ".a", "a[", "a]", "a[x]", "a[0]b", "a[\"b]", "/a~2", "/a~~10", "a.\u{301}b["] {
      #expect(hasJSON(at: path, equals: 1).mistake != nil, "\(path)")
    }
  }
}
