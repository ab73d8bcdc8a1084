import Foundation

extension Exchange {
  static let small = Exchange("small", .text("Hello"))
  static let head = Exchange("head", .text("not for HEAD"))

  static let bodyInEveryMethod = small.with("body where there is none") { $0.sendsBodyAlways = true }

  static let emptyBodyInEveryMethod = bodyInEveryMethod.with("empty body where there is none") { $0.requestBody = "" }

  /// Answers of every common shape, without redirects, challenges and failures.
  static let plain: [Exchange] = [
    Exchange("empty", Answer()),
    small,
    Exchange("chunked in 5", .text("one", "two", "three", "four", "five").with { $0.framing = .chunked }),
    Exchange("pieces with pauses", .text("one", "two", "three").with { $0.interval = 0.03 }),
    Exchange("until the end of the connection", .text("Hello").with { $0.framing = .close }),
    Exchange("1 MB", .text(String(repeating: "0123456789abcdef", count: 65_536))),
    Exchange("late", .text("late").with { $0.pause = 0.05 }),
    Exchange("204", Answer(status: 204)),
    Exchange("206", .text("part").with(status: 206, ("Content-Range", "bytes 0-3/9"))),
    Exchange("300", .text("choices").with(status: 300, ("Location", "/end"))),
    Exchange("304", Answer(status: 304, headers: [("ETag", "\"1\"")])),
    Exchange("404", .text("not here").with(status: 404)),
    // As some real servers send them.
    Exchange("999", .text("go away").with(status: 999)),
    Exchange("500 without a body", Answer(status: 500)),
    Exchange("503", .text("later").with(status: 503, ("Retry-After", "1"))),
    Exchange("a header field twice", .text("Hello").with(("X-Twice", "1"), ("X-Twice", "2"))),
    Exchange("header field names that differ in case", .text("Hello").with(("X-Case", "1"), ("x-case", "2"))),
    Exchange("JSON", Answer(headers: [("Content-Type", "application/json")], body: ["{\"a\":1}"])),
  ]

  /// What the request brings along: header fields of the session, cookies, a body of some size.
  static let requests: [Exchange] = [
    small.with("header fields of the session") {
      $0.sessionHeaders = ["X-Session": "session", "X-Request": "of the session"]
    },
    small.with("authorization by the session") { $0.sessionHeaders = ["Authorization": "Bearer token"] },
    onlyFor("user in the URL", "ann", "secret", as: "ann:secret"),
    onlyFor("user in the URL, encoded", "a@b", "s:c é", as: "a%40b:s%3Ac%20%C3%A9"),
    onlyFor("user in the URL with a colon in the password", "ann", "a:b", as: "ann:a:b"),
    small.with("user in the URL, and authorization by the session") {
      $0.user = "ann:secret@"
      $0.sessionHeaders = ["Authorization": "Bearer token"]
    },
    small.with("user in the URL, and authorization of its own") {
      $0.user = "ann:secret@"
      $0.requestHeaders["Authorization"] = "Bearer token"
    },
    small.with("header fields of its own that the transport adds too") {
      $0.requestHeaders.merge(["User-Agent": "App/1", "accept": "text/html", "Accept-Encoding": "gzip"]) { $1 }
      $0.sessionHeaders = ["Accept-Language": "de", "Host": "other.example"]
    },
    small.with("stored cookie") { $0.storedCookies = ["a": "1"] },
    small.with("stored cookie, not asked for") {
      $0.storedCookies = ["a": "1"]
      $0.handlesCookies = false
    },
    small.with("stored cookie, and a Cookie field of its own") {
      $0.storedCookies = ["a": "1"]
      $0.requestHeaders["Cookie"] = "own=1"
    },
    small.with("content type of its own") { $0.requestHeaders["Content-Type"] = "text/csv" },
    small.with("large body") { $0.requestBody = String(repeating: "0123456789abcdef", count: 16_384) },
    small.with("empty body") { $0.requestBody = "" },
    small.with("query") { $0.target = "/start?q=a%20b&c" },
    small.with("dot segments") { $0.target = "/a/./b/../../start?q=/../a" },
    small.with("fragment") { $0.target = "/start?#/../a?b" },
  ]

  private static func onlyFor(_ name: String, _ user: String, _ password: String, as text: String) -> Exchange {
    let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
    return Exchange(
      name,
      [
        Route("/start", .header("Authorization", "Basic \(credentials)"), .text("Hello")),
        Route("/start", .text("who?").with(status: 403)),
      ]
    ).with { $0.user = "\(text)@" }
  }

  static let cookies: [Exchange] = [
    Exchange("sets a cookie", .text("Hello").with(("Set-Cookie", "a=1; Path=/"))),
    Exchange("sets two cookies", .text("Hello").with(("Set-Cookie", "a=1; Path=/"), ("Set-Cookie", "b=2; Path=/"))),
    Exchange(
      "replaces a cookie", .text("Hello").with(("Set-Cookie", "a=2; Path=/"))
    ).with { $0.storedCookies = ["a": "1"] },
    Exchange(
      "sets a cookie that is not wanted", .text("Hello").with(("Set-Cookie", "a=1; Path=/"))
    ).with { $0.handlesCookies = false },
    Exchange("sets a cookie with an error", .text("no").with(status: 500, ("Set-Cookie", "a=1; Path=/"))),
  ]
}

extension Answer {
  static func text(_ pieces: String...) -> Answer { Answer(headers: [("Content-Type", "text/plain")], body: pieces) }

  func with(status: Int = 200, _ headers: (name: String, value: String)...) -> Answer {
    with {
      $0.status = status
      $0.headers += headers
    }
  }

  func with(_ change: (inout Answer) -> Void) -> Answer {
    var copy = self
    change(&copy)
    return copy
  }
}
