import Foundation
import Testing

/// Compares what StubKit says with the texts in `Fixtures/NAME.txt`, which an empty line separates by default.
func expectTexts(
  _ texts: [String], in name: String, separator: String = "\n\n", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "txt"))
  let expected = try String(contentsOf: file, encoding: .utf8).dropLast().components(separatedBy: separator)
  #expect(texts.count == expected.count, sourceLocation: sourceLocation)
  for (text, expected) in zip(texts, expected) { #expect(text == expected, sourceLocation: sourceLocation) }
}
