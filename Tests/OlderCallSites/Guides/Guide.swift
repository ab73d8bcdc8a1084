import Foundation
import StubKit
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What the guides' examples use without showing it.

let film = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })

func address(_ path: String) -> URL { URL(string: "https://api.example.com\(path)")! }

func request(
  _ path: String, _ method: String = "GET", _ headers: [String: String] = [:], body: String? = nil
) -> URLRequest {
  var request = URLRequest(url: address(path))
  request.httpMethod = method
  request.allHTTPHeaderFields = headers
  request.httpBody = body.map { Data($0.utf8) }
  return request
}

/// The head and the body of a response.
func answer(
  _ request: URLRequest, in session: URLSession = .shared
) async throws -> (head: HTTPURLResponse, text: String) {
  let (data, response) = try await session.data(for: request)
  return (response as! HTTPURLResponse, String(decoding: data, as: UTF8.self))
}

func text(_ request: URLRequest) async throws -> String { try await answer(request).text }
func text(_ path: String) async throws -> String { try await text(request(path)) }
func status(_ request: URLRequest) async throws -> Int { try await answer(request).head.statusCode }
func status(_ path: String) async throws -> Int { try await status(request(path)) }

func code(_ path: String, session: URLSession = .shared) async -> URLError.Code? {
  do {
    _ = try await session.data(from: address(path))
    return nil
  } catch {
    return (error as? URLError)?.code
  }
}

// The results of requests that are made one after the other.

func texts(_ paths: String...) async throws -> [String] { try await paths.mapInTurn(text) }
func statuses(_ paths: String...) async throws -> [Int] { try await paths.mapInTurn(status) }
func codes(_ paths: String...) async -> [URLError.Code?] { await paths.mapInTurn { await code($0) } }

extension [String] {
  fileprivate func mapInTurn<Result>(_ transform: (String) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}

/// What the clients of several guides decode.
struct User: Codable {
  let id: Int
  let name: String
}

/// Lines that callbacks write.
final class Log: Sendable {
  private let all = Locked<[String]>([])
  var lines: [String] { all.withLock { $0 } }
  func add(_ line: String) { all.withLock { $0.append(line) } }
}

/// A session's delegate that answers a challenge as Ann.
final class Ann: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.useCredential, URLCredential(user: "ann", password: "x", persistence: .none))
  }
}

/// Adds a stub as if it were written where the pages say that print reports.
@discardableResult
func printedStub(
  _ condition: RequestMatcher, _ name: String? = nil, times: Int? = nil,
  file: StaticString = "AppTests/UserTests.swift",
  line: UInt
) -> Stub {
  stub(condition: condition, response: .empty(), name: name, times: times, fileID: file, line: line)
}

/// Compares the report of a request that no stub matches with what a page prints.
func expectReport(_ printed: String, of request: URLRequest) async {
  let error = await #expect(throws: UnmatchedRequestError.self) { try await text(request) }
  let (told, shown) = (error?.description.split(separator: "\n") ?? [], printed.split(separator: "\n"))
  // Tests that run beside this one have scopes too, and lines of their own before the last.
  #expect(
    told.prefix(shown.count - 1) == shown.dropLast() && told.contains(shown.last ?? ""), "\(error?.description ?? "")")
}
