import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Note: Codable, Equatable, Sendable {
  let id: Int
  let text: String
}

enum NoteSyncError: Error, Equatable {
  case gaveUp(attempts: Int)
  case refused(status: Int)
  case signedOut
}

/// Brings a device's notes and a server's together: page by page, through outages, and with an access token that
/// expires.
struct NoteSync<Time: Clock>: Sendable where Time.Duration == Duration {
  let clock: Time
  let token: AccessToken
  var session = URLSession.shared
  var attempts = 5
  private let server = URL(string: "https://notes.example/")!

  init(clock: Time, accessToken: String, refreshToken: String) {
    self.clock = clock
    token = AccessToken(accessToken, refreshToken: refreshToken)
  }

  /// All notes, however many pages they are on.
  func notes() async throws -> [Note] {
    var notes: [Note] = []
    var next: URL? = server.appendingPathComponent("notes")
    while let page = next {
      let (data, response) = try await send(URLRequest(url: page))
      notes += try JSONDecoder().decode([Note].self, from: data)
      next = response.link(to: "next", from: page)
    }
    return notes
  }

  /// Tries until it works: after 1, 2, 4, 8 … seconds, or when the server says.
  private func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    var accessToken = await token.value
    var hasNewToken = false
    var failures = 0
    while true {
      var pause = Duration.seconds(1 << failures)
      do {
        var signed = request
        signed.setValue("Bearer \(accessToken)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await session.data(for: signed)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        switch response.statusCode {
        case 200...299: return (data, response)
        case 401 where hasNewToken: throw NoteSyncError.signedOut
        case 401:
          accessToken = try await token.renewed(insteadOf: accessToken, at: server, by: session)
          hasNewToken = true
          continue
        case 429, 500...599:
          pause = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { .seconds($0) } ?? pause
        default: throw NoteSyncError.refused(status: response.statusCode)
        }
      } catch is URLError {}
      failures += 1
      guard failures < attempts else { throw NoteSyncError.gaveUp(attempts: failures) }
      try await clock.sleep(for: pause)
    }
  }
}

/// The access token that all requests share. It is renewed once, however many of them find that it has expired.
actor AccessToken {
  private(set) var value: String
  private let refreshToken: String
  private var renewal: Task<String, any Error>?

  init(_ value: String, refreshToken: String) {
    self.value = value
    self.refreshToken = refreshToken
  }

  func renewed(insteadOf expired: String, at server: URL, by session: URLSession) async throws -> String {
    // Another request was faster.
    guard value == expired else { return value }
    if let renewal { return try await renewal.value }
    var request = URLRequest(url: server.appendingPathComponent("token"))
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data("grant_type=refresh_token&refresh_token=\(refreshToken)".utf8)
    let renewal = Task { [request] in
      let (data, response) = try await session.data(for: request)
      guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw NoteSyncError.signedOut }
      return try JSONDecoder().decode([String: String].self, from: data)["access_token"] ?? ""
    }
    self.renewal = renewal
    defer { self.renewal = nil }
    value = try await renewal.value
    return value
  }
}

extension HTTPURLResponse {
  /// The target of a `Link` header (RFC 8288).
  fileprivate func link(to relation: String, from page: URL) -> URL? {
    for link in value(forHTTPHeaderField: "Link")?.split(separator: ",") ?? [] {
      let parts = link.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let target = parts.first, parts.dropFirst().contains("rel=\"\(relation)\"") else { continue }
      return URL(string: target.trimmingCharacters(in: CharacterSet(charactersIn: "<>")), relativeTo: page)
    }
    return nil
  }
}
