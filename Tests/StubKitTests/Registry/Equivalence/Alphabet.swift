import Foundation
import StubKit

/// One value of a dimension in all its spellings: as requests have it, and as conditions name it.
struct Word {
  let written: [String]
  let meant: [String]

  /// Reads a list of words, one a line or between bars: `written written > meant meant`, or the spelling of both. `∅`
  /// is the empty text, and `␣` a space.
  static func list(_ text: String) -> [Word] {
    text.split { $0 == "|" || $0 == "\n" }.map { word in
      let sides = word.split(separator: " > ").map { side in
        side.split(separator: " ").map { $0 == "∅" ? "" : String($0).replacing("␣", with: " ") }
      }
      return Word(written: sides[0], meant: sides[sides.count - 1])
    }
  }
}

/// What requests and conditions are made of. Neighbours are alike: a round takes a few neighbours of each list, so that
/// its conditions share keys, and its requests match or nearly do.
enum Alphabet {
  /// It stays as it is.
  static let scenario = StubScenario(initial: "open", name: "door")

  static let methods = Word.list(
    "GET get | POST post Post > POST pOST | PUT | PATCH | patch | DELETE > delete | HEAD | OPTIONS | PURGE")
  static let schemes = Word.list("http HTTP > http Http | https Https > https HTTPS | app+x > app+x APP+X")
  static let hosts = Word.list(
    """
    a.com A.Com user:pw@a.com %61.com > a.com A.COM | b.a.com B.a.com > b.a.com b.A.com | ba.com | [::1] > ::1 [::1]
    [2001:DB8::A] [2001:db8::a] > [2001:db8::a] 2001:DB8::a | 127.0.0.1
    b\u{FC}cher.example bu\u{308}cher.example xn--bcher-kva.example B\u{DC}CHER.example b%C3%BCcher.example \
    > b\u{FC}cher.example bu\u{308}cher.example xn--bcher-kva.example XN--BCHER-KVA.example
    a.b\u{FC}cher.example a.xn--bcher-kva.example > a.bu\u{308}cher.example | bucher.example
    日本.example 日本。example xn--wgv71a.example > 日本.example 日本。example | ∅
    """)
  static let ports = [":80", "", ":443", ":8080", ":", ":65535", ":0"]
  static let portNumbers = [80, 443, 8080, 65535, 0]
  static let paths = Word.list(
    """
    ∅ / // > ∅ / | /users /users/ /users// /%75sers /x/../users /./users/. > /users /users/
    /users/42 /users/42/ /users/4%32 > /users/42 /users/42/ | /users/7
    /users/42/posts/7 /users/42/posts/7/ > /users/42/posts/7 | /Users/42 | /v1 /v1/ > /v1 | /v10
    /v1/users | //v1 | /a.json /%61.json > /a.json | /files/a.json | /files/a.b.png | /files/.json | /files/a.JSON | /files/a.
    /a%20b > /a␣b | /a%2Fb > /a/b | /a/b /a/b/ | /a%FFb > /a%FFb /a ∅ |
    /a%20b/%FF > /a␣b/%FF /a␣b | /a;b=c | /a%0D%0Ab > /a\r\nb /a\r
    /caf%C3%A9 /caf\u{E9} /caf%C3%A9/ > /caf\u{E9} | /cafe%CC%81 /cafe\u{301} > /cafe\u{301} | /cafe
    /caf%C3%A9/x > /caf\u{E9}/x | /cafe%CC%81/x > /cafe\u{301}/x | /a%00b > /a\0b
    /%E2%84%AB.json > /\u{212B}.json | /%C3%85.json > /\u{C5}.json
    /%F0%9F%87%A9%F0%9F%87%AA%F0%9F%87%AB > /\u{1F1E9}\u{1F1EA}\u{1F1EB}
    """)
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

  static let queryNames = Word.list(
    "a %61 > a | b | caf%C3%A9 > caf\u{E9} | cafe%CC%81 > cafe\u{301} | ∅ | a[] a%5B%5D > a[] | operationName | query | A | a%3D1 > a=1"
  )
  static let queryValues = Word.list(
    """
    1 %31 > 1 | 2 | ∅ | 1+2 1%2B2 > 1+2 | 1%202 > 1␣2 | %C3%A9 > \u{E9} | e%CC%81 > e\u{301} | x=y | GetUser
    query%20GetUser%7Bid%7D > query␣GetUser{id}
    """)
  static let headerNames = Word.list("Accept accept > Accept ACCEPT | X-Role > x-role X-Role | X-Rolf | Content-Type")
  static let headerValues = Word.list(
    "text/html | admin | Admin | ∅ | caf\u{E9} | cafe\u{301} | a,␣b a,b b␣,␣a,,␣b > a,␣b a,b b")
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
  static let formNames = Word.list("a %61 > a | b | caf%C3%A9 > caf\u{E9} | cafe%CC%81 > cafe\u{301}")
  static let formValues = Word.list("1 %31 > 1 | ∅ | 1+2 1%202 > 1␣2 | 1%2B2 > 1+2 | 2")
  static let partNames = ["avatar", "note", "\u{E9}", "e\u{301}"]
  static let partTypes = ["image/png", "IMAGE/PNG", "text/plain", "text/plain; charset=utf-8", "application/json"]
  static let operations = ["GetUser", "SetUser", "GetUsers"]
  static let needles = ["a", "1", "\u{E9}", "e\u{301}", "GetUser", "name=", "\r\n", "{"]
}
