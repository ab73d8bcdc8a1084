import Foundation
import TestSupport
import Testing

@testable import StubKit

/// What conditions compare of a request: its method, the parts of its URL, its fields and what its body holds.
@Suite("The facts of a request", .inTurn)
struct RequestFactsTests {
  @Test("are those that Foundation finds")
  func agreeWithFoundation() {
    let schemes = ["http:", "https:", "HTTP:", "foo:", ""]
    let authorities = [
      "//a.com", "//A.Com:80", "//a.com:8080", "//[::1]:0", "//u:p@a.com", "//U%41@a_b:", "//münchen.de", "//a%41.com.",
      "//127.0.0.1:99999", "//", "//:80", "",
    ]
    let segments = [
      "/", "/a", "/a b", "/é", "/e\u{301}", "/%C3%A9", "/%2F", "/%FF", "/%zz", "/;p=1", "/a:b", "/..", "/a.txt",
      "/\u{212A}",
    ]
    let rests = ["", "?", "?a=1&&b", "?a=b=c&a=+", "?a=%2B#f", "?=1", "?a=%zz", "?a=é#?q", "#f?q", "?%61=\u{212A}"]
    var random = SplitMix64(seed: 20_260)
    for _ in 0..<TestSize.of(8_000, inPart: 800) {
      let path = (0..<random.below(4)).map { _ in random.pick(segments) }.joined()
      let text = random.pick(schemes) + random.pick(authorities) + path + random.pick(rests)
      guard let url = URL(string: text) else { continue }
      var facts = RequestFacts(URLRequest(url: url))
      let standard = ["http": 80, "https": 443][url.scheme?.lowercased() ?? ""]
      #expect(facts.scheme == url.scheme?.lowercased() && facts.port == url.port ?? standard, "\(text)")
      #expect(facts.host == url.host.flatMap { $0.isEmpty ? nil : $0.canonicalHost }, "\(text)")
      // URL calls a path that is no UTF-8 empty.
      let encoded = url.path(percentEncoded: true).withoutDotSegments
      let decoded = encoded.decodedPath.canonicalPath
      #expect(facts.path == decoded && facts.encodedPath == encoded, "\(text)")
      let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
      let wanted = items.filter { !($0.name.isEmpty && $0.value == nil) }.map {
        NamedValue(name: $0.name, value: $0.value)
      }
      #expect(Array(facts.queryItems) == wanted, "\(text)")
    }
  }

  @Test("are those of the whole of a relative URL")
  func relative() throws {
    let request = URLRequest(
      url: try #require(URL(string: "x.txt?y=1", relativeTo: URL(string: "http://A.com:81/b/z"))))
    let condition =
      isScheme("http") && isHost("a.com") && isPort(81) && isPath("/b/x.txt") && hasPathExtension("txt")
      && hasExactQuery(["y": "1"])
    #expect(condition.matches(request), "\(condition.mismatches(request))")
  }

  @Test("have the method GET if the request has none")
  func withoutMethod() {
    var request = request("http://a.com/")
    request.httpMethod = nil
    #expect(isMethod(.get).matches(request))
  }

  @Test("have no scheme if what stands before the first colon is none", arguments: ["a@b:80/c", "a@b:c"])
  func noScheme(text: String) {
    let facts = RequestFacts(request(text))
    #expect(facts.scheme == nil)
    #expect(facts.path == text)
  }

  @Test("have the names of GraphQL operations")
  func graphQL() {
    // Strings, block strings and comments may hold anything, and one that isn't closed goes on to the end. A mark that
    // combines with what is before it (U+0301) hides no punctuation.
    for (document, expected) in [
      ("# query No\nquery Yes { a }", ["Yes"]), ("fragment query on T { a } query Yes { ...query }", ["Yes"]),
      ("query query { a }", ["query"]), ("# No\rquery Yes { a }", ["Yes"]), (#"query A(b: "c\"#, ["A"]),
      ("query Yes @live(if: true) { query mutation }", ["Yes"]), ("subscription\n,Yes{a}", ["Yes"]),
      ("query Yes($a: String = \"} query No {\") { a }", ["Yes"]),
      ("query A { a(b: \"\"\"} query \\\"\"\" No {\"\"\") } mutation B { b }", ["A", "B"]),
      (#"query A { a(b: ["\""""]) } query B { b }"#, ["A", "B"]), (#"query A { a(b: """\""") } query B { b }"#, ["A"]),
      (#"query A { a(b: """\\""") } query B { b }"#, ["A"]),
      ("query ($id: ID) { a }", []), ("{ a }", []), ("", []),
      ("{\u{301} a } #\u{301} query No\nquery Yes{a(b:\"\u{301}{\")}", ["Yes"]),
    ] {
      #expect(GraphQLOperation.names(inDocument: document) == expected, "document: \(document)")
    }
  }

  private static let names = [
    ("münchen.de", "xn--mnchen-3ya.de"), ("bu\u{308}cher.de", "xn--bcher-kva.de"),
    ("日本語.jp", "xn--wgv71a119e.jp"), ("faß.de", "xn--fa-hia.de"), ("a。com", "a.com"),
    ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
    // RFC 3492, section 7.1.
    ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"), ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
  ]

  @Test("have the host's name in Punycode and in small letters", arguments: names)
  func punycode(name: String, host: String) {
    #expect(name.canonicalHost == host)
    #expect(host.uppercased().canonicalHost == host)
    #expect(RequestFacts(request("http://\(name)/")).host == host)
  }

  @Test(
    "have a host that is no name or no Punycode as it is",
    arguments: ["xn--\u{7F}", "xn--99999999999999", "xn--a-_", "ü b", "\u{1004F}\u{304}.com"])
  func noPunycode(name: String) { #expect(name.canonicalHost == name) }

  private static let mixedNames = [
    ("xn--a.é", "xn--a.xn--9ca"), ("é..xn--", "xn--9ca..xn--"), (".é.xn--zzzzzz", ".xn--9ca.xn--zzzzzz"),
  ]

  @Test("have each label of a host in Punycode that can be, beside others that are none", arguments: mixedNames)
  func mixedLabels(name: String, host: String) {
    #expect(name.canonicalHost == host)
    #expect(host.canonicalHost == host)
  }

  @Test("have the end of a host in Punycode as the host itself, which hostEndsWith compares", arguments: mixedNames)
  func endOfHost(name: String, host: String) {
    var request = URLRequest(url: url("http://a/"))
    request.url = URL(string: "http://x.\(name.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? "")/")
    // Foundation may refuse such a host.
    guard let found = request.url.map({ _ in RequestFacts(request) })?.host else { return }
    #expect(found == "x." + host)
    #expect(hostEndsWith(name).matches(request))
  }

  /// The encodings of RFC 5987 (section 3.2.2), of WHATWG's forms, and of clients that encode a name alike.
  @Test("have multipart names as clients encode them")
  func encodedNames() {
    for (disposition, name, filename) in [
      (#"name=a; filename="x"; filename*=utf-8''na%C3%AFve%20%E2%82%AC.txt"#, "a", "na\u{EF}ve €.txt"),
      (#"name=a; filename*=UTF-8'en'%c2%a3%20and%20%e2%82%ac%20rates; filename=x"#, "a", "£ and € rates"),
      ("name=a; filename*=iso-8859-1'en'%A3%20rates", "a", nil), ("name=a; filename*=utf-8''%FF", "a", nil),
      ("name=a; filename=x; filename*=utf-8''%FF", "a", "x"), ("name=a; filename=x; filename*=utf-8''%z", "a", "x"),
      ("name=a; filename=x; filename*=koi8-r''y", "a", "x"), ("name=a; filename=x; filename*=y", "a", "x"),
      ("name=a; filename*=UTF-8''Ann's%20cat.png", "a", "Ann's cat.png"), ("name=a; filename*=utf-8'y", "a", nil),
      (#"name="a%22b%0D%0Ac"; filename="%22x%22.txt""#, "a\"b\r\nc", "\"x\".txt"),
      (#"name="a\"b"; filename="50%.txt""#, "a\"b", "50%.txt"),
      ("name*=utf-8''%E2%82%AC; filename=%2522", "€", "%2522"),
    ] {
      let text = "--x\r\nContent-Disposition: form-data; \(disposition)\r\n\r\nv\r\n--x--"
      #expect(
        MultipartBody(parsing: Data(text.utf8), boundary: "x").parts.map(\.filename) == [filename], "\(disposition)")
      let request = post(text, contentType: "multipart/form-data; boundary=x")
      #expect(hasMultipartPart(named: name, filename: filename).matches(request), "\(disposition)")
    }
  }

  @Test("have a form's fields, and how often each of them is there, in any order")
  func form() {
    // Each of 5,000 names twice.
    let fields = (0..<10_000).map { URLQueryItem(name: "k\($0 % 5_000)", value: "v") }
    let body = fields.reversed().map { "\($0.name)=v" }.joined(separator: "&")
    #expect(hasFormBody(items: fields).matches(post(body)))
    let oneInsteadOfAnother = Array(fields.dropLast()) + [fields[0]]
    #expect(!hasFormBody(items: oneInsteadOfAnother).matches(post(body)))
    let oneLess = Array(fields.dropLast())
    #expect(!hasFormBody(items: oneLess).matches(post(body)))
  }

  @Test("of a form report all fields that are missing or too many, the first hundred with what is there instead")
  func manyFormFields() {
    let wanted = Dictionary(uniqueKeysWithValues: (0..<2_000).map { ("q\($0)", "1" as String?) })
    let others = (0..<2_000).map { "k\($0)=1" }.joined(separator: "&")
    let mismatches = hasFormBody(wanted).mismatches(post(others))
    #expect(mismatches.count == 4_000)
    #expect(mismatches[0].description == #"form field q0: expected "1", missing; found k0, k1, k10 and 1997 more"#)
    #expect(mismatches[99].note != nil && mismatches[100].note == nil)
    #expect(mismatches[2_000].description == #"form field k0: expected none, got "1""#)
  }

  @Test("have what is left of an opened stream")
  func openStream() async throws {
    let stream = InputStream(data: Data("ab".utf8))
    stream.open()
    var first: UInt8 = 0
    #expect(stream.read(&first, maxLength: 1) == 1)
    // Handed over: not used here any more.
    nonisolated(unsafe) let handedOver = stream
    #expect(try await BodyReader.read(handedOver) == Data("b".utf8))
  }

  @Test("keep a body whose file is written anew", .startsProcess)
  func rewrittenFile() async {
    // In a process of its own, which is killed where the bytes are mapped.
    await #expect(processExitsWith: .success) {
      let file = try TestFile(Data(repeating: 7, count: 3_000_000))
      let body = try await BodyReader.read(file.url, for: URLRequest(url: url("http://a.example/")))
      try Data("new".utf8).write(to: file.url, options: [])
      precondition(body == Data(repeating: 7, count: 3_000_000))
    }
  }
}
