/// A conversation between a client and a server, which can be served and can be stubbed.
struct Exchange: Sendable {
  var name: String
  /// Where the client's request goes: a path, with a query if need be.
  var target = "/start"
  /// What stands before the host, with its @.
  var user = ""
  /// The first route that takes a request answers it.
  var routes: [Route] = []
  /// Whether nobody listens at the port.
  var isRefused = false

  var requestHeaders: [String: String] = ["X-Request": "own"]
  var requestBody = "request body"
  /// Whether a data task has the body whatever its method.
  var sendsBodyAlways = false
  var sessionHeaders: [String: String] = [:]
  var storedCookies: [String: String] = [:]
  /// Seconds.
  var requestTimeout: Double?
  /// Seconds.
  var sessionTimeout: Double?
  /// Whether the session asks for cookies, and keeps them.
  var handlesCookies = true

  init(_ name: String, _ answer: Answer) { self.init(name, [Route("/start", answer)]) }

  init(_ name: String, _ routes: [Route]) {
    self.name = name
    self.routes = routes
  }

  /// Whether a second or more goes by.
  var takesLong: Bool { requestTimeout != nil || sessionTimeout != nil }

  func with(_ name: String? = nil, _ change: (inout Exchange) -> Void) -> Exchange {
    var copy = self
    if let name { copy.name = name }
    change(&copy)
    return copy
  }
}
