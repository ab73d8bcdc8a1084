import Foundation
import StubKit
import StubKitOHHTTPStubs
import TestSupport
import Testing

@Suite("OHHTTPStubs' path helpers", .inTurn)
struct OHPathHelpersTests {
  private final class Marker {}

  @Test("find a resource by a class or in a bundle")
  func byClass() throws {
    let path = try #require(OHPathForFile("Fixtures/users.json", Marker.self))
    #expect(path.hasSuffix("/Fixtures/users.json"))
    #expect(try StubJSON(parsing: fixture(filePath: path).body.load())[0]?["id"] == 1)
    #expect(OHPathForFile("Fixtures/no-such-file.json", Marker.self) == nil)
    #expect(OHPathForFile("users.json", Marker.self) == nil)
    // The same for a bundle, which has users.json and no user.json.
    #expect(OHPathForFileInBundle("Fixtures/user.json", .module) == nil)
    let name = Bundle.module.bundleURL.deletingPathExtension().lastPathComponent
    for bundle in [.module, try #require(OHResourceBundle(name, Marker.self))] as [Bundle] {
      #expect(OHPathForFileInBundle("Fixtures/users.json", bundle) != nil, "\(bundle)")
    }
    #expect(OHResourceBundle("NoSuchBundle", Marker.self) == nil)
  }
}
