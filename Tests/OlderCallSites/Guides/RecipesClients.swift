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

  /// Downloads a film, and goes on with the rest when the connection is lost.
  func film() async throws -> Data {
    var (film, tag): (Data, String?) = (Data(), nil)
    while true {
      var request = URLRequest(url: url("/film"))
      if let tag {
        request.setValue("bytes=\(film.count)-", forHTTPHeaderField: "Range")
        request.setValue(tag, forHTTPHeaderField: "If-Range")
      }
      let part = Download()
      let response = await part.run(request)
      if response?.statusCode == 200 { film = Data() }
      film += part.received
      tag = response?.value(forHTTPHeaderField: "ETag")
      if part.isComplete { return film }
    }
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
    let head =
      "--b\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\n\(caption)\r\n"
      + "--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"lake.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
    let body = Data(head.utf8) + photo + Data("\r\n--b--\r\n".utf8)
    _ = try await send("POST", "/photos", headers: ["Content-Type": "multipart/form-data; boundary=b"], body: body)
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
  private var token = ""

  func name() async throws -> String? {
    if let name = try? await name(token) { return name }
    let answer = try await text(request("/login", "POST"))
    token = try JSONDecoder().decode([String: String].self, from: Data(answer.utf8))["token"] ?? ""
    return try await name(token)
  }

  private func name(_ token: String) async throws -> String? {
    let answer = try await text(request("/me", "GET", ["Authorization": "Bearer \(token)"]))
    return try JSONDecoder().decode([String: String].self, from: Data(answer.utf8))["name"]
  }
}

struct GraphQLError: Error, Decodable {
  let message: String
}

/// A client whose operations all go to one URL.
struct GraphQLAPI: Sendable {
  private struct Answer: Decodable {
    let data: [String: [String]]?
    let errors: [GraphQLError]?
  }

  func films() async throws -> [String] { try await run("Films", "query Films { films }")["films"] ?? [] }

  func rate(_ film: String, stars: Int) async throws {
    let query = "mutation Rate($film: String!, $stars: Int!) { rate(film: $film, stars: $stars) }"
    _ = try await run("Rate", query, ["film": film, "stars": stars])
  }

  private func run(_ name: String, _ query: String, _ variables: [String: Any] = [:]) async throws -> [String: [String]]
  {
    let body = try JSONSerialization.data(
      withJSONObject: ["operationName": name, "query": query, "variables": variables])
    let json = String(decoding: body, as: UTF8.self)
    let told = try await text(request("/graphql", "POST", ["Content-Type": "application/json"], body: json))
    let answer = try JSONDecoder().decode(Answer.self, from: Data(told.utf8))
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
      let headers = parser.lastID.isEmpty ? [:] : ["Last-Event-ID": parser.lastID]
      let (head, text) = try await answer(request("/ticker", "GET", headers))
      guard head.statusCode == 200 else { return prices }
      parser.beginStream()
      prices += parser.events(in: Data(text.utf8)).map(\.data)
      try await clock.sleep(for: parser.retry)
    }
  }
}
