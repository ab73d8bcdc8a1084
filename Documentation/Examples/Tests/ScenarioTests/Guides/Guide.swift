import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What the guides' examples use without showing it.

let film = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })

func address(_ path: String) -> URL { URL(string: "https://api.example.com\(path)")! }

func code(_ path: String, session: URLSession = .shared) async -> URLError.Code? {
  do {
    _ = try await session.data(from: address(path))
    return nil
  } catch {
    return (error as? URLError)?.code
  }
}

func text(_ path: String) async throws -> String {
  String(decoding: try await URLSession.shared.data(from: address(path)).0, as: UTF8.self)
}

func status(_ path: String) async throws -> Int? {
  (try await URLSession.shared.data(from: address(path)).1 as? HTTPURLResponse)?.statusCode
}

/// What the clients of several guides decode.
struct User: Codable {
  let id: Int
  let name: String
}
