import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The temporary file of a download", .inTurn)
struct TemporaryFileTests {
  @Test("that can't be made says where, and what to do")
  func unwritable() throws {
    let error = #expect(throws: URLError.self) { try TemporaryFile(in: URL(fileURLWithPath: "/no/such/place")) }
    #expect(error?.code == .cannotCreateFile)
    let text = try #require(error).localizedDescription
    #expect(text.contains("/no/such/place/StubKit-") && text.contains("No such file or directory"))
    #expect(text.contains("set TMPDIR"))
  }
}
