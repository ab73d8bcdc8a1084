import Foundation
import StubKitTesting
import TestSupport

/// The body of what the shared session gets.
func fetch(_ url: String, method: String = "GET", body: String? = nil) async throws -> String {
  try await URLSession.shared.fetch(request(url, method: method, body: body)).text
}

/// A stub of a test file that does not exist, so that what is said of its place can be compared.
@discardableResult
func stubAtLine(
  _ line: UInt, _ condition: RequestMatcher, _ response: StubResponse = .status(204),
  in registry: StubRegistry = .current, calls: CallCount? = nil, fileID: StaticString = "App/Users.swift"
) -> Stub {
  stub(
    condition: condition, response: response, calls: calls, in: registry, fileID: fileID, filePath: "/app/Users.swift",
    line: line, column: 5)
}

/// What a handler does, so that whoever doesn't wait for it goes on before it has returned.
func workForAWhile() {
  for _ in 0..<1_000 { _ = try? JSONSerialization.jsonObject(with: Data("[1]".utf8)) }
}
