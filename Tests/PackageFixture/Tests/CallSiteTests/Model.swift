import Foundation
import StubKit

nonisolated struct User: Codable, Sendable {
  var id: Int
  var name: String
}

nonisolated enum AppError: Error { case boom }

actor Store {
  var seen: [URLRequest] = []
  func add(_ request: URLRequest) { seen.append(request) }
}
