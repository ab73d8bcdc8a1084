import Foundation
import StubKit
import StubKitOHHTTPStubs
import TestSupport
import Testing

@Suite("OHHTTPStubs' path helpers", .inTurn)
struct OHPathHelpersTests {
  private final class Marker {}

  @Test("find a resource by a class, in its folder")
  func byClass() throws {
    let path = try #require(OHPathForFile("Fixtures/users.json", Marker.self))
    #expect(path.hasSuffix("/Fixtures/users.json"))
    #expect(try StubJSON(parsing: fixture(filePath: path).body.load())[0]?["id"] == 1)
    #expect(OHPathForFile("users.json", Marker.self) == nil)
    #expect(OHPathForFile("Fixtures/no-such-file.json", Marker.self) == nil)
  }

  @Test("find a resource in a bundle, and no similar one")
  func inBundle() {
    #expect(OHPathForFileInBundle("Fixtures/users.json", .module) != nil)
    #expect(OHPathForFileInBundle("Fixtures/user.json", .module) == nil)
  }

  @Test("find a bundle by its name and a class")
  func bundles() throws {
    let name = Bundle.module.bundleURL.deletingPathExtension().lastPathComponent
    let bundle = try #require(OHResourceBundle(name, Marker.self))
    #expect(OHPathForFileInBundle("Fixtures/users.json", bundle) != nil)
    #expect(OHResourceBundle("NoSuchBundle", Marker.self) == nil)
  }
}
