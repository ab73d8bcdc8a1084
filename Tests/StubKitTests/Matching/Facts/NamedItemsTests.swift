import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("Named items", .inTurn)
struct NamedItemsTests {
  /// The way to say it without a table.
  static func isExactly(_ items: [NamedValue], _ wanted: [NamedValue]) -> Bool {
    items.allSatisfy(wanted.contains) && wanted.allSatisfy(items.contains)
  }

  static func isCounted(_ items: [NamedValue], _ wanted: [NamedValue]) -> Bool {
    var rest = wanted
    for item in items {
      guard let place = rest.firstIndex(of: item) else { return false }
      rest.remove(at: place)
    }
    return rest.isEmpty
  }

  @Test("say the same with a table as without")
  func table() async {
    for seed in [UInt64(7), 8, 9] {
      // A long loop leaves the thread to other tests.
      await Task.yield()
      var random = SplitMix64(seed: seed)
      var (exact, counted) = (0, 0)
      for _ in 0..<300 {
        let values = ["1", "2", "\u{E9}", "e\u{301}", "", nil]
        let items = (0..<Int.random(in: 0...40, using: &random)).map { _ in
          NamedValue(
            name: ["a", "b", "\u{C5}", "\u{212B}"].randomElement(using: &random)!,
            value: values.randomElement(using: &random)!)
        }
        var other = items.shuffled(using: &random)
        if Bool.random(using: &random), let last = other.last { other[0] = last }
        let (named, wanted) = (NamedItems(items), NamedItems(other))
        #expect(named.isExactly(wanted) == Self.isExactly(items, other), "\(seed)")
        #expect(named.isCounted(wanted) == Self.isCounted(items, other), "\(seed)")
        exact += named.isExactly(wanted) ? 1 : 0
        counted += named.isCounted(wanted) ? 1 : 0
        for item in items + [NamedValue(name: "a", value: "x"), NamedValue(name: "x", value: nil)] {
          #expect(named.contains(item) == items.contains(item), "\(seed)")
          #expect(named.contains(name: item.name) == items.contains { $0.name == item.name }, "\(seed)")
          #expect(named.named(item.name) == items.filter { $0.name == item.name }, "\(seed)")
        }
        #expect(named.names.count == Set(items.map(\.name)).count && named.elementsEqual(items), "\(seed)")
      }
      #expect(exact > counted && counted > 100, "\(seed)")
    }
  }

  @Test("of a form are told apart by how often they come, however many there are")
  func many() {
    let fields = (0..<10_000).map { URLQueryItem(name: "k\($0 % 5_000)", value: "v") }
    let body = fields.reversed().map { "\($0.name)=v" }.joined(separator: "&")
    #expect(hasFormBody(items: fields).matches(post(body)))
    #expect(!hasFormBody(items: fields.dropLast() + [fields[0]]).matches(post(body)))
    #expect(!hasFormBody(items: Array(fields.dropLast())).matches(post(body)))
  }

  @Test("that are missing in great number are all reported, the first hundred with what is there instead")
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
