import Foundation
import Testing

/// Compares what StubKit says with `Fixtures/NAME.txt`, where an empty line stands between two texts, unless it is said what
/// does.
func expectTexts(
  _ texts: [String], in name: String, separator: String = "\n\n", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "txt"))
  let expected = try String(contentsOf: file, encoding: .utf8).dropLast().components(separatedBy: separator)
  #expect(texts.count == expected.count, sourceLocation: sourceLocation)
  for (text, expected) in zip(texts, expected) { #expect(text == expected, sourceLocation: sourceLocation) }
}
