import Foundation
import StubKitServer
import StubKitTesting
import TestSupport
import XCTest

#if !canImport(XCUIAutomation)
  final class UsersUITests: StubbedTestCase {
    @MainActor func testListsUsers() async throws {
      let server = try await StubServer(for: "https://api.example.com")
      stub(.get, "https://api.example.com/users", response: .json([["name": "Ann"]]).delay(.milliseconds(300)))

      let app = XCUIApplication()
      app.launchEnvironment["API_URL"] = server.url.absoluteString
      app.launch()

      XCTAssert(app.staticTexts["Ann"].waitForExistence(timeout: 5))
      try verify(isPath("/users"), called: .once)
    }
  }

  /// In the place of the app: it loads the users, and shows their names.
  @MainActor final class XCUIApplication {
    var launchEnvironment: [String: String] = [:]
    let staticTexts = Texts()

    func launch() {
      let environment = launchEnvironment
      let base = environment["API_URL"] ?? "https://api.example.com"
      plainSession.dataTask(with: URL(string: base + "/users")!) { [staticTexts] data, _, _ in
        staticTexts.show(String(decoding: data ?? Data(), as: UTF8.self))
      }.resume()
    }

    final class Texts: Sendable {
      private let shown = Latch()
      private let text = Locked("")

      func show(_ new: String) {
        text.withLock { $0 = new }
        shown.open()
      }

      subscript(name: String) -> Element { Element(texts: self, name: name) }

      struct Element {
        let texts: Texts
        let name: String

        func waitForExistence(timeout: Double) -> Bool {
          // A busy machine takes its time.
          texts.shown.blockUntilOpened(within: 10 * timeout) && texts.text.withLock { $0.contains("\"\(name)\"") }
        }
      }
    }
  }

  /// What the app does.
  private func base() -> String {
    let environment = ProcessInfo.processInfo.environment
    let base = environment["API_URL"] ?? "https://api.example.com"
    return base
  }
#endif
