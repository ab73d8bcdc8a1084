import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitFormats

@Suite("The standard redactions", .inTurn)
struct RedactionTableTests {
  /// Whether a text is in an archive: as it is, percent-encoded, or in Base64.
  private static func contains(_ archive: HTTPArchive, _ secret: String) -> Bool {
    contains(archive.data, secret)
  }

  private static func contains(_ data: Data, _ secret: String) -> Bool {
    let encoded = Data(secret.utf8).base64EncodedString().prefix(secret.utf8.count * 8 / 6 - 1)
    return String(decoding: data, as: UTF8.self).withCString { (data: UnsafePointer<CChar>) -> Bool in
      strstr(data, secret) != nil || strstr(data, String(encoded)) != nil
    }
  }

  @Test("find the secrets that were planted")
  func planted() {
    let all = PlantedSecret.all
    #expect(all.count >= 493)
    let missing = all.filter { !Self.contains(HTTPArchive(entries: [$0.entry]), $0.secret) }
    #expect(missing.map(\.description) == [], "These are not where they should have been planted.")
    let left = all.filter { Self.contains(HTTPArchive(entries: [$0.entry]).redacted(.standard), $0.secret) }
    #expect(left.count < 10, "\(left.count) of \(all.count) stay: \(left.map(\.description).joined(separator: ", "))")
    print("Of \(all.count) planted secrets, \(left.count) stay in plain text: \(left.map(\.description))")
  }

  @Test("find them in one archive of all, and replace each by one of its own")
  func together() {
    let all = PlantedSecret.all
    let redacted = HTTPArchive(entries: all.map(\.entry)).redacted(.standard)
    let data = redacted.data
    let left = all.filter { Self.contains(data, $0.secret) }
    #expect(left.count < 10, "\(left.map(\.description))")
    #expect(redacted.redactedAndCounted(.standard).count == 0)
  }

  @Test("leave every byte of ordinary values")
  func ordinary() {
    var changed: [String] = []
    for (container, make) in PlantedSecret.containers {
      for (name, value) in PlantedSecret.ordinary {
        let isInURL = ["query", "form", "link", "fragment"].contains { container.contains($0) }
        let text = isInURL ? value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value : value
        let entry = make(name, text)
        if HTTPArchive(entries: [entry]).redacted(.standard).entries != [entry] {
          changed.append("\(name) in \(container)")
        }
      }
    }
    let count = PlantedSecret.containers.count * PlantedSecret.ordinary.count
    print("Of \(count) ordinary values, \(changed.count) are redacted: \(changed)")
    #expect(changed == [])
  }

  @Test(
    "find in the archives of six tools only what is secret",
    arguments: [
      // Cookies, and two tokens in a query.
      ("chrome", 4), ("firefox", 0), ("safari", 0), ("charles", 0), ("mitmproxy", 4), ("playwright/playwright", 4),
    ])
  func fixtures(name: String, count: Int) throws {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/Archives/\(name)", withExtension: "har"))
    let archive = try HTTPArchive(contentsOf: url)
    #expect(archive.redactedAndCounted(.standard).count == count)
  }
}
