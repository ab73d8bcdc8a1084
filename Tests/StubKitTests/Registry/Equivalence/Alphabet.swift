import Foundation
import StubKit

/// One value of a dimension in all its spellings.
struct Word {
  /// As requests have it.
  let written: [String]
  /// As conditions name it.
  let meant: [String]

  init(_ written: [String], means meant: [String]) {
    self.written = written
    self.meant = meant
  }

  init(_ text: String) { self.init([text], means: [text]) }
}

/// What requests and conditions are made of. Neighbours are alike: a round takes a few neighbours of each list, so that
/// its conditions share keys, and its requests match or nearly do.
enum Alphabet {
  /// It stays as it is.
  static let scenario = StubScenario(initial: "open", name: "door")

  static let methods = [
    Word(["GET", "get"], means: ["GET", "get"]), Word(["POST", "post", "Post"], means: ["POST", "pOST"]),
    Word(["PUT"], means: ["PUT"]), Word(["PATCH"], means: ["PATCH"]), Word(["patch"], means: ["patch"]),
    Word(["DELETE"], means: ["delete"]), Word("HEAD"), Word(["OPTIONS"], means: ["OPTIONS"]), Word("PURGE"),
  ]

  static let schemes = [
    Word(["http", "HTTP"], means: ["http", "Http"]), Word(["https", "Https"], means: ["https", "HTTPS"]),
    Word(["app+x"], means: ["app+x", "APP+X"]),
  ]

  static let hosts = [
    Word(["a.com", "A.Com", "user:pw@a.com", "%61.com"], means: ["a.com", "A.COM"]),
    Word(["b.a.com", "B.a.com"], means: ["b.a.com", "b.A.com"]),
    Word(["ba.com"], means: ["ba.com"]),
    Word(["[::1]"], means: ["::1", "[::1]"]),
    Word(["[2001:DB8::A]", "[2001:db8::a]"], means: ["[2001:db8::a]", "2001:DB8::a"]),
    Word("127.0.0.1"),
    Word(
      [
        "b\u{FC}cher.example", "bu\u{308}cher.example", "xn--bcher-kva.example", "B\u{DC}CHER.example",
        "b%C3%BCcher.example",
      ], means: ["b\u{FC}cher.example", "bu\u{308}cher.example", "xn--bcher-kva.example", "XN--BCHER-KVA.example"]),
    Word(["a.b\u{FC}cher.example", "a.xn--bcher-kva.example"], means: ["a.bu\u{308}cher.example"]),
    Word(["bucher.example"], means: ["bucher.example"]),
    Word(["日本.example", "日本。example", "xn--wgv71a.example"], means: ["日本.example", "日本。example"]),
    Word([""], means: [""]),
  ]

  static let ports = [":80", "", ":443", ":8080", ":", ":65535", ":0"]
  static let portNumbers = [80, 443, 8080, 65535, 0]

  static let paths = [
    Word(["", "/", "//"], means: ["", "/"]),
    Word(["/users", "/users/", "/users//", "/%75sers"], means: ["/users", "/users/"]),
    Word(["/users/42", "/users/42/", "/users/4%32"], means: ["/users/42", "/users/42/"]),
    Word(["/users/7"], means: ["/users/7"]),
    Word(["/users/42/posts/7", "/users/42/posts/7/"], means: ["/users/42/posts/7"]),
    Word(["/Users/42"], means: ["/Users/42"]),
    Word(["/v1", "/v1/"], means: ["/v1"]), Word("/v10"), Word("/v1/users"), Word("//v1"),
    Word(["/a.json", "/%61.json"], means: ["/a.json"]), Word("/files/a.json"), Word("/files/a.b.png"),
    Word("/files/.json"), Word("/files/a.JSON"), Word("/files/a."),
    Word(["/a%20b"], means: ["/a b"]), Word(["/a%2Fb"], means: ["/a/b"]),
    Word(["/a/b", "/a/b/"], means: ["/a/b", "/a/b/"]),
    Word(["/a%FFb"], means: ["/a%FFb", "/a", ""]), Word("/a;b=c"), Word(["/a%0D%0Ab"], means: ["/a\r\nb", "/a\r"]),
    Word(
      ["/caf%C3%A9", "/cafe%CC%81", "/caf\u{E9}", "/cafe\u{301}", "/caf%C3%A9/"],
      means: ["/caf\u{E9}", "/cafe\u{301}"]),
    Word("/cafe"),
    Word(["/caf%C3%A9/x", "/cafe%CC%81/x"], means: ["/caf\u{E9}/x", "/cafe\u{301}/x"]),
    Word(["/%E2%84%AB.json", "/%C3%85.json"], means: ["/\u{212B}.json", "/A\u{30A}.json"]),
    Word(["/%F0%9F%87%A9%F0%9F%87%AA%F0%9F%87%AB"], means: ["/\u{1F1E9}\u{1F1EA}\u{1F1EB}"]),
  ]

  /// URLs that the parts above do not make.
  static let odd = [
    "/users/42", "users", "?a=1", "#top", "foo:", "foo:bar", "foo://", "mailto:a@a.com", "file:///users/42",
    "data:text/plain,a", "//a.com/users", "http:users", "http:/users",
  ]

  static let templates = [
    "/users/{id}", "/{a}/{b}", "/users/{id}/posts/{post}", "/{a}", "/users/{id}/", "/users", "/", "",
    "/files/{name}.json", "/{name}.json", "/files/{name}.{ext}", "/a/b", "/a{x}b", "/caf{x}", "/caf\u{E9}/{x}",
    "/cafe\u{301}/{x}", "/cafe\u{301}", "/v{n}", "/v1/{x}", "/users/{id:[0-9]+}", "/{a:[a-z]+}/{b:[0-9]{2}}",
    "/users/{id:[0-9]+}/{rest...}", "/{all...}", "/users/{rest...}", "/{a:[uv][a-z0-9]*}/{rest...}",
    "/files/{name:[a-z.]+}.{ext:(?i)JSON}", "/caf\u{E9}/{rest...}",
  ]

  static let patterns = [
    "^/users", "users$", "(?<id>\\d+)", "^/users/(?<id>\\d+)(?<rest>/.*)?$", ".*", "^/$", "\u{E9}", "json|png", "^$",
    "a.b",
  ]

  static let urlPatterns = ["^https?://(?<host>[^/]+)/", "users", "[?&]a=(?<a>[^&#]*)", "#top$", "A[.]com", ".*", "%"]

  static let valuePatterns = ["^(?<number>[0-9]+)$", "^$", ".*", "\u{E9}", " ", "User", "^1(?<more>.2)?"]

  static let queryNames = [
    Word(["a", "%61"], means: ["a"]), Word(["b"], means: ["b"]),
    Word(["caf%C3%A9", "cafe%CC%81"], means: ["caf\u{E9}", "cafe\u{301}"]), Word(""),
    Word(["a[]", "a%5B%5D"], means: ["a[]"]),
    Word("operationName"), Word("query"), Word("A"),
  ]

  static let queryValues = [
    Word(["1", "%31"], means: ["1"]), Word("2"), Word(""), Word(["1+2", "1%2B2"], means: ["1+2"]),
    Word(["1%202"], means: ["1 2"]), Word(["%C3%A9", "e%CC%81"], means: ["\u{E9}", "e\u{301}"]), Word("x=y"),
    Word(["GetUser"], means: ["GetUser"]), Word(["query%20GetUser%7Bid%7D"], means: ["query GetUser{id}"]),
  ]

  static let headerNames = [
    Word(["Accept", "accept"], means: ["Accept", "ACCEPT"]), Word(["X-Role"], means: ["x-role", "X-Role"]),
    Word(["X-Rolf"], means: ["X-Rolf"]), Word("Content-Type"),
  ]

  static let headerValues = [
    Word("text/html"), Word("admin"), Word("Admin"), Word(""),
    Word(["caf\u{E9}", "cafe\u{301}"], means: ["caf\u{E9}", "cafe\u{301}"]),
    Word(["a, b", "a,b", "b , a,, b"], means: ["a, b", "a,b", "b"]),
  ]

  static let cookieHeaders = [
    "a=1", "a=1; b=2", "b=2;a=1", "a=1; a=2", "a=\"1\"", "a", "e\u{301}=1", "a=", "b= 1 ", "",
  ]
  static let cookieNames = ["a", "b", "\u{E9}", "A"]
  static let cookieValues = ["1", "2", "", "\"1\""]

  static let credentials = [("ann", "secret"), ("ann", ""), ("bob", "a:b"), ("\u{E9}", "pw"), ("e\u{301}", "pw")]
  static let authorizations =
    credentials.map { "Basic " + Data("\($0):\($1)".utf8).base64EncodedString() }
    + ["basic " + Data("ann:secret".utf8).base64EncodedString(), "Basic !", "Bearer secret", "Basic"]
}
