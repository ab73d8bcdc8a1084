import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of a shop for films, as an app has it. It makes one of the mistakes in `mistakes.txt`, if the environment
/// says so.
actor Shop {
  /// The server has answered with another status than 2xx, or with errors in GraphQL.
  struct Failure: Error, Equatable {
    let status: Int
    var message = ""
  }

  private let clock: any Clock<Duration>
  private var token: String?
  private var refresh: Task<Void, any Error>?
  private var images: [URL: (tag: String, data: Data)] = [:]

  init(token: String? = nil, clock: any Clock<Duration> = ContinuousClock()) {
    (self.token, self.clock) = (token, clock)
  }

  private func request(
    _ method: String, _ path: String, _ query: [String: String] = [:], json: [String: Any]? = nil
  ) throws -> URLRequest {
    var url = URLComponents(string: "https://api.example.com\(path)")!
    if !query.isEmpty { url.queryItems = query.sorted(by: <).map { URLQueryItem(name: $0.key, value: $0.value) } }
    var request = URLRequest(url: url.url!)
    request.httpMethod = method
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let json {
      request.httpBody = try JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    return request
  }

  /// Fails for another status than 2xx, and those that the caller expects.
  private func send(
    _ request: URLRequest, expecting statuses: Set<Int> = []
  ) async throws -> (Data, HTTPURLResponse) {
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    if !statuses.contains(response.statusCode), !(200..<300).contains(response.statusCode) {
      throw Failure(status: response.statusCode)
    }
    return (data, response)
  }

  private func value<Value: Decodable>(_ request: URLRequest) async throws -> Value {
    try JSONDecoder().decode(Value.self, from: await send(request).0)
  }
}

// Accounts.
extension Shop {
  func signIn(_ user: String, _ password: String) async throws {
    var login = try request(
      makes("login, PUT") ? "PUT" : "POST", "/login",
      makes("login, password in the query") ? ["password": password] : [:],
      json: [makes("login, name of the user") ? "username" : "user": user, "password": password])
    if makes("login, text/plain") { login.setValue("text/plain", forHTTPHeaderField: "Content-Type") }
    if makes("login, http") { login.url = URL(string: "http://api.example.com/login") }
    let expected: Set = makes("login, status ignored") ? [401, 503] : []
    let (data, _) = try await send(login, expecting: expected)
    let answer = try? JSONDecoder().decode([String: String].self, from: data)
    if !makes("login, token dropped") { token = answer?["token"] }
  }

  func name() async throws -> String? {
    var me = try request(
      makes("me, POST") ? "POST" : "GET", makes("me, trailing slash") ? "/me/" : "/me",
      makes("me, token in the query") ? ["token": token ?? ""] : [:])
    if makes("me, another host") { me.url = URL(string: "https://staging.example.com/me") }
    if makes("me, Token for Bearer") { me.setValue("Token \(token ?? "")", forHTTPHeaderField: "Authorization") }
    let answer: [String: String] = try await value(me)
    return answer["name"]
  }

  /// Refreshes the token once for all requests that are refused, and tries again once.
  func notes() async throws -> [String] {
    for attempt in 1... {
      let used = token
      let (data, response) = try await send(request("GET", "/notes"), expecting: [401])
      if response.statusCode != 401 { return try JSONDecoder().decode([String].self, from: data) }
      if attempt == 2, !makes("refresh, without end") { throw Failure(status: 401) }
      if token == used || makes("refresh, refused token not compared") { try await refreshToken() }
    }
    return []
  }

  private func refreshToken() async throws {
    if let refresh, !makes("refresh, once for each request") { return try await refresh.value }
    var login = try request(makes("refresh, GET") ? "GET" : "POST", "/token")
    login.httpBody = Data(
      "grant_type=refresh_token&refresh_token=r\(makes("refresh, not encoded") ? "+" : "%2B")1".utf8)
    let type = makes("refresh, form as JSON") ? "application/json" : "application/x-www-form-urlencoded"
    login.setValue(type, forHTTPHeaderField: "Content-Type")
    let task = Task { [login] in
      let answer: [String: String] = try await value(login)
      if !makes("refresh, old token kept") { token = answer["access_token"] }
    }
    refresh = task
    defer { refresh = nil }
    try await task.value
  }
}

// Lists and files.
extension Shop {
  func films() async throws -> [String] {
    var films: [String] = []
    let size = makes("pages, size forgotten") ? [:] : ["size": "2"]
    let page = ["page": makes("pages, begin at 0") ? "0" : "1"]
    var next: URLRequest? = try request("GET", "/films", size.merging(page) { $1 })
    while let request = next {
      let (data, response) = try await send(request)
      let more = try JSONDecoder().decode([String].self, from: data)
      films += more
      let link = response.value(forHTTPHeaderField: "Link")?.split(separator: ">").first?.dropFirst()
      next = try link.map { try self.request("GET", String($0)) }
      if makes("pages, only the first") { next = nil }
      if makes("pages, one too many"), next == nil, !more.isEmpty, films.count > 2 {
        next = try self.request("GET", "/films", ["page": "3", "size": "2"])
      }
      if makes("pages, link without its host"), let link { next = URLRequest(url: URL(string: String(link))!) }
    }
    return films
  }

  func search(_ text: String) async throws -> [String] {
    var search = try request("GET", "/search", [makes("search, name of the text") ? "query" : "q": text])
    if makes("search, user in the query") { search = try request("GET", "/search", ["q": text, "user": "ann"]) }
    if makes("search, POST") { search.httpMethod = "POST" }
    if makes("search, sent twice") { _ = try await send(search) }
    return try await value(search)
  }

  func upload(_ photo: Data, caption: String) async throws {
    func part(_ name: String, _ rest: String) -> Data {
      Data("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(rest)\r\n\r\n".utf8)
    }
    let file = makes("upload, no file name") ? "" : "; filename=\"a.jpg\""
    let type = makes("upload, type of the photo") ? "image/png" : "image/jpeg"
    let title = part(makes("upload, name of the caption") ? "title" : "caption", "") + Data("\(caption)\r\n".utf8)
    var photos = try request("POST", "/photos")
    photos.httpBody = title + part("photo", "\(file)\r\nContent-Type: \(type)") + photo + Data("\r\n--b--\r\n".utf8)
    let boundary = makes("upload, no boundary") ? "" : "; boundary=b"
    photos.setValue("multipart/form-data\(boundary)", forHTTPHeaderField: "Content-Type")
    _ = try await send(photos, expecting: makes("upload, status ignored") ? [413] : [])
  }

  /// Downloads the rest of a film, or all of it if it has changed.
  func film(after part: Data, tag: String) async throws -> Data {
    var film = try request("GET", "/film")
    let offset = part.count - (makes("download, range off by one") ? 1 : 0)
    film.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range")
    if !makes("download, no If-Range") { film.setValue(tag, forHTTPHeaderField: "If-Range") }
    let (data, response) = try await send(film)
    return response.statusCode == 206 || makes("download, whole film appended") ? part + data : data
  }

  func poster() async throws -> Data {
    var poster = try request("GET", "/poster.jpg")
    let known = images[poster.url!]
    let tag = makes("poster, tag without quotes") ? known?.tag.filter { $0 != "\"" } : known?.tag
    let field = makes("poster, If-Match") ? "If-Match" : "If-None-Match"
    if !makes("poster, no tag") { poster.setValue(tag, forHTTPHeaderField: field) }
    let (data, response) = try await send(poster, expecting: makes("poster, 304 is a failure") ? [] : [304])
    if response.statusCode == 304 { return known?.data ?? data }
    if let tag = response.value(forHTTPHeaderField: "ETag") { images[poster.url!] = (tag, data) }
    return data
  }
}

// Orders, and what is sent later.
extension Shop {
  /// Tries again when the server is busy, when it says so, and when the connection is lost.
  func order(_ film: String, count: Int) async throws {
    var order = try request(
      "POST", "/orders", json: ["film": film, "count": makes("order, number as a text") ? "\(count)" : count])
    if makes("order, no type") { order.setValue(nil, forHTTPHeaderField: "Content-Type") }
    var key = makes("order, one key for all") ? "1" : UUID().uuidString
    for attempt in 1... {
      order.setValue(makes("order, no key") ? nil : key, forHTTPHeaderField: "Idempotency-Key")
      if makes("order, sent twice"), attempt == 1 { _ = try await send(order) }
      do {
        let (_, response) = try await send(order, expecting: [503])
        guard response.statusCode == 503, !makes("order, 503 is success") else { return }
        let pause = response.value(forHTTPHeaderField: "Retry-After").flatMap(Int.init) ?? 1
        try await clock.sleep(for: .seconds(makes("order, pause ignored") ? 1 : pause))
      } catch URLError.networkConnectionLost where attempt < 3 && !makes("order, no second attempt") {
      } catch let failure as Failure where makes("order, tried again after 422") && attempt < 3 { _ = failure }
      if makes("order, new key") { key = UUID().uuidString }
    }
  }

  func rate(_ film: String, stars: Int) async throws {
    struct Answer: Decodable { let errors: [[String: String]]? }
    let document = "mutation Rate($film: String!, $stars: Int!) { rate(film: $film, stars: $stars) }"
    let variables: [String: Any] = ["film": film, "stars": makes("rate, off by one") ? stars + 1 : stars]
    let operation = makes("rate, name of the operation") ? "RateFilm" : "Rate"
    var rate = try request(
      "POST", "/graphql", json: ["operationName": operation, "query": document, "variables": variables])
    if makes("rate, form for a type") {
      rate.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    }
    let answer: Answer = try await value(rate)
    if let error = answer.errors?.first, !makes("rate, errors ignored") {
      throw Failure(status: 200, message: error["message"] ?? "")
    }
  }

  /// Sends drafts in their order, and returns those that are left when a request fails.
  func send(drafts: [String]) async -> [String] {
    var left = drafts[...]
    while let draft = makes("drafts, order") ? left.last : left.first {
      do {
        var save = try request(makes("drafts, POST") ? "POST" : "PUT", "/draft")
        save.httpBody = Data(draft.utf8)
        save.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        _ = try await send(save)
      } catch { return makes("drafts, dropped when one fails") ? [] : Array(left) }
      left = makes("drafts, order") ? left.dropLast() : left.dropFirst()
    }
    return []
  }

  func deleteDraft() async throws {
    _ = try await send(request(makes("delete, GET") ? "GET" : "DELETE", "/draft"))
  }

  /// Reads the events of a stream that the server closes, until it says that there are no more.
  func prices() async throws -> [String] {
    var (prices, last, pause): ([String], String?, Int) = ([], nil, 0)
    while true {
      var ticker = try request("GET", "/ticker")
      if !makes("prices, last event forgotten") { ticker.setValue(last, forHTTPHeaderField: "Last-Event-ID") }
      let (data, response) = try await send(ticker)
      if response.statusCode == 204 { return prices }
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
        if line.hasPrefix("data: ") { prices.append(String(line.dropFirst(6))) }
        if line.hasPrefix("id: ") { last = String(line.dropFirst(4)) }
        if line.hasPrefix("retry: ") { pause = Int(line.dropFirst(7)) ?? 0 }
      }
      try await clock.sleep(for: .milliseconds(makes("prices, pause ignored") ? 0 : pause))
    }
  }
}

private let chosen = ProcessInfo.processInfo.environment["MISTAKE"]

/// Returns whether the client makes a mistake.
private func makes(_ mistake: String) -> Bool { mistake == chosen }
