import Foundation
import TestSupport

@testable import StubKitArchive

/// Exchanges with one secret each, and exchanges with none. Secrets are put together here, so that no scanner of source code
/// takes them for live ones.
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

  private static func entry(
    _ query: String = "", headers: [String: String] = [:], body: String? = nil, type: String? = nil,
    isResponse: Bool = false
  ) -> HTTPArchive.Entry {
    var request = URLRequest(url: url("https://api.example.com/v1/things\(query)"))
    var entryHeaders = HTTPArchive.Headers([])
    if isResponse {
      for (name, value) in headers { entryHeaders.append(name, value) }
      if let type { entryHeaders.append("Content-Type", type) }
    } else {
      request.httpMethod = body == nil ? "GET" : "POST"
      request.allHTTPHeaderFields = headers
      if let type { request.setValue(type, forHTTPHeaderField: "Content-Type") }
      request.httpBody = body.map { Data($0.utf8) }
    }
    let answer = isResponse ? body ?? "" : ""
    return HTTPArchive.Entry(
      request: request, response: .init(headers: entryHeaders, body: Data(answer.utf8)),
      startedAt: Date(timeIntervalSince1970: 0))
  }

  /// The containers that know names, and how they contain a value.
  static let containers: [(String, @Sendable (_ name: String, _ value: String) -> HTTPArchive.Entry)] = [
    ("header", { entry(headers: ["X-\($0)": $1]) }),
    ("response header", { entry(headers: ["X-\($0)": $1], isResponse: true) }),
    ("query", { entry("?page=2&\($0)=\($1)&sort=up") }),
    ("query with semicolons", { entry("?page=2;\($0)=\($1);sort=up") }),
    ("query with brackets", { entry("?user%5B\($0)%5D=\($1)") }),
    (
      "fragment of a redirect",
      { entry(headers: ["Location": "https://app.example/cb#\($0)=\($1)&n=1"], isResponse: true) }
    ),
    ("form", { entry(body: "user=ann&\($0)=\($1)", type: "application/x-www-form-urlencoded") }),
    ("form of a wrong type", { entry(body: "user=ann&\($0)=\($1)", type: "text/plain") }),
    (
      "multipart",
      {
        entry(
          body: "--b\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n--b--\r\n",
          type: "multipart/form-data; boundary=b")
      }
    ),
    (
      "multipart without a type",
      {
        entry(
          body:
            "--b\r\nContent-Disposition: form-data; name=\"\($0)\"\r\nContent-Type: text/plain\r\n\r\n\($1)\r\n--b--\r\n"
        )
      }
    ),
    (
      "JSON in multipart",
      {
        entry(
          body: "--b\r\nContent-Disposition: form-data; name=\"info\"\r\n\r\n{\"\($0)\": \"\($1)\"}\r\n--b--\r\n",
          type: "multipart/form-data; boundary=b")
      }
    ),
    ("JSON", { entry(body: #"{"a": [{"\#($0)": "\#($1)"}]}"#, type: "application/json", isResponse: true) }),
    ("JSON of a wrong type", { entry(body: #"{"a": {"\#($0)": "\#($1)"}}"#, type: "text/html", isResponse: true) }),
    ("JSON in a string", { entry(body: #"{"a": "{\"\#($0)\": \"\#($1)\"}"}"#, type: "application/json") }),
    (
      "JSON in a string in a string",
      { entry(body: #"{"a": "{\"b\": \"{\\\"\#($0)\\\": \\\"\#($1)\\\"}\"}"}"#, type: "application/json") }
    ),
    ("JSON in a query", { entry("?filter=%7B%22\($0)%22%3A%22\($1)%22%7D") }),
    (
      "JSON in a form",
      { entry(body: "payload=%7B%22\($0)%22%3A+%22\($1)%22%7D", type: "application/x-www-form-urlencoded") }
    ),
    (
      "server-sent event",
      { entry(body: "id: 1\ndata: {\"\($0)\": \"\($1)\"}\n\n", type: "text/event-stream", isResponse: true) }
    ),
    (
      "name and value",
      { entry(body: #"{"env": [{"name": "\#($0)", "value": "\#($1)"}]}"#, type: "application/json", isResponse: true) }
    ),
    (
      "value and key",
      { entry(body: #"{"env": [{"value": "\#($1)", "key": "\#($0)"}]}"#, type: "application/json", isResponse: true) }
    ),
    (
      "XML element",
      {
        entry(body: "<?xml version=\"1.0\"?><a><n:\($0)>\($1)</n:\($0)></a>", type: "application/xml", isResponse: true)
      }
    ),
    (
      "XML attribute",
      { entry(body: "<a><login user=\"ann\" \($0)=\"\($1)\"/></a>", type: "text/xml", isResponse: true) }
    ),
    (
      "property list",
      {
        entry(
          body: "<plist><dict><key>\($0)</key>\n<string>\($1)</string></dict></plist>", type: "text/xml",
          isResponse: true)
      }
    ),
    (
      "input of a page",
      {
        entry(
          body: "<!DOCTYPE html><form><input type=hidden value='\($1)' name=\($0)></form>", type: "text/html",
          isResponse: true)
      }
    ),
    (
      "meta of a page",
      {
        entry(
          body: "<html><head><meta name=\"\($0)\" content=\"\($1)\"></head></html>", type: "text/html", isResponse: true
        )
      }
    ),
    (
      "script of a page",
      { entry(body: "<html><script>let a = {\($0): '\($1)'}</script>", type: "text/html", isResponse: true) }
    ),
    (
      "escaped JSON of a page",
      {
        entry(body: "<html><div data-a=\"{&quot;\($0)&quot;:&quot;\($1)&quot;}\">", type: "text/html", isResponse: true)
      }
    ),
    ("link", { entry(body: "<a href=\"/x?a=1&amp;\($0)=\($1)\">", type: "text/html", isResponse: true) }),
    ("broken JSON", { entry(body: #"{"a": 1, /* */ "\#($0)": "\#($1)"#, type: "application/json", isResponse: true) }),
  ]

  static let names = [
    "access_token", "refreshToken", "client-secret", "password", "newPassword", "user_passwd", "apiKey", "api-key",
    "api_key",
    "Signature", "credentials", "jwt", "otp", "csrf", "sessionId", "private_key",
  ]

  /// Values that are recognised by their shape.
  private static let shapes: [(String, String)] = [
    ("GitHub", "ghp" + "_" + random(1, 36)), ("GitHub, fine-grained", "github" + "_pat_" + random(2, 60)),
    ("GitLab", "glp" + "at-" + random(3, 20)), ("Slack", "xox" + "b-" + "123456789012-" + random(4)),
    ("AWS", "AK" + "IA" + "Q7X2M4N6P8R1S3T5"), ("AWS, temporary", "AS" + "IA" + "Q7X2M4N6P8R1S3T5"),
    ("Stripe", "sk" + "_live_" + random(5)), ("Stripe, restricted", "rk" + "_live_" + random(6)),
    ("Google", "AI" + "za" + random(7, 35)), ("Google OAuth", "ya" + "29." + random(8, 60)),
    ("SendGrid", "S" + "G." + random(9, 22) + "." + random(10, 43)), ("npm", "np" + "m_" + random(11, 36)),
    ("Shopify", "shp" + "at_" + "0123456789abcdef0123456789abcdef"), ("Hugging Face", "h" + "f_" + random(12, 34)),
    ("Anthropic", "sk-" + "ant-" + random(13, 60)), ("OpenAI", "sk-" + random(14, 48)),
    ("Vault", "hv" + "s." + random(15, 40)),
    ("Square", "sq0" + "atp-" + random(16, 22)),
    ("DigitalOcean", "dop" + "_v1_" + String(repeating: "0a1b2c3d", count: 8)),
    ("Databricks", "da" + "pi" + String(repeating: "0a1b2c3d", count: 4)),
    // As the tests of trufflehog and gitleaks have them, with hyphens, underscores and tildes.
    ("Replicate", "r8" + "_" + random(17, 18) + "-" + random(18, 18)),
    ("NVIDIA", "nv" + "api-" + random(19, 30) + "_-" + random(20, 32)),
    ("PostHog", "ph" + "x_" + random(21, 20) + "_" + random(22, 22)), ("Supabase", "sb" + "p_" + random(23, 40)),
    ("LangSmith", "lsv2" + "_pt_" + "0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d" + "_0a1b2c3d4e"),
    ("New Relic", "NR" + "IQ-" + "Xc_V8HruIZ271_l9FQm-_nJ7_"),
    ("ClickUp", "p" + "k_" + "1234567_" + random(24, 32).uppercased()),
    ("Azure", "~Gg8" + "Q~" + "nVhlLi2vpg_nXBGqFsbGK-t~Hus1JmTa0y"),
    ("Sourcegraph", "sl" + "k_" + String(repeating: "0a1b2c3d", count: 8)),
    ("Dropbox", "sl" + ".u." + random(25, 130)), ("RubyGems", "ruby" + "gems_" + random(26, 48)),
  ]

  private static func token(_ number: Int) -> String {
    func part(_ text: String) -> String { Data(text.utf8).base64EncodedString().replacing("=", with: "") }
    return part(#"{"alg":"HS256","typ":"JWT"}"#) + "." + part(#"{"sub":"42","exp":1893456000}"#) + "."
      + random(number, 43)
  }

  /// Places without a name that means a secret.
  private static let places: [(String, @Sendable (String) -> HTTPArchive.Entry)] = [
    ("path", { entry("/\($0)/x") }), ("query", { entry("?q=\($0)") }),
    ("header", { entry(headers: ["X-Info": "a \($0), b"]) }),
    ("text", { entry(body: "your key is \($0).", type: "text/plain", isResponse: true) }),
    ("JSON", { entry(body: #"{"info": ["use \#($0)"]}"#, type: "application/json", isResponse: true) }),
  ]

  private static let links: [(String, String, String)] = [
    ("S3, version 2", "?AWSAccessKeyId=x&Expires=1&Signature=SECRET", random(61, 28)),
    ("S3, version 4", "?X-Amz-Algorithm=a&X-Amz-Expires=60&X-Amz-Signature=SECRET", random(62, 64)),
    ("S3, session", "?X-Amz-Date=1&X-Amz-Security-Token=SECRET", random(63, 80)),
    ("S3, credential", "?X-Amz-Date=1&X-Amz-Credential=SECRET%2F20260101%2Fus-east-1", random(64, 20)),
    ("Azure", "?sv=2022-11-02&se=2026-01-01&sr=b&sp=r&sig=SECRET", random(65, 44)),
    ("CloudFront", "?Expires=1&Key-Pair-Id=K1&Signature=SECRET", random(66, 80)),
    ("GCS", "?X-Goog-Algorithm=a&X-Goog-Signature=SECRET", random(67, 64)),
    ("GCS, version 2", "?GoogleAccessId=a%40b&Expires=1&Signature=SECRET", random(68, 44)),
  ]

  static let all: [PlantedSecret] = {
    var all: [PlantedSecret] = []
    var number = 100
    func next() -> String {
      number += 1
      return random(number)
    }
    for (container, make) in containers {
      for name in names {
        let secret = next()
        all.append(PlantedSecret(description: "\(name) in \(container)", secret: secret, entry: make(name, secret)))
      }
    }
    for (name, value) in shapes {
      let (place, make) = places[all.count % places.count]
      all.append(PlantedSecret(description: "\(name) in \(place)", secret: value, entry: make(value)))
    }
    for (place, make) in places {
      number += 1
      let signature = random(number, 43)
      let token = token(number)
      all.append(PlantedSecret(description: "JWT in \(place)", secret: signature, entry: make(token)))
      let secret = next()
      all.append(PlantedSecret(description: "Bearer in \(place)", secret: secret, entry: make("Bearer%20\(secret)")))
    }
    for (name, query, value) in links {
      let query = query.replacing("SECRET", with: value)
      all.append(PlantedSecret(description: "\(name), requested", secret: value, entry: entry(query)))
      let body = #"{"url": "https:\/\/files.example\/a.zip\#(query)"}"#
      all.append(
        PlantedSecret(
          description: "\(name), in JSON", secret: value,
          entry: entry(body: body, type: "application/json", isResponse: true)))
    }
    for label in ["RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY"] {
      let secret = next() + next()
      let lines = ["-----BEGIN \(label)-----", secret, "-----END \(label)-----"]
      all.append(
        PlantedSecret(
          description: label, secret: secret, entry: entry(body: lines.joined(separator: "\n"), isResponse: true)))
      all.append(
        PlantedSecret(
          description: "\(label) in JSON", secret: secret,
          entry: entry(body: #"{"pem": "\#(lines.joined(separator: #"\n"#))"}"#, isResponse: true)))
    }
    let code = next()
    all.append(
      PlantedSecret(description: "OAuth's code", secret: code, entry: entry("?state=1&code=\(code)")))
    let saml = Data("<a>\(next())</a>".utf8).base64EncodedString()
    all.append(
      PlantedSecret(
        description: "SAMLResponse", secret: saml.replacing("=", with: ""),
        entry: entry(
          body: "SAMLResponse=\(saml.replacing("=", with: "%3D"))", type: "application/x-www-form-urlencoded")))
    return all
  }()

  /// Names and values that are no secrets, although they look a bit like some.
  static let ordinary: [(name: String, value: String)] = [
    ("nextPageToken", "CAUQAA"), ("pageToken", "abc123"), ("continuationToken", "a1b2"), ("token_type", "Bearer"),
    ("tokenType", "bearer"), ("max_tokens", "256"), ("expires_in", "3600"), ("passwordHint", "the usual"),
    ("forgot_password_url", "/forgot"), ("nonce", "n0n5e"), ("code", "E1042"), ("author", "Ann"), ("key", "en-US"),
    ("signatureAlgorithm", "RS256"), ("secretary", "Bob"), ("id", "8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b"),
    ("etag", "33a64df551425fcc"), ("sha256", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
    ("description", "Use a bearer token for authentication."), ("message", "Bearer authentication is required"),
    ("next", "https://api.example.com/v1/things?page=3&limit=20"), ("email", "ann@example.com"), ("version", "1.2.3"),
    ("sk", "sk-SK"), ("locale", "sk"), ("created", "2026-03-01T12:30:00Z"), ("hash", "eyJub3QiOiJhIHRva2VuIn0"),
    ("assertionCount", "3"), ("ticketCount", "4"), ("pinned", "yes"), ("signed", "true"), ("tokens", "12"),
    ("zone", "ASIA_PACIFIC_SOUTHEAST_1"), ("stage", "API-Gateway-Rest-Deployment-Stage"),
  ]
}
