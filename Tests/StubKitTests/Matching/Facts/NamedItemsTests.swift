import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("Named items", .inTurn)
struct NamedItemsTests {
  @Test("of a form are told apart by their number")
  func many() {
    let fields = (0..<10_000).map { URLQueryItem(name: "k\($0 % 5_000)", value: "v") }
    let body = fields.reversed().map { "\($0.name)=v" }.joined(separator: "&")
    #expect(hasFormBody(items: fields).matches(post(body)))
    #expect(!hasFormBody(items: fields.dropLast() + [fields[0]]).matches(post(body)))
    #expect(!hasFormBody(items: Array(fields.dropLast())).matches(post(body)))
  }

  @Test("that are missing are all reported")
  func report() {
    let wanted = Dictionary(uniqueKeysWithValues: (0..<2_000).map { ("q\($0)", "1" as String?) })
    let body = (0..<2_000).map { "k\($0)=1" }.joined(separator: "&")
    let mismatches = hasFormBody(wanted).mismatches(post(body))
    #expect(mismatches.count == 4_000)
    #expect(mismatches[0].description == #"form field q0: expected "1", got none; there are k0, k1, k10 and 1997 more"#)
    #expect(mismatches[99].note != nil && mismatches[100].note == nil)
    #expect(mismatches[2_000].description == #"form field k0: expected none, got "1""#)
  }
}
