import Foundation
import StubKit

/// A chapter of the tour: some lines of Swift, and a run of these lines.
struct Chapter: Sendable {
  let title: String
  /// The lines as they are in `body`.
  let code: String
  let file: String
  let body: @Sendable (Page) async throws -> Void

  init(
    _ title: String, code: String, file: StaticString = #filePath,
    body: @escaping @Sendable (Page) async throws -> Void
  ) {
    self.title = title
    self.code = code
    self.file = "\(file)"
    self.body = body
  }

  /// Prints the chapter.
  ///
  /// - Parameter isInWholeTour: Whether all chapters before this one were performed too.
  /// - Returns: The page of the chapter.
  func perform(number: Int, isInWholeTour: Bool) async -> Page {
    print("\n" + Terminal.style(Terminal.rule, .dim))
    print(Terminal.style("\(number)  \(title)", .bold) + "\n")
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for line in lines { print("   " + Terminal.style(line, .cyan)) }
    print()
    let page = Page(isInWholeTour: isInWholeTour)
    page.expect(isShownAsItRuns, "the code on the page to be the code that runs")
    page.expect(lines.allSatisfy { $0.count <= Terminal.width - 3 }, "code that fits into the terminal")
    do {
      try await body(page)
    } catch {
      page.expect(false, "no error, not \(error.localizedDescription)")
    }
    return page
  }

  /// A Boolean value that indicates whether the file contains the code twice, as text and as code. `true` if the
  /// source is not available.
  private var isShownAsItRuns: Bool {
    guard let source = try? String(contentsOfFile: file, encoding: .utf8) else { return true }
    return source.withoutWhitespace.split(separator: code.withoutWhitespace, omittingEmptySubsequences: false).count > 2
  }
}

extension String {
  fileprivate var withoutWhitespace: String { filter { !$0.isWhitespace } }
}
