import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("Many tests at a time whose client asks for the next page in a completion handler", .inTurn, .stubbed)
struct ChainedHandlerTests {
  /// A client as tutorials have it: it leaves its task with the first page, and knows nothing of tests.
  private struct Catalogue {
    let session = URLSession.shared

    func pages(_ completion: @escaping @Sendable ([String]) -> Void) { get(1, [], completion) }

    private func get(_ page: Int, _ earlier: [String], _ completion: @escaping @Sendable ([String]) -> Void) {
      session.dataTask(with: URL(string: "https://catalogue.example/pages/\(page)")!) { data, _, error in
        let text = data.map { String(decoding: $0, as: UTF8.self) } ?? error?.localizedDescription ?? "nothing"
        let pages = earlier + [text]
        if page == 3 { completion(pages) } else { get(page + 1, pages, completion) }
      }.resume()
    }
  }

  @Test("get their own answers to every page", arguments: 0..<TestSize.of(200, inPart: 50))
  func pages(number: Int) async throws {
    for page in 1...3 {
      let response = StubResponse.text("\(number), page \(page)")
      stub(
        condition: isPath("/pages/\(page)"),
        response: number.isMultiple(of: 3) ? response.delay(.milliseconds(number % 5)) : response)
    }
    let pages = try await untilResumed { continuation in
      Catalogue().pages { continuation.resume(returning: $0) }
    }
    #expect(pages == (1...3).map { "\(number), page \($0)" })
    #expect(StubRegistry.current.journal.entries.count == 3)
    #expect(StubRegistry.current.journal.entries.map(\.isInferred) == [false, false, false])
  }
}
