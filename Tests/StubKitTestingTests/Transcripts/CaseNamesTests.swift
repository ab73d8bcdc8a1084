import Foundation
import TestSupport
import Testing

@testable import StubKitTranscripts

@Suite("The name of a file of a test case")
struct CaseNamesTests {
  private final class Box: Sendable {}
  private enum Page: Sendable { case notFound, number(Int) }
  private struct Filter: Sendable {
    let tags: [String: Int]
    let kinds: Set<String>
  }
  private struct Named: Sendable, CustomTestStringConvertible { let testDescription = "the first" }

  private static func name(_ arguments: Any...) -> String? {
    let texts = arguments.map(CaseNames.text)
    return texts.contains(nil) ? nil : CaseNames.fileName(["Shop", "buys"], texts.map { $0! })
  }

  /// Arguments, and the name, or `nil` if there is none.
  nonisolated(unsafe) private static let readable: [(arguments: [Any], name: String?)] = [
    // Safe because nothing changes the table.
    ([404, "de"], "Shop.buys.404,de"), ([Page.notFound], "Shop.buys.notFound"), ([Named()], "Shop.buys.the first"),
    ([URLError(.networkConnectionLost)], "Shop.buys.URLError-1005"), ([Optional<Int>.none as Any], "Shop.buys.nil"),
    ([Optional(3) as Any, true], "Shop.buys.3,true"), (["a film"], "Shop.buys.a film"), ([Box()], nil),
    ([[Box()]], nil),
    ([NSError(domain: "Shop", code: 7)], "Shop.buys.Shop7"),
  ]

  @Test(
    "is readable where it can be, and missing for an object that says nothing about itself", arguments: readable.indices
  )
  func names(row: Int) {
    let (arguments, name) = Self.readable[row]
    let texts = arguments.map(CaseNames.text)
    #expect((texts.contains(nil) ? nil : CaseNames.fileName(["Shop", "buys"], texts.map { $0! })) == name)
  }

  /// Names of which no two are equal.
  private static let different: [String?] = [
    name("a,b", "c"), name("a", "b,c"), name("a", "b", "c"), name("a b"), name("a-b"), name("a/b"), name("a:b"),
    name(""),
    name("-"), name("\u{e9}"), name("e\u{301}"), name("a.b"), name("a~b"), name(Page.number(1)), name(Page.number(2)),
    name(Data([1])), name(Data([2])), name([1, 2]), name([2, 1]), name(String(repeating: "a", count: 70)),
    name(String(repeating: "a", count: 71)), name(["a": 1]), name(["a": 2]),
    CaseNames.fileName(["Shop.buys"]), CaseNames.fileName(["Shop", "buys"]), CaseNames.fileName(["Shop", "buys "]),
  ]

  @Test("differs for different arguments")
  func injective() {
    #expect(Set(Self.different.map { ($0 ?? "none").lowercased() }).count == Self.different.count, "\(Self.different)")
  }

  @Test("is the same for equal sets and dictionaries, in whatever order they are")
  func stable() {
    let keys = (1...9).map { "k\($0)" }
    let one = Filter(tags: Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }), kinds: Set(keys))
    let other = Filter(
      tags: Dictionary(uniqueKeysWithValues: keys.reversed().map { ($0, 1) }), kinds: Set(keys.reversed()))
    #expect(Self.name(one) == Self.name(other))
    #expect(Self.name(one) != Self.name(Filter(tags: [:], kinds: Set(keys))))
  }

  @Test("is short enough for each file system")
  func length() {
    let name = CaseNames.fileName(["Shop", "buys"], (0..<40).map { "argument \($0)" })
    #expect(name.utf8.count < 100)
  }

  @Test("differs for 20,000 random texts")
  func random() {
    var (dice, names) = (Dice(state: 3), [String: ExactString]())
    let clashes = (0..<20_000).filter { _ in
      let text = ExactString(dice.junk(3))
      let known = names.updateValue(text, forKey: CaseNames.fileName(["a"], [text.string]))
      return known != nil && known != text
    }
    #expect(clashes == [])
  }
}
