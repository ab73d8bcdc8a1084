import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A Range field", .inTurn)
struct ByteRangesTests {
  @Test(
    "asks for these parts of ten bytes",
    arguments: [
      ("bytes=0-4", .parts([0..<5])), ("bytes=0-0", .parts([0..<1])), ("bytes=9-9", .parts([9..<10])),
      ("bytes=3-", .parts([3..<10])), ("bytes=0-", .parts([0..<10])), ("bytes=-3", .parts([7..<10])),
      ("bytes=-10", .parts([0..<10])), ("bytes=-99", .parts([0..<10])), ("bytes=5-99", .parts([5..<10])),
      ("bytes=10-", .unsatisfiable), ("bytes=10-12", .unsatisfiable), ("bytes=-0", .unsatisfiable),
      ("bytes=0-1,8-", .parts([0..<2, 8..<10])), ("bytes=8-,0-1", .parts([8..<10, 0..<2])),
      ("bytes=0-1 , \t4-5,,", .parts([0..<2, 4..<6])), ("bytes=,0-1", .parts([0..<2])),
      ("bytes=0-1,20-30", .parts([0..<2])), ("bytes=20-30,40-", .unsatisfiable), ("BYTES=1-2", .parts([1..<3])),
      // Overlapping ones go out as one, neighbours do not.
      ("bytes=0-5,3-7", .parts([0..<8])), ("bytes=3-7,0-5", .parts([0..<8])),
      ("bytes=0-2,3-5", .parts([0..<3, 3..<6])),
      ("bytes=0-1,8-9,1-8", .parts([0..<10])), ("bytes=8-9,4-5,5-8", .parts([4..<10])),
      ("bytes=0-0,0-0,0-0", .parts([0..<1])), ("bytes=4-4,0-0,2-2,0-1", .parts([4..<5, 0..<2, 2..<3])),
      // Greater than any number is behind the end.
      ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=2-99999999999999999999", .parts([2..<10])),
      ("bytes=-99999999999999999999", .parts([0..<10])), ("bytes=007-008", .parts([7..<9])),
    ] as [(String, ByteRanges.Resolution)])
  func parts(field: String, expected: ByteRanges.Resolution) throws {
    #expect(try #require(ByteRanges(field)).resolved(in: 10) == expected)
  }

  @Test(
    "is ignored where it is malformed, or of another unit",
    arguments: [
      "", "bytes", "bytes=", "bytes=,", "bytes= ", "bytes=a-b", "bytes=1", "bytes=--1", "bytes=1--2", "bytes=-",
      "bytes=5-4",
      "bytes=0-1;2-3", "bytes=0-1,x", "bytes=+1-2", "bytes=1-+2", "bytes=1 - 2", "bytes =0-1", " bytes=0-1",
      "bytes:0-1",
      "items=0-1", "bytes=0x1-2", "bytes=١-٢", "bytes=0-1,bytes=3-4",
    ])
  func malformed(field: String) { #expect(ByteRanges(field) == nil) }

  @Test("of an empty body finds nothing but its end")
  func empty() {
    #expect(ByteRanges("bytes=0-")?.resolved(in: 0) == .unsatisfiable)
    #expect(ByteRanges("bytes=-5")?.resolved(in: 0) == .whole)
    #expect(ByteRanges("bytes=-0")?.resolved(in: 0) == .unsatisfiable)
  }

  @Test("with more ranges than a hundred is ignored")
  func many() {
    let ranges = (0..<100).map { "\($0 * 2)-\($0 * 2)" }
    guard case .parts(let parts)? = ByteRanges("bytes=" + ranges.joined(separator: ","))?.resolved(in: 1_000) else {
      return #expect(Bool(false), "A hundred are too many.")
    }
    #expect(parts.count == 100)
    #expect(ByteRanges("bytes=" + (ranges + ["500-501"]).joined(separator: ",")) == nil)
  }
}

@Suite("An entity tag", .inTurn)
struct EntityTagTests {
  @Test(
    "is written with or without its quotation marks",
    arguments: [
      ("v1", "\"v1\""), ("\"v1\"", "\"v1\""), ("W/\"v1\"", "W/\"v1\""), ("W/v1", "W/\"v1\""), ("", "\"\""),
      ("é!#/", "\"é!#/\""), ("W/", "W/\"\""), ("a b", nil), ("a\"b", nil), ("\"a", nil), ("a\"", nil), ("a\u{7F}", nil),
      ("a\nb", nil), ("\"a\" ", nil), ("w/\"a\"", nil),
    ])
  func fields(tag: String, expected: String?) { #expect(EntityTag.field(tag) == expected) }

  @Test(
    "is read from a list, up to what is none",
    arguments: [
      ("\"a\"", ["\"a\""]), ("\"a\", W/\"b\"", ["\"a\"", "W/\"b\""]), ("\"a,b\" ,, \"c\"", ["\"a,b\"", "\"c\""]),
      ("", []), ("a", []), ("\"a\", b, \"c\"", ["\"a\""]), ("\"a", []),
    ])
  func lists(field: String, expected: [String]) {
    #expect(EntityTag.list(field) == expected.map { EntityTag($0)! })
  }

  @Test(
    "compares strongly and weakly, as in RFC 9110, 8.8.3.2",
    arguments: [
      ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
      ("\"1\"", "\"1\"", true, true), ("\"a\"", "\"A\"", false, false),
    ])
  func comparison(one: String, other: String, strongly: Bool, weakly: Bool) throws {
    let (one, other) = (try #require(EntityTag(one)), try #require(EntityTag(other)))
    #expect(one.matchesStrongly(other) == strongly && other.matchesStrongly(one) == strongly)
    #expect(one.matchesWeakly(other) == weakly && other.matchesWeakly(one) == weakly)
  }
}

@Suite("What a request selects of a response", .inTurn)
struct SelectionTests {
  private static let old = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let older = "Sat, 05 Nov 1994 08:49:37 GMT"
  private static let newer = "Mon, 07 Nov 1994 08:49:37 GMT"
  private static let plain = StubResponse.text("0123456789")
  private static let both = plain.validated(etag: "v1", lastModified: Date(httpDate: old)).acceptingRanges()

  private static func request(_ fields: [String: String], _ method: String = "GET") -> URLRequest {
    TestSupport.request("http://a.example/", method: method, headers: fields)
  }

  @Test(
    "by its Range",
    arguments: [
      (both, ["Range": "bytes=0-4"], "GET", .parts([0..<5])), (both, ["range": "bytes=20-"], "GET", .unsatisfiable),
      (both, ["Range": "bytes=5-4"], "GET", .whole), (both, [:], "GET", .whole),
      (plain, ["Range": "bytes=0-4"], "GET", .whole), (plain.validated(), ["Range": "bytes=0-4"], "GET", .whole),
      (both, ["Range": "bytes=0-4"], "HEAD", .whole), (both, ["Range": "bytes=0-4"], "POST", .whole),
      (both.status(404), ["Range": "bytes=0-4"], "GET", .whole),
      (both.status(206), ["Range": "bytes=0-4"], "GET", .whole),
      (both.status(301), ["Range": "bytes=99-"], "GET", .whole),
      (StubResponse.failure(.timedOut).acceptingRanges(), ["Range": "bytes=0-4"], "GET", .whole),
      // If-Range: strongly by tag, exactly by date.
      (both, ["Range": "bytes=0-4", "If-Range": "\"v1\""], "GET", .parts([0..<5])),
      (both, ["Range": "bytes=0-4", "If-Range": "\"v2\""], "GET", .whole),
      (both, ["Range": "bytes=0-4", "If-Range": "W/\"v1\""], "GET", .whole),
      (both, ["Range": "bytes=0-4", "If-Range": "v1"], "GET", .whole),
      (both, ["Range": "bytes=0-4", "If-Range": old], "GET", .parts([0..<5])),
      (both, ["Range": "bytes=0-4", "If-Range": newer], "GET", .whole),
      (both, ["Range": "bytes=99-", "If-Range": "\"v2\""], "GET", .whole),
      (both, ["Range": "bytes=99-", "If-Range": "\"v1\""], "GET", .unsatisfiable),
      (plain.acceptingRanges(), ["Range": "bytes=0-4", "If-Range": "\"v1\""], "GET", .whole),
      (plain.acceptingRanges(), ["Range": "bytes=0-4", "If-Range": old], "GET", .whole),
      (
        plain.header("ETag", "\"v1\"").acceptingRanges(), ["Range": "bytes=0-4", "If-Range": "\"v1\""], "GET",
        .parts([0..<5])
      ),
      (
        plain.validated(etag: "W/v1").acceptingRanges(), ["Range": "bytes=0-4", "If-Range": "W/\"v1\""], "GET", .whole
      ),
    ] as [(StubResponse, [String: String], String, Selection)])
  func ranges(response: StubResponse, fields: [String: String], method: String, expected: Selection) {
    #expect(Selection(from: response, for: Self.request(fields, method), length: 10) == expected)
  }

  @Test("whole where nobody knows how long it is")
  func unknownLength() {
    let request = Self.request(["Range": "bytes=0-4"])
    #expect(Selection(from: Self.both, for: request, length: nil) == .whole)
  }

  @Test(
    "by its conditions, in the order of RFC 9110, 13.2.2",
    arguments: [
      (["If-None-Match": "\"v1\""], "GET", .notModified), (["If-None-Match": "\"v1\""], "HEAD", .notModified),
      (["If-None-Match": "W/\"v1\""], "GET", .notModified), (["If-None-Match": "\"v0\", \"v1\""], "GET", .notModified),
      (["If-None-Match": "*"], "GET", .notModified), (["If-None-Match": "\"v2\""], "GET", .whole),
      (["If-None-Match": "v1"], "GET", .whole), (["If-None-Match": "\"v1\""], "PUT", .preconditionFailed),
      (["If-None-Match": "*"], "POST", .preconditionFailed), (["If-None-Match": "\"v2\""], "PUT", .whole),
      (["If-None-Match": "\"v1\""], "OPTIONS", .whole),
      (["If-Modified-Since": old], "GET", .notModified), (["If-Modified-Since": newer], "HEAD", .notModified),
      (["If-Modified-Since": older], "GET", .whole), (["If-Modified-Since": newer], "PUT", .whole),
      (["If-Modified-Since": "yesterday"], "GET", .whole),
      (["If-None-Match": "\"v2\"", "If-Modified-Since": newer], "GET", .whole),
      (["If-None-Match": "\"v1\"", "If-Modified-Since": older], "GET", .notModified),
      (["If-Match": "\"v1\""], "PUT", .whole), (["If-Match": "\"v0\", \"v1\""], "DELETE", .whole),
      (["If-Match": "*"], "PUT", .whole), (["If-Match": "\"v2\""], "PUT", .preconditionFailed),
      (["If-Match": "W/\"v1\""], "PUT", .preconditionFailed), (["If-Match": "\"v2\""], "GET", .preconditionFailed),
      (["If-Unmodified-Since": old], "PUT", .whole), (["If-Unmodified-Since": newer], "GET", .whole),
      (["If-Unmodified-Since": older], "PUT", .preconditionFailed),
      (["If-Unmodified-Since": "yesterday"], "PUT", .whole),
      (["If-Match": "\"v1\"", "If-Unmodified-Since": older], "PUT", .whole),
      (["If-Match": "\"v1\"", "If-None-Match": "\"v1\""], "GET", .notModified),
      (["If-Match": "\"v2\"", "If-None-Match": "\"v1\""], "GET", .preconditionFailed),
      (["If-Unmodified-Since": older, "If-None-Match": "\"v1\""], "GET", .preconditionFailed),
      (["If-None-Match": "\"v1\"", "Range": "bytes=0-4"], "GET", .notModified),
      (["If-None-Match": "\"v2\"", "Range": "bytes=0-4"], "GET", .parts([0..<5])),
      (["If-Match": "\"v1\"", "Range": "bytes=99-"], "GET", .unsatisfiable),
    ] as [([String: String], String, Selection)])
  func conditions(fields: [String: String], method: String, expected: Selection) {
    #expect(Selection(from: Self.both, for: Self.request(fields, method), length: 10) == expected)
  }

  @Test(
    "not by conditions on what is no success, or has nothing to compare with",
    arguments: [
      (both.status(404), ["If-None-Match": "\"v1\""], .whole), (both.status(302), ["If-Match": "\"v2\""], .whole),
      (StubResponse.failure(.timedOut).validated(etag: "v1"), ["If-None-Match": "\"v1\""], .whole),
      (both.status(201), ["If-None-Match": "\"v1\""], .notModified),
      (plain.header("ETag", "\"v1\""), ["If-None-Match": "\"v1\""], .whole),
      (plain.header("ETag", "\"v1\"").validated(), ["If-None-Match": "\"v1\""], .notModified),
      (plain.validated(), ["If-None-Match": "\"v1\"", "If-Modified-Since": newer], .whole),
      (plain.validated(), ["If-Unmodified-Since": older], .whole),
      (plain.validated(), ["If-Match": "\"v1\""], .preconditionFailed), (plain.validated(), ["If-Match": "*"], .whole),
    ] as [(StubResponse, [String: String], Selection)])
  func others(response: StubResponse, fields: [String: String], expected: Selection) {
    #expect(Selection(from: response, for: Self.request(fields), length: 10) == expected)
  }

  @Test("shows its validators, and that it accepts ranges, in its headers and its description")
  func headers() {
    #expect(Self.both.headers["ETag"] == "\"v1\"" && Self.both.headers["Last-Modified"] == Self.old)
    #expect(Self.both.headers["Accept-Ranges"] == "bytes")
    #expect(Self.both.header("Accept-Ranges", "none").acceptingRanges().headers["Accept-Ranges"] == "none")
    #expect(Self.both.description == "200, text/plain; charset=utf-8, 10 bytes, validated, accepting ranges")
    #expect(Self.plain.validated(etag: "a b").problem == .invalidEntityTag("a b"))
  }
}
