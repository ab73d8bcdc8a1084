import Foundation
import StubKit

extension Chapter {
  static let failureAndRetry = Chapter(
    "A request that fails, and succeeds after two retries",
    code: #"""
      stub(condition: isPath("/job"), responses: [
        .failure(.networkConnectionLost),
        .status(503),
        .json(["done": true]),
      ], name: "job")
      """#
  ) { page in
    stub(
      condition: isPath("/job"),
      responses: [
        .failure(.networkConnectionLost),
        .status(503),
        .json(["done": true]),
      ], name: "job")

    var attempts: [Int] = []
    repeat {
      do {
        let reply = try await Reply.get("https://api.example.com/job")
        page.show(reply)
        attempts.append(reply.status)
      } catch let error as URLError {
        page.show("→ GET https://api.example.com/job\n← URLError \(error.code.rawValue), the connection was lost")
        attempts.append(error.code.rawValue)
      }
    } while attempts.last != 200 && attempts.count < 5
    page.expect(
      attempts == [URLError.networkConnectionLost.rawValue, 503, 200], "a lost connection, then 503, then 200")
  }
}
