import Foundation
import StubKit
import StubKitArchive

/// Requests with many items in one place, for each parser and each report.
struct GrowthSample: Sendable {
  let promise: String
  let name: String
  /// Does the work once with a number of items, and returns whether the result is right.
  let work: @Sendable (_ items: Int) -> () -> Bool

  static let all = parsers + reports + registries + archives

  private static let parsers = [
    GrowthSample(promise: "growth-query", name: "query") { items in
      let matcher = hasExactQuery(fields(items))
      let request = Site.request("/?" + form(items))
      return { matcher.matches(request) }
    },
    GrowthSample(promise: "growth-form", name: "form") { items in
      let matcher = hasFormBody(items: fields(items).map { URLQueryItem(name: $0, value: $1) })
      let request = post(form(items), type: "application/x-www-form-urlencoded")
      return { matcher.matches(request) }
    },
    GrowthSample(promise: "growth-json", name: "JSON") { items in
      let matcher = hasJSONBody(object(items))
      let request = post(object(items).description, type: "application/json")
      return { matcher.matches(request) }
    },
    GrowthSample(promise: "growth-multipart", name: "multipart") { items in
      let matcher = hasMultipartPart(named: "k\(items - 1)")
      let request = post(multipart(items), type: "multipart/form-data; boundary=limit")
      return { matcher.matches(request) }
    },
    GrowthSample(promise: "growth-cookies", name: "cookies") { items in
      let matcher = hasCookie("k\(items - 1)", "\(items - 1)")
      var request = Site.request("/")
      request.setValue(form(items).replacingOccurrences(of: "&", with: "; "), forHTTPHeaderField: "Cookie")
      return { matcher.matches(request) }
    },
    GrowthSample(promise: "growth-parameters", name: "header parameters") { items in
      let matcher = hasMultipartPart(named: "k0")
      let parameters = form(items).replacingOccurrences(of: "&", with: "; ")
      let request = post(multipart(1), type: "multipart/form-data; \(parameters); boundary=\"limit\"")
      return { matcher.matches(request) }
    },
    GrowthSample(promise: "growth-graphql", name: "GraphQL") { items in
      let matcher = isGraphQL(operation: "Last")
      let fields = (0..<items).map { "k\($0)(a: \"\($0)\")" }.joined(separator: "\n")
      let request = post("query Last { \(fields) }", type: "application/graphql")
      return { matcher.matches(request) }
    },
    GrowthSample(promise: "growth-condition", name: "groups in groups") { items in
      // A condition has at most 256 levels.
      let closure = RequestMatcher("a closure") { $0.timeoutInterval > 0 }
      let matcher = (0..<items / 40).reduce(closure) { inner, level in
        level.isMultiple(of: 2) ? inner && isMethodGET() : inner || isPath(template: "/never/{x}")
      }
      let request = Site.request("/")
      return { matcher.matches(request) }
    },
  ]

  /// Reports of requests that meet no part of a stub's condition.
  private static let reports = [
    report("growth-report-query", "report of a query") { items in
      (hasExactQuery(fields(items, "q")), Site.request("/?" + form(items)))
    },
    report("growth-report-form", "report of a form") { items in
      (hasFormBody(fields(items, "q")), post(form(items), type: "application/x-www-form-urlencoded"))
    },
    report("growth-report-json", "report of JSON") { items in
      (hasJSONBody(object(items, "q")), post(object(items).description, type: "application/json"))
    },
    report("growth-report-multipart", "report of multipart") { items in
      (hasMultipartPart(named: "q"), post(multipart(items), type: "multipart/form-data; boundary=limit"))
    },
    GrowthSample(promise: "growth-report-unmatched", name: "error of a form") { items in
      let registry = StubRegistry()
      let session = registry.makeSession()
      stub(condition: hasFormBody(fields(items, "q")), response: .empty(), in: registry)
      let request = post(form(items), type: "application/x-www-form-urlencoded")
      return { error(of: request, session).contains("form field") }
    },
    GrowthSample(promise: "growth-repeated-miss", name: "repeated request without a stub") { items in
      let registry = StubRegistry()
      let session = registry.makeSession()
      for number in 0..<items { stub(condition: isPath("/\(number)"), response: .empty(), in: registry) }
      return { error(of: Site.request("/a"), session).contains("The nearest of") }
    },
    GrowthSample(promise: "growth-shadowed", name: "stubs that others hid") { items in
      let registry = StubRegistry()
      let session = registry.makeSession()
      for _ in 0..<items / 10 { stub(condition: hasJSON(at: "k0", equals: "x"), response: .empty(), in: registry) }
      stub(condition: .anything, response: .empty(), in: registry)
      let request = post(object(items / 10).description, type: "application/json")
      for _ in 0..<100 { precondition(error(of: request, session).isEmpty) }
      return { registry.shadowedStubs(in: nil).isEmpty }
    },
  ]

  /// What a registry keeps of stubs that come and go, in any order.
  private static let registries = [
    registration("growth-register-closures", "closures in falling priorities") { number, registry in
      stub(condition: { _ in false }, response: .empty(), priority: -number, in: registry)
    },
    registration("growth-register-path", "one path in falling priorities") { number, registry in
      stub(condition: isPath("/b"), response: .empty(), priority: -number, in: registry)
    },
    registration("growth-register-last", "one path, asked last") { _, registry in
      registry.add(isPath("/b"), .value(.empty()), StubTerms(nil, nil, 0, location), isLast: true)
    },
    GrowthSample(promise: "growth-removed-body", name: "body that a removed stub knew") { items in
      let registry = StubRegistry()
      stub(condition: hasJSONBody(object(items)), response: .empty(), in: registry).remove()
      let request = post(object(items).description, type: "application/json")
      return { registry.stub(matching: request) == nil }
    },
    GrowthSample(promise: "growth-kinds", name: "stubs after 60 other kinds") { items in
      let registry = StubRegistry()
      let parts = [
        isMethodGET(), isScheme("http"), isHost(Site.host), isPort(1), isExtension("a"), hasHeader("A", "b"),
      ]
      for kind in 1...60 {
        let condition = parts.indices.filter { kind >> $0 & 1 == 1 }.reduce(.anything) { $0 && parts[$1] }
        stub(condition: condition, response: .empty(), in: registry).remove()
      }
      for number in 0..<items { stub(condition: isPath("/\(number)"), response: .empty(), in: registry) }
      let request = Site.request("/0")
      return { registry.stub(matching: request) != nil }
    },
  ]

  private static let location = StubLocation(fileID: "", filePath: "", line: 1, column: 1)

  private static func registration(
    _ promise: String, _ name: String, _ register: @escaping @Sendable (_ number: Int, StubRegistry) -> Void
  ) -> GrowthSample {
    GrowthSample(promise: promise, name: name) { items in
      let request = Site.request("/a")
      return {
        let registry = StubRegistry()
        for number in 0..<items { register(number, registry) }
        // What is put off until a search counts, too.
        return registry.stub(matching: request) == nil
      }
    }
  }

  /// Returns the text of the error of a request, or an empty one.
  private static func error(of request: URLRequest, _ session: URLSession) -> String {
    let done = DispatchSemaphore(value: 0)
    // Holds: written before the semaphore is signalled, read after that.
    nonisolated(unsafe) var text = ""
    session.dataTask(with: request) { _, _, error in
      text = error.map { "\($0)" } ?? ""
      done.signal()
    }.resume()
    done.wait()
    return text
  }

  /// Archives with many entries, secrets or problems.
  private static let archives = [
    GrowthSample(promise: "growth-redact-page", name: "escaped JSON in a page") { items in
      let text = (0..<items).map { #"\"k\#($0)\": \"\#($0)\", "# }.joined()
      return redaction("<html><script>let a = \"{\(text)}\"</script>")
    },
    GrowthSample(promise: "growth-redact-marks", name: "question marks in a row") { items in
      redaction("what" + String(repeating: "?", count: 10 * items))
    },
    GrowthSample(promise: "growth-redact-style", name: "URLs in a stylesheet") { items in
      redaction(String(repeating: "a{b:url(http://a/i.png?a=1),url('data:image/png;base64,AAAA');c:d}", count: items))
    },
    GrowthSample(promise: "growth-redact-secrets", name: "secrets of an archive") { items in
      let archive = HTTPArchive(
        entries: (0..<items).map { entry("/a?token=\(token($0))", "next: /b/\(token($0 + 1))") })
      return { archive.redacted(.standard).entries.last?.request.url?.query == "token=REDACTED-\(items)" }
    },
  ]

  private static func redaction(_ text: String) -> () -> Bool {
    let archive = HTTPArchive(entries: [entry("/", text)])
    return { archive.redacted(.standard) == archive }
  }

  private static func entry(_ address: String, _ text: String) -> HTTPArchive.Entry {
    HTTPArchive.Entry(
      request: Site.request(address), response: .init(headers: ["Content-Type": "text/html"], body: Data(text.utf8)))
  }

  /// A text like that of a random token, with the same beginning as all others.
  private static func token(_ number: Int) -> String { "session-\(String(number &* 7_919 &+ 1_000_003, radix: 36))-x7" }

  private static func report(
    _ promise: String, _ name: String, _ make: @escaping @Sendable (_ items: Int) -> (RequestMatcher, URLRequest)
  ) -> GrowthSample {
    GrowthSample(promise: promise, name: name) { items in
      let (matcher, request) = make(items)
      let registry = StubRegistry()
      stub(condition: matcher, response: .empty(), in: registry)
      return { registry.explain(request).description.contains("✗") }
    }
  }

  private static func fields(_ items: Int, _ prefix: String = "k") -> [String: String?] {
    Dictionary(uniqueKeysWithValues: (0..<items).map { ("\(prefix)\($0)", "\($0)") })
  }

  private static func object(_ items: Int, _ prefix: String = "k") -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: (0..<items).map { ("\(prefix)\($0)", JSONValue($0)) }))
  }

  private static func form(_ items: Int) -> String { (0..<items).map { "k\($0)=\($0)" }.joined(separator: "&") }

  private static func multipart(_ items: Int) -> String {
    (0..<items).map { "--limit\r\nContent-Disposition: form-data; name=\"k\($0)\"\r\n\r\n\($0)\r\n" }.joined()
      + "--limit--"
  }

  private static func post(_ body: String, type: String) -> URLRequest {
    var request = Site.request("/", method: "POST")
    request.setValue(type, forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(body.utf8)
    return request
  }
}
