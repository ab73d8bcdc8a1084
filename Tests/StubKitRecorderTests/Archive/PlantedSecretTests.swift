import Foundation
import StubKitRecorder
import TestSupport
import Testing

/// The secrets of one table: alone, in one archive, and as requests of the next run.
@Suite("The standard redactions", .inTurn)
struct PlantedSecretTests {
  /// Whether a text is in an archive: as it is, percent-encoded, or in Base64.
  private static func contains(_ data: Data, _ secret: String) -> Bool {
    let encoded = Data(secret.utf8).base64EncodedString().prefix(secret.utf8.count * 8 / 6 - 1)
    return String(decoding: data, as: UTF8.self).withCString { (data: UnsafePointer<CChar>) -> Bool in
      strstr(data, secret) != nil || strstr(data, String(encoded)) != nil
    }
  }

  @Test("are tried with archives that have their secret")
  func plantedAtAll() {
    let missing = PlantedSecret.all.filter { !Self.contains(HTTPArchive(entries: [$0.entry]).data, $0.secret) }
    #expect(missing.map(\.description) == [])
  }

  @Test("find the secrets that were planted, one by one")
  func planted() {
    let left = PlantedSecret.all.filter { secret in
      Self.contains(HTTPArchive(entries: [secret.entry]).redactedAndReported(.standard).archive.data, secret.secret)
    }
    #expect(left.map(\.description) == [])
  }

  @Test("find the secrets that were planted in one archive, and nothing more a second time")
  func plantedTogether() {
    let together = HTTPArchive(entries: PlantedSecret.all.map(\.entry)).redactedAndReported(.standard).archive
    let data = together.data
    #expect(PlantedSecret.all.filter { Self.contains(data, $0.secret) }.map(\.description) == [])
    #expect(together.redactedAndReported(.standard).report.count == 0)
  }

  @Test("leave entries that answer their requests again, with the recorded secret or with another one")
  func found() {
    let matching: ReplayMatching = [.method, .url, .body, .headers(["X-password", "X-apiKey"])]
    for (container, template) in PlantedSecret.containers where !template.hasPrefix("> ") {
      for name in ["password", "apiKey"] {
        func entry(_ value: String) -> HTTPArchive.Entry { PlantedSecret.entry(template, name, value) }
        let other = StubKitRecorderTests.entry("http://a.com/other?n=1")
        for matching in [.default, matching] {
          let registry = StubRegistry()
          let archive = HTTPArchive(entries: [other, entry(PlantedSecret.random(70))]).redactedAndReported(.standard)
            .archive
          let stubs = replay(archive, matching: matching, in: registry)
          // 70 is the secret that was recorded, and 71 another one.
          for number in 70...71 {
            let live = entry(PlantedSecret.random(number)).request
            #expect(
              registry.answerer(of: live) === stubs[1],
              "\(name) in \(container), \(number), \(matching): \(stubs[1].condition)")
          }
        }
      }
    }
  }

  @Test("leave every byte of ordinary values, in each place")
  func ordinary() {
    var changed: [String] = []
    for (container, template) in PlantedSecret.containers {
      for (name, value) in PlantedSecret.ordinary {
        let isInURL = ["query", "form", "link", "fragment"].contains { container.contains($0) }
        // In a URL, these names alone decide.
        if isInURL, ["nonce", "code"].contains(name) { continue }
        let text = isInURL ? value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value : value
        let entry = PlantedSecret.entry(template, name, text)
        if HTTPArchive(entries: [entry]).redactedAndReported(.standard).archive.entries != [entry] {
          changed.append("\(name) in \(container)")
        }
      }
    }
    #expect(changed == [])
  }

  @Test(
    "replace a few cookies and tokens of the archive of each tool, and nothing else",
    arguments: [
      (tool: "chrome", count: 4), ("firefox", 0), ("safari", 0), ("charles", 0), ("mitmproxy", 4),
      ("playwright/playwright", 4),
    ])
  func tools(tool: String, count: Int) throws {
    #expect(try ForeignArchiveTests.archive(tool).redactedAndReported(.standard).report.count == count)
  }
}

/// Exchanges with one secret each, and exchanges with none. Secrets are put together here, so that no scanner of source
/// code takes them for live ones.
struct PlantedSecret: Sendable, CustomStringConvertible {
  let description: String
  let secret: String
  let entry: HTTPArchive.Entry

  private static let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789")

  /// A text like that of a random secret, which differs for each number.
  static func random(_ number: Int, _ count: Int = 24) -> String {
    var random = SplitMix64(seed: UInt64(number) &* 7_919 &+ 13)
    return "x7" + String((2..<count).map { _ in random.pick(letters) })
  }

  /// An exchange with a secret. The template is that of `asked(_:)`, or `> ` and one whose headers and body are
  /// answered.
  static func entry(_ template: String, _ name: String = "", _ value: String) -> HTTPArchive.Entry {
    func filled(_ text: String) -> String { text.replacing("NAME", with: name).replacing("VALUE", with: value) }
    let isAnswered = template.hasPrefix("> ")
    var request = asked(isAnswered ? String(template.dropFirst(2)) : template)
    // Foundation on Linux capitalizes the names.
    let headers = (request.allHTTPHeaderFields ?? [:]).map {
      ($0.key.lowercased() == "x-name" ? "X-\(name)" : $0.key, filled($0.value))
    }
    let body = request.httpBody.map { Data(filled(String(decoding: $0, as: UTF8.self)).utf8) }
    if isAnswered {
      request = URLRequest(url: url("https://api.example.com/v1/things"))
    } else {
      request.url = url(filled(request.url!.absoluteString))
      request.allHTTPHeaderFields = Dictionary(headers) { $1 }
      request.httpBody = body
    }
    return HTTPArchive.Entry(
      request: request,
      response: isAnswered ? .init(headers: StubHeaders(headers), body: body ?? Data()) : .init(),
      startedAt: Date(timeIntervalSince1970: 0))
  }

  /// The rows of a file in Fixtures, in which `\n` and the like are escapes.
  static func rows(_ name: String) throws -> [[String]] {
    let file = Bundle.module.resourceURL!.appendingPathComponent("Fixtures/\(name).txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    try #require(!lines.isEmpty, "\(name) has no rows.")
    return lines.map { line in
      let line = line.replacing(#/\\(?:u([0-9a-f]{4})|(.))/#) { match -> String in
        if let code = match.1 { return String(Character(UnicodeScalar(UInt16(code, radix: 16)!)!)) }
        return ["n": "\n", "r": "\r", "t": "\t"][match.2!] ?? String(match.2!)
      }
      return line.split(separator: "\t", maxSplits: 1).map(String.init)
    }
  }

  /// The containers that know names, and how they contain a value.
  static let containers = try! rows("Redaction/containers").map { (name: $0[0], template: $0[1]) }

  static let names = [
    "access_token", "refreshToken", "client-secret", "password", "newPassword", "user_passwd", "apiKey", "api-key",
    "api_key", "Signature", "credentials", "jwt", "otp", "csrf", "sessionId", "private_key",
  ]

  /// Keys of services with signs in the middle, which the examples of RuleTests lack.
  private static let shapes: [(String, String)] = [
    ("Replicate", "r8" + "_" + random(17, 18) + "-" + random(18, 18)),
    ("NVIDIA", "nv" + "api-" + random(19, 30) + "_-" + random(20, 32)),
    ("PostHog", "ph" + "x_" + random(21, 20) + "_" + random(22, 22)),
    ("New Relic", "NR" + "IQ-" + "Xc_V8HruIZ271_l9FQm-_nJ7_"),
    ("Azure", "~Gg8" + "Q~" + "nVhlLi2vpg_nXBGqFsbGK-t~Hus1JmTa0y"),
  ]

  private static func token(_ number: Int) -> String {
    func part(_ text: String) -> String { Data(text.utf8).base64EncodedString().replacing("=", with: "") }
    return part(#"{"alg":"HS256","typ":"JWT"}"#) + "." + part(#"{"sub":"42","exp":1893456000}"#) + "."
      + random(number, 43)
  }

  /// Places without a name that means a secret.
  private static let places = [
    ("path", "/VALUE/x"), ("query", "?q=VALUE"), ("header", "@X-Info=a+VALUE,+b"),
    ("text", "> type:text/plain < your key is VALUE."), ("JSON", #"> json < {"info": ["use VALUE"]}"#),
  ]

  static let all: [PlantedSecret] = {
    var all: [PlantedSecret] = []
    func plant(_ description: String, _ secret: String, _ template: String, _ name: String = "", _ value: String? = nil)
    {
      all.append(PlantedSecret(description: description, secret: secret, entry: entry(template, name, value ?? secret)))
    }
    func next() -> String { random(100 + all.count) }
    for (container, template) in containers {
      for name in names { plant("\(name) in \(container)", next(), template, name) }
    }
    for (name, value) in shapes {
      // An identifier in a path can look like a key.
      let (place, template) = places[1 + all.count % (places.count - 1)]
      plant("\(name) in \(place)", value, template)
    }
    for (place, template) in places {
      plant("JWT in \(place)", random(100 + all.count, 43), template, "", token(100 + all.count))
      if place == "path" { continue }
      let secret = next()
      plant("Bearer in \(place)", secret, template, "", "Bearer\(place == "query" ? "%20" : " ")\(secret)")
    }
    let link = "?X-Amz-Date=1&X-Amz-Signature=VALUE&n=1"
    plant("a link, requested", next(), link)
    plant("a link, in JSON", next(), #"> json < {"url": "https:\/\/files.example\/a.zip\#(link)"}"#)
    for label in ["RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY"] {
      let secret = next() + random(99 + all.count)
      plant(label, secret, "> < -----BEGIN \(label)-----\nVALUE\n-----END \(label)-----")
      plant("\(label) in JSON", secret, #"> < {"pem": "-----BEGIN \#(label)-----\nVALUE\n-----END \#(label)-----"}"#)
    }
    plant("OAuth's code", next(), "?state=1&code=VALUE")
    let saml = Data("<a>\(next())</a>".utf8).base64EncodedString()
    plant(
      "SAMLResponse", saml.replacing("=", with: ""), "form < SAMLResponse=VALUE", "", saml.replacing("=", with: "%3D"))
    return all
  }()

  /// Names and values that are no secrets.
  static let ordinary = try! rows("Redaction/ordinary").map { (name: $0[0], value: $0[1]) }
}
