import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("What a request gets of a response", .inTurn)
struct SelectionTests {
  private static let old = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let older = "Sat, 05 Nov 1994 08:49:37 GMT"
  private static let newer = "Mon, 07 Nov 1994 08:49:37 GMT"
  private static let plain = StubResponse.text("0123456789")
  private static let both = plain.conditional(etag: "v1", lastModified: Date(httpDate: old)).acceptingRanges()

  private func select(
    _ fields: [String: String], _ method: String = "GET", from response: StubResponse = both, length: Int? = 10
  ) -> Selection {
    Selection(
      from: response, for: request("http://a.example/", method: method, headers: fields), length: length)
  }

  @Test(
    "is the bytes of a Range, of ten",
    arguments: [
      ("bytes=-10", .part(0..<10)), ("BYTES=1-2", .part(1..<3)), ("bytes=007-008", .part(7..<9)),
      // Greater than any number is behind the end.
      ("bytes=2-99999999999999999999", .part(2..<10)), ("bytes=99999999999999999999-", .unsatisfiable),
      ("bytes=10-12", .unsatisfiable), ("bytes=-0", .unsatisfiable),
    ] as [(String, Selection)])
  func ranges(field: String, expected: Selection) { #expect(select(["Range": field]) == expected) }

  @Test("is found by the name of the Range field in any case of letters")
  func fieldName() { #expect(select(["range": "bytes=20-"], from: Self.both) == .unsatisfiable) }

  @Test(
    "is the whole if the Range is malformed, of another unit, or of several parts",
    arguments: [
      "", "bytes=", "bytes=1", "bytes=-", "bytes=1--2", "bytes=1-+2", "bytes=0x1-2", "bytes=١-٢", "bytes =0-1",
      "items=0-1", "bytes=0-1,20-30",
    ])
  func malformed(field: String) { #expect(select(["Range": field]) == .whole) }

  @Test(
    "of an empty body, or one of unknown length, has no part",
    arguments: [
      ("bytes=0-", 0, .unsatisfiable), ("bytes=-5", 0, .whole), ("bytes=-0", 0, .unsatisfiable),
      ("bytes=0-4", nil, .whole),
    ] as [(String, Int?, Selection)])
  func withoutBytes(field: String, length: Int?, expected: Selection) {
    #expect(select(["Range": field], length: length) == expected)
  }

  @Test("is the whole if there is no Range")
  func withoutRange() { #expect(select([:], from: Self.both) == .whole) }

  @Test("is the whole for any method but GET", arguments: ["HEAD", "POST"])
  func methods(method: String) { #expect(select(["Range": "bytes=0-4"], method) == .whole) }

  @Test("is the whole of a response that takes no ranges, isn't a 200, or is a failure")
  func otherResponses() {
    #expect(select(["Range": "bytes=0-4"], from: Self.plain) == .whole)
    #expect(select(["Range": "bytes=0-4"], from: Self.both.status(404)) == .whole)
    #expect(select(["Range": "bytes=99-"], from: Self.both.status(301)) == .whole)
    #expect(select(["Range": "bytes=0-4"], from: .failure(.timedOut).acceptingRanges()) == .whole)
  }

  @Test("is the part if If-Range names the response's tag, which can come from a header of its own")
  func matchingTag() {
    let response = Self.plain.header("ETag", "\"v1\"").acceptingRanges()
    #expect(select(["Range": "bytes=0-4", "If-Range": "\"v1\""], from: response) == .part(0..<5))
  }

  @Test(
    "is the whole if If-Range names another tag, a weak or an unquoted one, even if the range is beyond the end",
    arguments: [("bytes=0-4", "W/\"v1\""), ("bytes=0-4", "v1"), ("bytes=99-", "\"v2\"")])
  func otherTags(range: String, tag: String) {
    #expect(select(["Range": range, "If-Range": tag], from: Self.both) == .whole)
  }

  @Test("is the whole if If-Range names a tag or a date, and the response has none, or a weak tag")
  func nothingToCompare() {
    let untagged = Self.plain.acceptingRanges()
    #expect(select(["Range": "bytes=0-4", "If-Range": "\"v1\""], from: untagged) == .whole)
    #expect(select(["Range": "bytes=0-4", "If-Range": Self.old], from: untagged) == .whole)
    let weak = Self.plain.conditional(etag: "W/v1").acceptingRanges()
    #expect(select(["Range": "bytes=0-4", "If-Range": "W/\"v1\""], from: weak) == .whole)
  }

  @Test("follows its preconditions, in the order of RFC 9110")
  func conditions() {
    for (fields, method, expected) in [
      (["If-None-Match": "*"], "GET", .notModified),
      (["If-None-Match": "\"v1\""], "PUT", .preconditionFailed),
      (["If-None-Match": "*"], "POST", .preconditionFailed),
      (["If-None-Match": "\"v1\""], "OPTIONS", .whole),
      (["If-Modified-Since": Self.newer], "HEAD", .notModified),
      (["If-Modified-Since": Self.older], "GET", .whole), (["If-Modified-Since": Self.newer], "PUT", .whole),
      (["If-Modified-Since": "yesterday"], "GET", .whole),
      (["If-None-Match": "\"v1\"", "If-Modified-Since": Self.older], "GET", .notModified),
      (["If-Match": "\"v0\", \"v1\""], "DELETE", .whole),
      (["If-Match": "*"], "PUT", .whole), (["If-Match": "\"v2\""], "PUT", .preconditionFailed),
      (["If-Match": "W/\"v1\""], "PUT", .preconditionFailed),
      (["If-Unmodified-Since": Self.old], "PUT", .whole),
      (["If-Unmodified-Since": Self.older], "PUT", .preconditionFailed),
      (["If-Unmodified-Since": "yesterday"], "PUT", .whole),
      (["If-Match": "\"v1\"", "If-Unmodified-Since": Self.older], "PUT", .whole),
      (["If-Match": "\"v1\"", "If-None-Match": "\"v1\""], "GET", .notModified),
      (["If-Match": "\"v2\"", "If-None-Match": "\"v1\""], "GET", .preconditionFailed),
      (["If-Unmodified-Since": Self.older, "If-None-Match": "\"v1\""], "GET", .preconditionFailed),
      (["If-None-Match": "\"v2\"", "Range": "bytes=0-4"], "GET", .part(0..<5)),
      (["If-Match": "\"v1\"", "Range": "bytes=99-"], "GET", .unsatisfiable),
    ] as [([String: String], String, Selection)] {
      #expect(select(fields, method) == expected, "\(method) \(fields)")
    }
  }

  @Test(
    "follows no precondition of a response that is no success, or has nothing to compare with",
    arguments: [
      (both.status(404), ["If-None-Match": "\"v1\""], .whole), (both.status(302), ["If-Match": "\"v2\""], .whole),
      (StubResponse.failure(.timedOut).conditional(etag: "v1"), ["If-None-Match": "\"v1\""], .whole),
      (both.status(201), ["If-None-Match": "\"v1\""], .notModified),
      (plain.header("ETag", "\"v1\""), ["If-None-Match": "\"v1\""], .whole),
      (plain.header("ETag", "\"v1\"").conditional(), ["If-None-Match": "\"v1\""], .notModified),
      (plain.conditional(), ["If-None-Match": "\"v1\"", "If-Modified-Since": newer], .whole),
      (plain.conditional(), ["If-Unmodified-Since": older], .whole),
      (plain.conditional(), ["If-Match": "\"v1\""], .preconditionFailed),
      (plain.conditional(), ["If-Match": "*"], .whole),
    ] as [(StubResponse, [String: String], Selection)])
  func withoutPrecondition(response: StubResponse, fields: [String: String], expected: Selection) {
    #expect(select(fields, from: response) == expected)
  }

  @Test("depends on the entity tag, which a test may write with or without quotation marks")
  func tags() {
    for (tag, field) in [
      ("v1", "\"v1\""), ("W/\"v1\"", "W/\"v1\""), ("W/v1", "W/\"v1\""), ("", "\"\""),
      ("é!#/", "\"é!#/\""), ("W/", "W/\"\""), ("a\"b", nil), ("\"a", nil),
      ("a\u{7F}", nil), ("a\nb", nil), ("\"a\" ", nil), ("w/\"a\"", nil),
    ] {
      let response = Self.plain.conditional(etag: tag)
      #expect(response.headers["ETag"] == field, "\(tag)")
      #expect(response.problem == (field == nil ? .invalidEntityTag(tag) : nil), "\(tag)")
      guard let field else { continue }
      #expect(select(["If-None-Match": "\"v0\", W/\"x\" , \(field)"], from: response) == .notModified, "\(tag)")
      let isWeak = field.hasPrefix("W/")
      #expect(
        select(["If-Match": "\"v0\",\(field)"], from: response) == (isWeak ? .preconditionFailed : .whole), "\(tag)")
    }
  }

  @Test("breaks off where the response does, unless it is a 304, 412 or 416")
  func interruptions() async throws {
    // Without a status, the request fails. Five bytes are less than the body, and than the part.
    for (fields, method, status) in [
      ([:], "GET", nil), (["Range": "bytes=0-8"], "GET", nil), (["If-None-Match": "\"v1\""], "GET", 304),
      (["If-None-Match": "\"v1\""], "PUT", 412), (["Range": "bytes=99-"], "GET", 416),
    ] as [([String: String], String, Int?)] {
      await withStubs {
        stub(condition: .anything, response: Self.both.failing(afterBytes: 5))
        let fetched = try? await URLSession.shared.fetch(request("http://a.example/", method: method, headers: fields))
        #expect(fetched?.status == status, "\(method) \(fields): \(HTTPStubs.journal.entries)")
      }
    }
  }

  @Test("is announced in the response's fields: ETag, Last-Modified and Accept-Ranges")
  func headers() {
    #expect(Self.both.headers["ETag"] == "\"v1\"")
    #expect(Self.both.headers["Last-Modified"] == Self.old)
    #expect(Self.both.headers["Accept-Ranges"] == "bytes")
    #expect(Self.both.header("Accept-Ranges", "none").acceptingRanges().headers["Accept-Ranges"] == "none")
    #expect(Self.both.description == "200, text/plain; charset=utf-8, 10 bytes")
  }
}
