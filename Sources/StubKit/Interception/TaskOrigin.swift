import Foundation

/// A task knows what its request does not show: its session's headers, and its body.
extension URLSessionTask: RequestOrigin {
  func addedHeaders(to request: URLRequest) -> [String: String] { Platform.addedHeaders(to: request, of: self) }

  var separateBody: RequestBody? { Platform.separateBody(of: self) }

  func problem(of request: URLRequest) -> (any Error)? { Platform.problem(of: request, self) }

  func readBody(of request: URLRequest) async throws -> Data? { try await Platform.readBody(of: request, self) }

  func giveBack(_ body: RequestBody) async -> Bool { await Platform.giveBack(body, to: self) }
}
