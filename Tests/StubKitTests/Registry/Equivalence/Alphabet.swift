import Foundation
import StubKit

/// One value of a dimension in all its spellings: as requests have it, and as conditions name it.
struct Word {
  let written: [String]
  let meant: [String]

  init(_ written: [String], meant: [String]) { (self.written, self.meant) = (written, meant) }

  /// Requests and conditions spell it alike.
  init(_ spellings: String...) { self.init(spellings, meant: spellings) }
}

/// What requests and conditions are made of. Neighbours are alike: a round takes a few neighbours of each list, so that
/// its conditions share keys, and its requests match or nearly do.
enum Alphabet {
  /// It stays as it is.
  static let scenario = StubScenario(initial: "open", name: "door")

  static let methods: [Word] = [
    Word("GET", "get"), Word(["POST", "post", "Post"], meant: ["POST", "pOST"]), Word("PUT"), Word("PATCH"),
    Word("patch"), Word(["DELETE"], meant: ["delete"]), Word("HEAD"), Word("OPTIONS"), Word("PURGE"),
  ]
  static let schemes: [Word] = [
    Word(["http", "HTTP"], meant: ["http", "Http"]), Word(["https", "Https"], meant: ["https", "HTTPS"]),
    Word(["app+x"], meant: ["app+x", "APP+X"]),
  ]
  static let hosts: [Word] = [
    Word(["a.com", "A.Com", "user:pw@a.com", "%61.com"], meant: ["a.com", "A.COM"]),
    Word(["b.a.com", "B.a.com"], meant: ["b.a.com", "b.A.com"]), Word("ba.com"),
    Word(["[::1]"], meant: ["::1", "[::1]"]),
    Word(["[2001:DB8::A]", "[2001:db8::a]"], meant: ["[2001:db8::a]", "2001:DB8::a"]), Word("127.0.0.1"),
    Word(
      [
        "b\u{FC}cher.example", "bu\u{308}cher.example", "xn--bcher-kva.example", "B\u{DC}CHER.example",
        "b%C3%BCcher.example",
      ], meant: ["b\u{FC}cher.example", "bu\u{308}cher.example", "xn--bcher-kva.example", "XN--BCHER-KVA.example"]),
    Word(["a.b\u{FC}cher.example", "a.xn--bcher-kva.example"], meant: ["a.bu\u{308}cher.example"]),
    Word("bucher.example"),
    Word(["日本.example", "日本。example", "xn--wgv71a.example"], meant: ["日本.example", "日本。example"]), Word(""),
  ]
  static let ports = [":80", "", ":443", ":8080", ":", ":65535", ":0"]
  static let portNumbers = [80, 443, 8080, 65535, 0]
  static let paths: [Word] = [
    Word(["", "/", "//"], meant: ["", "/"]),
    Word(["/users", "/users/", "/users//", "/%75sers", "/x/../users", "/./users/."], meant: ["/users", "/users/"]),
    Word(["/users/42", "/users/42/", "/users/4%32"], meant: ["/users/42", "/users/42/"]), Word("/users/7"),
    Word(["/users/42/posts/7", "/users/42/posts/7/"], meant: ["/users/42/posts/7"]), Word("/Users/42"),
    Word(["/v1", "/v1/"], meant: ["/v1"]), Word("/v10"), Word("/v1/users"), Word("//v1"),
    Word(["/a.json", "/%61.json"], meant: ["/a.json"]), Word("/files/a.json"), Word("/files/a.b.png"),
    Word("/files/.json"), Word("/files/a.JSON"), Word("/files/a."), Word(["/a%20b"], meant: ["/a b"]),
    Word(["/a%2Fb"], meant: ["/a/b"]), Word("/a/b", "/a/b/"), Word(["/a%FFb"], meant: ["/a%FFb", "/a", ""]),
    Word(["/a%20b/%FF"], meant: ["/a b/%FF", "/a b"]),
    Word("/a;b=c"), Word(["/a%0D%0Ab"], meant: ["/a\r\nb", "/a\r"]),
    Word(["/caf%C3%A9", "/caf\u{E9}", "/caf%C3%A9/"], meant: ["/caf\u{E9}"]),
    Word(["/cafe%CC%81", "/cafe\u{301}"], meant: ["/cafe\u{301}"]), Word("/cafe"),
    Word(["/caf%C3%A9/x"], meant: ["/caf\u{E9}/x"]), Word(["/cafe%CC%81/x"], meant: ["/cafe\u{301}/x"]),
    Word(["/a%00b"], meant: ["/a\0b"]), Word(["/%E2%84%AB.json"], meant: ["/\u{212B}.json"]),
    Word(["/%C3%85.json"], meant: ["/\u{C5}.json"]),
    Word(["/%F0%9F%87%A9%F0%9F%87%AA%F0%9F%87%AB"], meant: ["/\u{1F1E9}\u{1F1EA}\u{1F1EB}"]),
  ]
  /// URLs that the parts above do not make.
  static let odd = [
    "/users/42", "users", "?a=1", "#top", "foo:", "foo:bar", "foo://", "mailto:a@a.com", "file:///users/42",
    "data:text/plain,a", "//a.com/users", "http:users", "http:/users",
  ]
  static let templates = [
    "/users/{id}", "/{a}/{b}", "/users/{id}/posts/{post}", "/{a}", "/users/{id}/", "/users", "/", "",
    "/files/{name}.json", "/{name}.json", "/files/{name}.{ext}", "/a/b", "/a%2Fb", "/a{x}b", "/caf{x}",
    "/caf\u{E9}/{x}",
    "/cafe\u{301}/{x}", "/cafe\u{301}", "/v{n}", "/v1/{x}", "/users/{id:[0-9]+}", "/{a:[a-z]+}/{b:[0-9]{2}}",
    "/users/{id:[0-9]+}/{rest...}", "/{all...}", "/users/{rest...}", "/{a:[uv][a-z0-9]*}/{rest...}",
    "/files/{name:[a-z.]+}.{ext:(?i)JSON}", "/caf\u{E9}/{rest...}", "/a\0b",
  ]
  static let patterns = [
    "^/users", "users$", "(?<id>\\d+)", "^/users/(?<id>\\d+)(?<rest>/.*)?$", ".*", "^/$", "\u{E9}", "json|png", "^$",
    "a.b",
  ]
  static let urlPatterns = ["^https?://(?<host>[^/]+)/", "users", "[?&]a=(?<a>[^&#]*)", "#top$", "A[.]com", ".*", "%"]
  static let valuePatterns = ["^(?<number>[0-9]+)$", "^$", ".*", "\u{E9}", " ", "User", "^1(?<more>.2)?"]

  static let queryNames: [Word] = [
    Word(["a", "%61"], meant: ["a"]), Word("b"), Word(["caf%C3%A9"], meant: ["caf\u{E9}"]),
    Word(["cafe%CC%81"], meant: ["cafe\u{301}"]), Word(""), Word(["a[]", "a%5B%5D"], meant: ["a[]"]),
    Word("operationName"), Word("query"), Word("A"), Word(["a%3D1"], meant: ["a=1"]),
  ]
  static let queryValues: [Word] = [
    Word(["1", "%31"], meant: ["1"]), Word("2"), Word(""), Word(["1+2", "1%2B2"], meant: ["1+2"]),
    Word(["1%202"], meant: ["1 2"]), Word(["%C3%A9"], meant: ["\u{E9}"]), Word(["e%CC%81"], meant: ["e\u{301}"]),
    Word("x=y"), Word("GetUser"), Word(["query%20GetUser%7Bid%7D"], meant: ["query GetUser{id}"]),
  ]
  static let headerNames: [Word] = [
    Word(["Accept", "accept"], meant: ["Accept", "ACCEPT"]), Word(["X-Role"], meant: ["x-role", "X-Role"]),
    Word("X-Rolf"), Word("Content-Type"),
  ]
  static let headerValues: [Word] = [
    Word("text/html"), Word("admin"), Word("Admin"), Word(""), Word("caf\u{E9}"), Word("cafe\u{301}"),
    Word(["a, b", "a,b", "b , a,, b"], meant: ["a, b", "a,b", "b"]),
  ]
  static let cookieHeaders = [
    "a=1", "a=1; b=2", "b=2;a=1", "a=1; a=2", "a=\"1\"", "a", "e\u{301}=1", "a=", "b= 1 ", "",
  ]
  static let cookieNames = ["a", "b", "\u{E9}", "e\u{301}", "A"]
  static let cookieValues = ["1", "2", "", "\"1\""]
  static let credentials = [("ann", "secret"), ("ann", ""), ("bob", "a:b"), ("\u{E9}", "pw"), ("e\u{301}", "pw")]
  static let authorizations =
    credentials.map { "Basic " + Data("\($0):\($1)".utf8).base64EncodedString() }
    + ["basic " + Data("ann:secret".utf8).base64EncodedString(), "Basic !", "Bearer secret", "Basic"]

  /// Texts, and the JSON value that they say.
  static let json: [(texts: [String], value: StubJSON)] = [
    (["{\"a\":1}", "{\"a\": 1.0}", "\u{FEFF}{\"a\":1e0}"], ["a": 1]),
    (["{\"b\":2,\"a\":1}", "{\"a\":1.0,\"b\":2}"], ["a": 1, "b": 2]), (["{\"a\":\"1\"}"], ["a": "1"]),
    (["{\"a\":null}"], ["a": nil]), (["{}", " { } "], [:]), (["{\"a\":1"], "a"),
    (["{\"a\":{\"b\":[{\"c\":1},2]}}"], ["a": ["b": [["c": 1], 2]]]),
    (["{\"a\":{\"b\":[{\"d\":true,\"c\":1}, 2]}}"], ["a": ["b": [["c": 1, "d": true], 2]]]),
    (["{\"a\":{}}"], ["a": [:]]), (["{\"a\":[1,2]}"], ["a": [1, 2]]), (["{\"0\":1}"], ["0": 1]),
    (["[1,2]", " [ 1.0 , 2 ] "], [1, 2]), (["[2,1]"], [2, 1]), (["[]"], []), (["1", "1.0"], 1), (["true"], true),
    (["null"], nil), (["\"a\""], "a"),
    (["{\"\u{E9}\":\"\\u00e9\"}"], ["\u{E9}": "\u{E9}"]), (["{\"e\u{301}\":\"\u{E9}\"}"], ["e\u{301}": "\u{E9}"]),
    (["{\"a\":1,\"b\":[\"\u{E9}\",false,null]}"], ["a": 1, "b": ["\u{E9}", false, nil]]),
    (["{\"a\":1,\"b\":[\"e\u{301}\",false,null]}"], ["a": 1, "b": ["e\u{301}", false, nil]]),
    (["{\"a\":1.5}"], ["a": 1.5]), (["{\"a\":9007199254740993}"], ["a": 9_007_199_254_740_993]),
    (["{\"a\":9007199254740992}"], ["a": 9_007_199_254_740_992]),
  ]
  static let jsonPaths = [
    "", "a", "b", "a.b", "a.b[0].c", "/a", "/a/b/0/c", "a[0]", "[0]", "/0", "e\u{301}", "/\u{E9}", "/a/0",
  ]
  static let jsonParts: [StubJSON] = [1, 1, 2, "1", nil, "\u{E9}", "e\u{301}", [1, 2], [["c": 1], 2], ["c": 1], [:]]
  static let formNames: [Word] = [
    Word(["a", "%61"], meant: ["a"]), Word("b"), Word(["caf%C3%A9"], meant: ["caf\u{E9}"]),
    Word(["cafe%CC%81"], meant: ["cafe\u{301}"]),
  ]
  static let formValues: [Word] = [
    Word(["1", "%31"], meant: ["1"]), Word(""), Word(["1+2", "1%202"], meant: ["1 2"]), Word(["1%2B2"], meant: ["1+2"]),
    Word("2"),
  ]
  static let partNames = ["avatar", "note", "\u{E9}", "e\u{301}"]
  static let partTypes = ["image/png", "IMAGE/PNG", "text/plain", "text/plain; charset=utf-8", "application/json"]
  static let operations = ["GetUser", "SetUser", "GetUsers"]
  static let needles = ["a", "1", "\u{E9}", "e\u{301}", "GetUser", "name=", "\r\n", "{"]
}
