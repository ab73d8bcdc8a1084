import Foundation

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitFormats
@testable import StubKitRecorder

/// What a recording asks for: of a request like those that are made, something was redacted.
extension CaseGenerator {
  mutating func recordedItems(_ source: ItemsCriterion.Source, _ names: [Word], _ values: [Word]) -> RequestMatcher {
    let ignored: Set<String> = random.chance(percent: 40) ? [meant(names, 1)] : []
    let items = NamedValue.sorted(items(names, values)).without(ignored).map { item in
      random.chance(percent: 40) ? NamedValue(name: item.name, value: "a \(Redacted.mark)") : item
    }
    return RequestMatcher(RecordedItemsCriterion(source, NamedItems(items), ignoring: ignored))
  }

  mutating func recordedBodyMatcher() -> RequestMatcher {
    switch random.below(3) {
    case 0: return recordedItems(.form, Alphabet.formNames, Alphabet.formValues)
    case 1:
      let path = JSONPath(random.pick(["", "", "a", "/a/b", "a[0]"]))
      let ignored = IgnoredParts(random.pick([[], [.json(at: random.pick(["a", "a.b", "a[*]", "a[0].b", "b"]))]]))
      let value = ignored.reduced(near(Alphabet.json, 3).value)
      return RequestMatcher(RecordedJSONCriterion(path: path, value: redacted(path.value(in: value) ?? value), ignored))
    default:
      let text = random.pick(near(Alphabet.json, 3).texts)
      let start = text.unicodeScalars.prefix(random.below(text.unicodeScalars.count + 1))
      let end = text.unicodeScalars.dropFirst(start.count).suffix(random.below(3))
      return RequestMatcher(
        RecordedTextCriterion(RecordedText(redacted: Data("\(start)\(Redacted.mark)\(end)".utf8)), .none))
    }
  }

  private mutating func redacted(_ value: JSONValue) -> JSONValue {
    if random.chance(percent: 25) { return .string(Redacted.mark) }
    switch value {
    case .array(let elements): return .array(elements.map { redacted($0) })
    // In an order of its own, so that one seed gives one condition.
    case .object(let members):
      return .object(members.sorted { $0.key < $1.key }.reduce(into: [:]) { $0[$1.key] = redacted($1.value) })
    case .null, .bool, .number, .string: return value
    }
  }
}
