import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The code under test in the recipes, as apps have it.

/// A client of a server for films.
struct FilmAPI: Sendable {
  enum Failure: Error, Equatable {
    case status(Int)
    case notJSON
  }

  var base = "https://api.example.com"
  var session = URLSession.shared
  var clock: any Clock<Duration> = ContinuousClock()
  var attempts = 1

  func films() async throws -> [String] { try json(await send("GET", "/films")) }

  func name() async throws -> String? {
    let user: [String: String] = try json(await send("GET", "/me"))
    return user["name"]
  }

  func signIn() async throws { _ = try await send("POST", "/login") }

  /// Resumes the download as often as the connection is lost.
  func film() async throws -> Data {
    var download = EpisodeDownload()
    while !download.isComplete {
      do { try await download.resume(url("/film")) } catch URLError.networkConnectionLost {}
    }
    return download.received
  }

  /// Repeats an upload that fails, once.
  func upload(_ photo: Data) async throws {
    var request = URLRequest(url: url("/photos"))
    request.httpMethod = "POST"
    do { _ = try await session.upload(for: request, from: photo) } catch is URLError {
      _ = try await session.upload(for: request, from: photo)
    }
  }

  func upload(_ photo: Data, caption: String) async throws {
    let boundary = "boundary-\(UUID().uuidString)"
    let head = """
      --\(boundary)
      Content-Disposition: form-data; name="caption"

      \(caption)
      --\(boundary)
      Content-Disposition: form-data; name="photo"; filename="photo.jpg"
      Content-Type: image/jpeg


      """
    let lines = head.replacingOccurrences(of: "\n", with: "\r\n")
    let body = Data(lines.utf8) + photo + Data("\r\n--\(boundary)--\r\n".utf8)
    _ = try await send(
      "POST", "/photos", headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"], body: body)
  }

  /// Repeats an order whose connection is lost, under the same key.
  func order(_ film: String) async throws {
    let headers = ["Idempotency-Key": UUID().uuidString, "Content-Type": "application/json"]
    let body = try JSONEncoder().encode(["film": film])
    do { _ = try await send("POST", "/orders", headers: headers, body: body) } catch URLError.networkConnectionLost {
      _ = try await send("POST", "/orders", headers: headers, body: body)
    }
  }

  func publish(_ film: String, poster: Data) async throws {
    _ = try await send("POST", "/films", body: Data(film.utf8))
    _ = try await send("PUT", "/films/\(film)/poster", body: poster)
    _ = try await send("POST", "/films/\(film)/publication")
  }

  private func url(_ path: String) -> URL { URL(string: base + path)! }

  /// Tries again after 1, 2, 4 … seconds, or when the server says.
  private func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil
  ) async throws -> (Data, HTTPURLResponse) {
    var request = URLRequest(url: url(path))
    request.timeoutInterval = 15
    request.httpMethod = method
    request.httpBody = body
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    var failures = 0
    while true {
      var pause = Duration.seconds(1 << failures)
      failures += 1
      do {
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        switch response.statusCode {
        case 200...299: return (data, response)
        case 308:
          // The session's delegate has refused to follow.
          request.url = response.value(forHTTPHeaderField: "Location").flatMap { URL(string: $0) }
          continue
        case 429 where failures < attempts, 503 where failures < attempts:
          let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
          pause = seconds.map { .seconds($0) } ?? pause
        default: throw Failure.status(response.statusCode)
        }
      } catch let error as URLError {
        guard failures < attempts, [.timedOut, .networkConnectionLost].contains(error.code) else { throw error }
      }
      try await clock.sleep(for: pause)
    }
  }

  private func json<Value: Decodable>(_ answer: (data: Data, head: HTTPURLResponse)) throws -> Value {
    guard answer.head.value(forHTTPHeaderField: "Content-Type") == "application/json" else { throw Failure.notJSON }
    return try JSONDecoder().decode(Value.self, from: answer.data)
  }
}

/// A client that signs in when the server asks for it.
actor AccountAPI {
  private var token: String?

  func name() async throws -> String? {
    if let token, let name = try await name(token) { return name }
    var login = URLRequest(url: address("/login"))
    login.httpMethod = "POST"
    let answer = try await URLSession.shared.data(for: login).0
    let fresh = try JSONDecoder().decode([String: String].self, from: answer)["token"] ?? ""
    token = fresh
    return try await name(fresh)
  }

  /// - Returns: `nil` if the token has expired.
  private func name(_ token: String) async throws -> String? {
    var request = URLRequest(url: address("/me"))
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    let (data, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode != 401 else { return nil }
    return try JSONDecoder().decode([String: String].self, from: data)["name"]
  }
}

/// A client that keeps the last list and its entity tag.
actor KeepingFilmAPI {
  private var kept: (films: [String], tag: String)?

  func films() async throws -> [String] {
    var request = URLRequest(url: address("/films"))
    if let kept { request.setValue(kept.tag, forHTTPHeaderField: "If-None-Match") }
    let (data, response) = try await URLSession.shared.data(for: request)
    let head = response as? HTTPURLResponse
    if head?.statusCode == 304, let kept { return kept.films }
    let films = try JSONDecoder().decode([String].self, from: data)
    kept = head?.value(forHTTPHeaderField: "ETag").map { (films, $0) }
    return films
  }
}

struct GraphQLError: Error, Decodable {
  let message: String
}

/// A client whose operations all go to one URL.
struct GraphQLAPI: Sendable {
  private struct Operation: Encodable {
    let operationName: String
    let query: String
    var variables: [String: JSONVariable] = [:]
  }

  private enum JSONVariable: Encodable {
    case text(String)
    case number(Int)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }

  private struct Answer: Decodable {
    let data: [String: [String]]?
    let errors: [GraphQLError]?
  }

  func films() async throws -> [String] {
    try await run(Operation(operationName: "Films", query: "query Films { films }"))["films"] ?? []
  }

  func rate(_ film: String, stars: Int) async throws {
    let query = "mutation Rate($film: String!, $stars: Int!) { rate(film: $film, stars: $stars) }"
    let variables = ["film": JSONVariable.text(film), "stars": .number(stars)]
    _ = try await run(Operation(operationName: "Rate", query: query, variables: variables))
  }

  private func run(_ operation: Operation) async throws -> [String: [String]] {
    var request = URLRequest(url: address("/graphql"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(operation)
    let answer = try JSONDecoder().decode(Answer.self, from: await URLSession.shared.data(for: request).0)
    if let error = answer.errors?.first { throw error }
    return answer.data ?? [:]
  }
}

/// A client of an event stream that stops when the server answers with 204.
struct Ticker: Sendable {
  var clock: any Clock<Duration>

  func prices() async throws -> [String] {
    var (parser, prices) = (EventParser(), [String]())
    while true {
      var request = URLRequest(url: address("/ticker"))
      if !parser.lastID.isEmpty { request.setValue(parser.lastID, forHTTPHeaderField: "Last-Event-ID") }
      let (data, response) = try await URLSession.shared.data(for: request)
      guard (response as? HTTPURLResponse)?.statusCode == 200 else { return prices }
      parser.beginStream()
      prices += parser.events(in: data).map(\.data)
      try await clock.sleep(for: parser.retry)
    }
  }
}
