import Foundation
import StubKitRecorder

/// The growth of the cost of one request with its content: ten times as much content may cost twelve times as much, and
/// not a hundred times. A row is a thing that could grow with its square.
extension Run {
  func measureGrowth() {
    for sample in GrowthSample.all {
      let contenders = [1_000, 10_000].map { items in
        let work = sample.work(items)
        return Contender(name: "StubKit", stubs: items) { count in (0..<count).count { _ in work() } }
      }
      let comparison = measureUntilKept {
        let comparison = Comparison(contenders, effort: effort.ofGrowth, by: CLOCK_PROCESS_CPUTIME_ID)
        return (comparison, [Finding(promise: "growth", value: comparison.ratio(1, over: 0))])
      }
      report.add(.growth, sample.name, comparison)
    }
  }
}

/// Requests with many items in one place, for each parser and each report.
private struct GrowthSample: Sendable {
  let name: String
  /// Does the work once with a number of items, and returns whether the result is right.
  let work: @Sendable (_ items: Int) -> () -> Bool

  static let all =
    parsers + reports + registries + archives + texts + longTexts + [
      upload,
      GrowthSample(name: "chunks of a stream") { items in
        let registry = StubRegistry()
        let session = registry.makeSession()
        stub(condition: .anything, response: .stream { Chunks(count: items) }, in: registry)
        return { error(of: Site.request("/"), session).isEmpty }
      },
    ]

  /// A sequence whose iterator is a value that holds all of its elements.
  private struct Chunks: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
      var rest: [Data]
      mutating func next() async -> Data? { rest.popLast() }
    }
    let count: Int
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: Array(repeating: Data([65]), count: count)) }
  }

  /// Contents that are parsed by a matcher that finds them, and reported by one that doesn't.
  private static let contents: [Content] = [
    ("query", { hasExactQuery(fields($0, $1)) }, { Site.request("/?" + form($0)) }),
    ("form", { hasFormBody(fields($0, $1)) }, { post(form($0), type: formType) }),
    ("json", { hasJSONBody(object($0, $1)) }, { post(object($0, "k").description, type: "application/json") }),
    (
      "multipart", { hasMultipartPart(named: "\($1)\($0 - 1)") },
      { post(multipart($0), type: "multipart/form-data; boundary=limit") }
    ),
  ]
  private typealias Content = (
    name: String, matcher: @Sendable (_ items: Int, _ prefix: String) -> RequestMatcher,
    request: @Sendable (_ items: Int) -> URLRequest
  )

  private static let parsers =
    contents.map { content in
      match(content.name) { (content.matcher($0, "k"), content.request($0)) }
    } + [
      match("cookies") { items in
        var request = Site.request("/")
        request.setValue(form(items, separator: "; "), forHTTPHeaderField: "Cookie")
        return (hasCookie("k\(items - 1)", "\(items - 1)"), request)
      },
      match("header parameters") { items in
        let type = "multipart/form-data; \(form(items, separator: "; ")); boundary=\"limit\""
        return (hasMultipartPart(named: "k0"), post(multipart(1), type: type))
      },
      match("GraphQL") { items in
        let fields = (0..<items).map { "k\($0)(a: \"\($0)\")" }.joined(separator: "\n")
        return (isGraphQL(operation: "Last"), post("query Last { \(fields) }", type: "application/graphql"))
      },
      match("groups in groups") { items in
        // A condition has at most 64 levels.
        let closure = RequestMatcher("a closure") { $0.timeoutInterval > 0 }
        let matcher = (0..<items / 200).reduce(closure) { inner, level in
          level.isMultiple(of: 2) ? inner && isMethod(.get) : inner || isPath(template: "/never/{x}")
        }
        return (matcher, Site.request("/"))
      },
    ]

  /// Reports of requests that meet no part of a stub's condition.
  private static let reports =
    contents.map { content in
      GrowthSample(name: "report of \(content.name)") { items in
        let registry = StubRegistry()
        stub(condition: content.matcher(items, "q"), response: .status(204), in: registry)
        let request = content.request(items)
        return { registry.explain(request).description.contains("expected") }
      }
    }

  /// What a registry keeps of stubs that come and go, in any order.
  private static let registries = [
    registration("closures in falling priorities") { number, registry in
      stub(condition: { _ in false }, response: .status(204), priority: -number, in: registry)
    },
    registration("one path in falling priorities") { number, registry in
      stub(condition: isPath("/b"), response: .status(204), priority: -number, in: registry)
    },
    GrowthSample(name: "requests, each looked back at, and then all") { items in
      return {
        let registry = StubRegistry()
        let session = registry.makeSession()
        let all = stub(condition: .anything, response: .status(204), times: items / 10, in: registry)
        for number in 1...items / 10 {
          guard error(of: Site.request("/"), session).isEmpty, all.lastRequest != nil,
            (try? verify(all, called: .exactly(number))) != nil, (try? verifyInOrder(.anything, in: registry)) != nil
          else { return false }
        }
        return (try? verify(isPath("/"), called: .exactly(items / 10), in: registry)) != nil
      }
    },
  ]

  /// A photo of one and of ten megabytes, beside a stub that is known by each kind of body.
  private static let upload = GrowthSample(name: "upload of a photo") { items in
    let registry = StubRegistry()
    for condition in [
      hasBody(Data("a".utf8)), hasJSON(at: "a", equals: 1), hasFormBody(["a": "1"]), isGraphQL(operation: "A"),
      hasMultipartPart(named: "k0"),
    ] {
      stub(condition: condition, response: .status(204), in: registry)
    }
    var request = post("", type: "image/jpeg")
    request.httpBody = Data((0..<items * 1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    return { [request] in registry.answerer(of: request) == nil }
  }

  private static func registration(
    _ name: String, _ register: @escaping @Sendable (_ number: Int, StubRegistry) -> Void
  ) -> GrowthSample {
    GrowthSample(name: name) { items in
      let request = Site.request("/a")
      return {
        let registry = StubRegistry()
        for number in 0..<items { register(number, registry) }
        // What is put off until a search counts, too.
        return registry.answerer(of: request) == nil
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

  /// Archives with many entries, fields, secrets or problems.
  private static let archives = [
    GrowthSample(name: "fields of a request") { items in
      var request = Site.request("/")
      request.allHTTPHeaderFields = Dictionary(uniqueKeysWithValues: (0..<items).map { ("X-F\($0)", token($0)) })
      let archive = HTTPArchive(entries: [HTTPArchive.Entry(request: request)])
      return { archive.redactedAndReported(.standard).archive.entries.count == 1 }
    },
    GrowthSample(name: "members in Base64") { items in
      let members = (0..<items).map { number in
        let state = Data(#"{"user": \#(number), "token": "\#(token(number))"}"#.utf8).base64EncodedString()
        return #"{"password": "\#(number)-x7", "state": "\#(state)"}"#
      }
      let archive = HTTPArchive(entries: [entry("/", "[\(members.joined(separator: ", "))]")])
      return { archive.redactedAndReported(.standard).report.count >= items }
    },
    GrowthSample(name: "dates below a name of one's own") { items in
      let day = 86_400.0
      let dates = (0..<items).map { number in
        Date(timeIntervalSince1970: day * Double(number)).formatted(.iso8601.year().month().day())
      }
      let archive = HTTPArchive(
        entries: [entry("/", "[\(dates.map { #"{"born": "\#($0)"}"# }.joined(separator: ", "))]")])
      return { archive.redactedAndReported(.standard + [.secret("born")]).report.count == items }
    },
    GrowthSample(name: "entries that don't find themselves") { items in
      let archive = HTTPArchive(entries: (0..<items).map { entry("/\($0)?token=\(token($0))", "") })
      let (redacted, report) = archive.redactedAndReported(.standard)
      // Those of another path.
      let other = HTTPArchive(
        entries: redacted.entries.enumerated().map { number, _ in entry("/other/\(number)", "") })
      return {
        let proof = RedactionProof(of: other, against: archive, .standard, report)
        let lost = Set(proof.problems.map(\.entry))
        return lost.count == items && report.without(lost).count == 0
      }
    },
    GrowthSample(name: "requests that differ in a secret") { items in
      let archive = HTTPArchive(
        entries: (0..<items).map { entry("/a?token=\(token($0))", "next: /b/\(token($0 + 1))") })
      return {
        let (redacted, report) = archive.redactedAndReported(.standard)
        let proof = RedactionProof(of: redacted, against: archive, .standard, report)
        // Once with the placeholders, and once with other secrets, which get the answers in turn.
        let isFound = [redacted, archive].allSatisfy { asked in
          let registry = StubRegistry()
          let session = registry.makeSession()
          let stubs = replay(redacted, in: registry)
          return asked.entries.allSatisfy { error(of: $0.request, session).isEmpty }
            && stubs.allSatisfy { $0.callCount == 1 }
        }
        return proof.problem == nil && isFound && redacted.entries.last?.request.url?.query == "token=REDACTED-\(items)"
      }
    },
  ]

  /// Texts of up to ten megabytes, of up to a million parts, or of up to 100,000 levels, which nothing closes.
  private static let longTexts = [
    long("a line of words with digits") { items in
      (0..<items * 100).map { "w\(String($0 &* 7_919, radix: 36))" }.joined(separator: " ")
    },
    long("a line of JSON") { items in
      "[\((0..<items * 10).map { #"{"id": \#($0), "name": "n\#($0)", "at": "2026-03-01T12:30:00Z"}"# }.joined(separator: ", "))]"
    },
    long("brackets in brackets") { String(repeating: "{\"a\":[", count: $0 * 5) },
    long("a= a million times") { String(repeating: "a=", count: $0 * 100) },
    long("- a million times") { String(repeating: "- ", count: $0 * 100) },
    long("\\\" a million times") { String(repeating: "\\\"", count: $0 * 100) },
  ]

  private static func long(_ name: String, _ text: @escaping @Sendable (_ items: Int) -> String) -> GrowthSample {
    GrowthSample(name: name) { items in
      let archive = HTTPArchive(entries: [entry("/", text(items) + " \"secret\": \"x9-zk2q7\"")])
      return { archive.redactedAndReported(.standard).archive.entries.count == 1 }
    }
  }

  /// Texts that made a search for secrets begin again at each of their parts, or could: how keys of services begin.
  private static let parts =
    #"""
    url(http://a/i.png?a=1), :// a:// {" {"a": [{ =& a=b& a= <key>a</key> QUJDabcdeq01 eyJ -eyJ eyJ. %2525 &amp;amp; \ a aB1 \"k\":\"
    abcdef0123456789abcdef0123456789-us _secret_ abcQ~ 1:AA token=" token= token=a; token=a, 7332
    <a><![CDATA[] REDACTED- .UkVEQUNURUQ http://a@ +sk- /(S(a ? arn:secret: eyJrIjoi/ hooks.slack.com/ g.alchemy.com/v2/
    dapi shpat_ sk- dop_v1_ api- sk_live_ LTAI hf_ ghp_ xprv EAAM xoxb- EAAA AIza xai- figd_ aW50ZXJhY3Rpb246 sl. MT: glpat- dp.pt.
    SG. pat AKIA API- glsa_ cmVmd base64: $2a$10$ AAAAAAAAAAAAAAAAAAAAA +ASt .atlasv1. .acc_ _mmk !A ==| 1:0
    """#
    .split(whereSeparator: \.isWhitespace).map(String.init)
    + [
      "{\"a\":1} x", "= ", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "bearer ",
      "--x\r\nContent-", "7332283312 ", "name=\"a\" value=\"b\" ", "password x9Q2xT7vB8nL ", "a: b1 ",
      // What the reader of structure opens, and what ends nothing.
      "a=", "- ", "\\\"", "{", "[", "(", "[\"a\",", "</a>", "<!--", "a:\n", "- a\n", "\"", "'", "`", "\"\"\"", "//",
      "/*", "# ",
      "a,b\n", "[a]\n", "}{", "%7B", "a[b]=", "token(", "token: {", "x: |\n  a\n", "[[\"token\",", "password,b\n",
      "--a ", " x",
      // What goes on in the next lines or after a comment, and what is encoded in pairs and escapes.
      "data:{\ndata:\n", "41 ", "\\x41", "&amp;quot;", "\u{1B}[0m", "? a\n: ", "a=“", "a=/*", "a /**/", "token  b\n",
      "password:\nx9-zk2q7\n", "x \"a\" {", "\"token\",\"x9-zk2q7\",", "-ua:",
    ]

  private static let texts = parts.map { part in
    // After it is a secret that begins and ends as it does.
    GrowthSample(name: "\(part.debugDescription) in a row") { items in
      let row = String(repeating: part, count: 10 * items / part.utf8.count)
      let archive = HTTPArchive(entries: [entry("/", row), entry("/", "token='\(row.prefix(items / 2))7aaaaaaaaa'")])
      return { !archive.redactedAndReported(.standard).archive.entries.isEmpty }
    }
  }

  private static func entry(_ address: String, _ text: String) -> HTTPArchive.Entry {
    HTTPArchive.Entry(
      request: Site.request(address), response: .init(headers: ["Content-Type": "text/html"], body: Data(text.utf8)))
  }

  /// A text like that of a random token, with the same beginning as all others.
  private static func token(_ number: Int) -> String { "session-\(String(number &* 7_919 &+ 1_000_003, radix: 36))-x7" }

  private static func match(
    _ name: String, _ make: @escaping @Sendable (_ items: Int) -> (RequestMatcher, URLRequest)
  ) -> GrowthSample {
    GrowthSample(name: name) { items in
      let (matcher, request) = make(items)
      return { matcher.matches(request) }
    }
  }

  private static let formType = "application/x-www-form-urlencoded"

  private static func fields(_ items: Int, _ prefix: String) -> [String: String?] {
    Dictionary(uniqueKeysWithValues: (0..<items).map { ("\(prefix)\($0)", "\($0)") })
  }

  private static func object(_ items: Int, _ prefix: String) -> StubJSON {
    .object(Dictionary(uniqueKeysWithValues: (0..<items).map { ("\(prefix)\($0)", StubJSON($0)) }))
  }

  private static func form(_ items: Int, separator: String = "&") -> String {
    (0..<items).map { "k\($0)=\($0)" }.joined(separator: separator)
  }

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
