import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

/// How the work grows with a body. The processor's time of one thread is compared with itself, and never with a limit.
@Suite("The pace of a redaction", .inTurn)
struct RedactionPaceTests {
  /// A body of many parts of one kind.
  struct Body: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// How many parts the short body has. The long one has four times as many.
    let count: Int
    var type = "text/plain"
    let text: @Sendable (Int) -> String
  }

  private static let bodies = [
    Body(testDescription: "parts of a form", count: 2_000, type: "multipart/form-data; boundary=b1") { count in
      (0..<count).map { "--b1\r\nContent-Disposition: form-data; name=\"field\($0)\"\r\n\r\nvalue \($0)\r\n" }.joined()
        + "--b1--\r\n"
    },
    Body(testDescription: "lines of a part without a colon", count: 4_000, type: "multipart/mixed; boundary=x") {
      String(repeating: "--x\r\nContent-", count: $0)
    },
    Body(testDescription: "members of JSON", count: 2_000, type: "application/json") { count in
      "["
        + (0..<count).map { #"{"id": \#($0), "name": "Ann", "token": "\#(PlantedSecret.random($0))"}"# }
        .joined(separator: ",") + "]"
    },
    Body(testDescription: "words", count: 20_000) { String(repeating: "kettle ", count: $0) },
    Body(testDescription: "open brackets", count: 40_000) { String(repeating: "[", count: $0) },
    Body(testDescription: "names without values", count: 20_000) { String(repeating: "a=", count: $0) },
    Body(testDescription: "random words", count: 2_000) {
      (0..<$0).map { PlantedSecret.random($0) }.joined(separator: " ")
    },
  ]

  private static func processorTime(of body: String, _ type: String) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let archive = HTTPArchive(RedactionTests.entry("/", answer: body, type))
    let start = now()
    _ = archive.redactedAndReported(.standard).archive
    return now() - start
  }

  @Test("of a body of four times as many parts takes far less than sixteen times as long", arguments: bodies)
  func growth(_ body: Body) async throws {
    let (short, long) = (body.text(body.count), body.text(4 * body.count))
    let ratio = try await onOwnThread {
      // In turn, and the least of each, because what else the machine does disturbs both.
      let times = (0..<3).map { _ in
        (Self.processorTime(of: short, body.type), Self.processorTime(of: long, body.type))
      }
      return times.map(\.1).min()! / times.map(\.0).min()!
    }
    #expect(ratio < 9)
  }
}
