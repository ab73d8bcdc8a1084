import Foundation
import StubKitServer
import StubKitTesting
import TestSupport
import XCTest

#if !canImport(XCUIAutomation)
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
#endif
