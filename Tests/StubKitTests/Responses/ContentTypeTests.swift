import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("A content type", .inTurn)
struct ContentTypeTests {
  @Test("follows from a file's extension")
  func table() {
    for (fileExtension, expected) in [
      ("json", "application/json"), ("JSON", "application/json"), ("txt", "text/plain; charset=utf-8"),
      ("html", "text/html; charset=utf-8"), ("htm", "text/html; charset=utf-8"), ("css", "text/css; charset=utf-8"),
      ("js", "text/javascript; charset=utf-8"), ("csv", "text/csv; charset=utf-8"), ("xml", "application/xml"),
      ("png", "image/png"), ("jpg", "image/jpeg"), ("jpeg", "image/jpeg"), ("gif", "image/gif"),
      ("svg", "image/svg+xml"),
      ("webp", "image/webp"), ("pdf", "application/pdf"), ("zip", "application/zip"), ("mp4", "video/mp4"),
      ("mp3", "audio/mpeg"), ("woff2", "font/woff2"), ("yaml", "application/yaml"), ("bin", "application/octet-stream"),
      ("geojson", "application/geo+json"), ("plist", "application/x-plist"), ("tail", nil), ("", nil),
    ] {
      #expect(ContentType.forExtension(fileExtension) == expected, "\(fileExtension)")
    }
  }

  @Test("of a file response is that of its extension")
  func ofFiles() {
    for (path, expected) in [
      ("Fixtures/a.json", "application/json"), ("a.tar.gz", "application/gzip"), ("dir.json/a", nil), (".json", nil),
      ("/x/y.PNG", "image/png"), ("a", nil),
    ] {
      #expect(StubResponse.file(path).headers["Content-Type"] == expected, "\(path)")
      #expect(StubResponse.file(URL(fileURLWithPath: path)).headers["Content-Type"] == expected, "\(path)")
      #expect(fixture(named: path).headers["Content-Type"] == expected, "\(path)")
    }
  }
}
