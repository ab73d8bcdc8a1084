import Foundation
import TestSupport
import Testing

@Suite("The README and the guides", .inTurn)
struct PagesTests {
  static let pages = [Page.readme] + Page.guides

  @Test("show no Swift but what is compiled and run in these tests")
  func examples() {
    let tests = Page.tests.map(\.withoutWhitespace)
    #expect(Self.pages.count > 30)
    let withoutExamples = ["EnvironmentVariables", "HowItWorks", "Limits", "StubKitMockerCore"]
    for page in Self.pages {
      #expect(page.examples.isEmpty == withoutExamples.contains(page.name), "\(page.name)")
      for example in page.examples {
        let isTested = tests.contains { $0.contains(example.withoutWhitespace) }
        #expect(isTested, "No test has this of the page \(page.name), white space aside:\n\(example)")
      }
    }
  }

  @Test("show lines that a browser shows without scrolling")
  func widths() {
    for page in Self.pages {
      #expect(page.lines.filter { $0.count > 76 }.isEmpty, "Break these lines in \(page.name).")
      #expect(
        page.printed.allSatisfy { !$0.contains("\\\n") },
        "Show what is printed in \(page.name) as it is, without a backslash.")
    }
  }

  @Test("count the recipes that there are")
  func recipes() {
    let recipes = Page.guide("Recipes").text.matches(of: #/\n### (.+)/#).map { $0.1.replacing(" ", with: "-") }
    for page in [Page.guide("StubKit"), Page.guide("GettingStarted")] {
      #expect(page.text.contains("\(recipes.count) situations"), "\(page.name)")
    }
    for recipe in recipes { #expect(Page.guide("Recipes").text.contains("<doc:Recipes#\(recipe)>")) }
  }

  @Test("are divided into examples and printed texts at their code fences")
  func blocks() {
    let page = Page.guide("Troubleshooting")
    #expect(page.examples.contains { $0.hasPrefix("print(") } && !page.examples.contains { $0.contains("```") })
    #expect(page.printed.first?.hasPrefix("No stub matches POST") == true)
  }
}

extension String {
  /// The formatter breaks lines where a page need not.
  fileprivate var withoutWhitespace: String { filter { !$0.isWhitespace } }
}
