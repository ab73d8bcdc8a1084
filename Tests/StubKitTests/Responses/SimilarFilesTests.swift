import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Files of similar name", .inTurn)
struct SimilarFilesTests {
  @Test("are the nearest three")
  func nearest() throws {
    for (name, expected) in [
      ("users", ["users.json"]), ("users.xml", ["users.json"]), ("Users.json", ["users.json"]),
      ("usres.json", ["users.json"]), ("b1.txt", ["a1.txt", "a2.txt", "a3.txt"]), ("deep.json", ["Below/deep.json"]),
      ("entirely-other.bin", []),
    ] {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StubKit-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("Below"), withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for file in ["users.json", "user.txt", "a1.txt", "a2.txt", "a3.txt", "a4.txt", "Below/deep.json"] {
        try Data().write(to: folder.appendingPathComponent(file))
      }
      #expect(SimilarFiles(to: name, in: [folder, folder]).names == expected, "\(name)")
    }
  }
}
