import Foundation
import StubKit

private struct User: Codable, Sendable {
  var id: Int
  var name: String
}

/// The rows of the table of matchers that are about a body.
extension MatcherTableTests {
  static let bodies = [
    MatcherRow(hasBody(Data("abc".utf8)), bodies: ["abc"], not: ["abcd", "", "\u{FEFF}abc"]),
    MatcherRow(hasBody(Data("abc".utf8)), at: "", not: "http://a/"),
    MatcherRow(hasBody(Data()), at: "http://a/"), MatcherRow(hasBody(Data()), bodies: [""], not: ["a"]),
    MatcherRow(bodyContains("needle"), bodies: ["hay needle hay"], not: ["hay", ""]),
    MatcherRow(
      hasFormBody(["a": "1", "b": nil, "c": ""]),
      bodies: ["a=1&b&c=", "c=&b&a=1", "a=%31&b&&c=", "a=1&b&c=&a=1"],
      not: ["a=1&b=&c=", "a=1&b&c", "a=2&b&c=", "a=1&c=", "a=1&b&c=&d", "A=1&b&c=", ""]),
    MatcherRow(
      hasFormBody(containing: ["a": "1", "b": nil]), bodies: ["b&a=1", "a=2&c=3&b&a=1"],
      not: ["a=1&b=", "a=1", "a=2&b", ""]),
    MatcherRow(hasFormBody([:]), hasFormBody(), bodies: ["", "&"], not: ["a", "a=1", "{}"]),
    MatcherRow(
      hasFormBody(
        URLQueryItem(name: "t", value: "b"), URLQueryItem(name: "u", value: nil), URLQueryItem(name: "t", value: "a")),
      bodies: ["t=a&t=b&u", "u&t=b&t=a"], not: ["t=a&t=b&t=b&u", "t=a&u", "t=a&t=b&u="]),
    MatcherRow(
      hasJSONBody(["id": 1, "tags": ["a", ["b": nil]], "ok": true]),
      bodies: [
        #"{"id":1,"tags":["a",{"b":null}],"ok":true}"#,
        "{ \"ok\" : true,\n\"tags\":[\"a\",{\"b\":null}], \"id\":1.0 }",
        "\u{FEFF}{\"id\":1e0,\"tags\":[\"a\",{\"b\":null}],\"ok\":true}",
      ],
      not: [
        #"{"id":2,"tags":["a",{"b":null}],"ok":true}"#, #"{"ID":1,"tags":["a",{"b":null}],"ok":true}"#,
        #"{"tags":["a",{"b":null}],"ok":true}"#, #"{"id":1,"tags":["a",{"b":null}],"ok":true,"x":null}"#,
        #"{"id":1,"tags":[{"b":null},"a"],"ok":true}"#, #"{"id":1,"tags":["a",{}],"ok":true}"#,
        #"{"id":true,"tags":["a",{"b":null}],"ok":1}"#, "", "nonsense",
      ]),
    MatcherRow(hasJSONBody("x"), bodies: ["\"x\""]), MatcherRow(hasJSONBody(nil), bodies: ["null"], not: [""]),
    MatcherRow(hasJSONBody(true), bodies: ["true"], not: ["1"]),
    MatcherRow(hasJSONBody([:]), bodies: ["{}"], not: ["[]"]),
    MatcherRow(
      hasJSONBody(containing: ["a": ["b": 1], "l": [["x": 1]]]),
      bodies: [#"{"a":{"b":1,"c":2},"l":[{"x":1,"y":2}],"z":0}"#, #"{"a":{"b":1},"l":[{"x":1}]}"#],
      not: [
        #"{"a":{"b":2},"l":[{"x":1}]}"#, #"{"a":{},"l":[{"x":1}]}"#, #"{"a":{"b":1},"l":[{"x":1},2]}"#,
        #"{"a":{"b":1},"l":[]}"#, "[]", "",
      ]),
  ]

  /// A + is a space; a percent sign that encodes nothing stays, and what is not UTF-8 is replaced.
  static let formValues = [
    ("a b", "a+b"), ("a+b", "a%2Bb"), (" \u{301}", "+\u{301}"), ("50% off!", "50%+off%21"), ("%2", "%2"),
    ("% 1%zz%A", "%+1%zz%%41"), ("%4A%aé", "%4%41%a%c3%a9"), ("a\u{FFFD}b", "a%FFb"), ("\0", "%00"), ("€", "%e2%82%AC"),
  ].map { MatcherRow(hasFormBody(["x": $0]), bodies: ["x=\($1)"], not: ["x=", "x=a"]) }

  /// Values of the test's own are encoded.
  static let encoded: [MatcherRow] = {
    let (id, name, missing) = (1, "Ann", String?.none)
    return [
      MatcherRow(
        hasJSONBody(["id": id, "name": name]), hasJSONBody(User(id: id, name: name)),
        hasJSON(at: "", equals: ["id": id, "name": name]), hasJSONBody(containing: ["id": id, "name": name]),
        hasJSONBody(containing: ["name": name]) && hasJSON(at: "id", equals: id),
        bodies: [#"{"id": 1, "name": "Ann"}"#], not: [#"{"id": 2, "name": "Ann"}"#, #"{"id": 1, "name": "xAnn"}"#]),
      MatcherRow(hasJSONBody(["m": missing]), bodies: [#"{"m": null}"#]),
      MatcherRow(hasJSONBody([id, id + 1]), bodies: ["[1,2]"]),
      // And decoded for a closure.
      MatcherRow(
        hasJSONBody(as: User.self) { $0.name == "ann" },
        bodies: [
          #"{"id": 1, "name": "ann"}"#, #"{"id": 1, "name": "ann", "more": 1}"#,
          "\u{FEFF}{\"id\": 1, \"name\": \"ann\"}",
        ], not: [#"{"id": 1, "name": "ben"}"#, #"{"id": 1, "name": 1}"#, "{}", "[", ""]),
      MatcherRow(hasJSONBody(as: String?.self) { _ in true }, bodies: ["null"], not: ["1"]),
      MatcherRow(hasJSONBody(as: String?.self) { _ in true }, at: "", not: "http://a.com/"),
    ]
  }()

  /// Places in a JSON value are found by dots and brackets, or as a JSON Pointer. What is not there is not null.
  static let places = [
    MatcherRow(
      conditions: [
        ("a.b[0].c", 1), ("[\"d.e\"]", 2), ("['d.e']", 2), ("a['b'][0][\"c\"]", 1), ("l[0][0]", 6), ("0", 5),
        ("n", nil), ("a.b[1]", nil), ("a.b.0.c", 1), ("l.0[0]", 6), ("[\"x]\"]", 7), ("/a/b/0/c", 1), ("/d.e", 2),
        ("/", 3), ("/m~0n~1o", 4), ("/0", 5), ("/l/0/0", 6), ("/n", nil),
      ].map { hasJSON(at: $0, equals: $1 as StubJSON) }
        + [
          "a.x", "a.b[2]", "a.b.c", "a[0]", "n.x", "l.1", "l.00", "/a/b/00/c", "/a/b/-", "/a/x", "/n/x", "/l/+0", "no",
        ].map { !hasJSON(at: $0, equals: nil) },
      bodies: [#"{"a":{"b":[{"c":1},null]},"d.e":2,"":3,"m~n/o":4,"0":5,"l":[[6]],"n":null,"x]":7}"#]),
    MatcherRow(hasJSON(at: "", equals: [1]), hasJSON(at: "[0]", equals: 1), bodies: ["[1]"], not: ["[2]", "{}"]),
    MatcherRow(hasJSON(at: "a", equals: 1), bodies: [#"{"a": 1}"#], not: [#"{"a": "other"}"#, #"{"a": null}"#]),
  ]

  private static let user = isGraphQL(operation: "GetUser")
  static let graphQL = [
    MatcherRow(
      user, type: "application/json",
      bodies: [
        #"{"operationName":"GetUser","query":"query Other { a }"}"#, #"{"query":"query GetUser { a }"}"#,
        #"{"operationName":null,"query":"mutation GetUser($id: ID!) { a(id: $id) }"}"#,
        #"[{"query":"query A { a }"},{"query":"query GetUser { a }"}]"#,
      ],
      not: [
        #"{"operationName":"Other","query":"query GetUser { a }"}"#, #"{"query":"{ GetUser }"}"#,
        #"{"query":"query { GetUser }"}"#, #"{"query":"query GetUser { a } query B { b }"}"#,
        #"{"query":"query getUser { a }"}"#, "", "3", #"{"operationName":"","query":"query GetUser { a }"}"#,
      ]),
    // A byte order mark is ignored, as in JSON.
    MatcherRow(user, type: "application/graphql", bodies: ["query GetUser { a }", "\u{FEFF}query GetUser { a }"]),
    MatcherRow(
      user,
      bodies: [
        "\u{FEFF}{\"query\":\"query GetUser { a }\"}", "{\"query\":\"\u{FEFF}query GetUser { a }\"}",
        "{\"query\":\"query\u{FEFF}GetUser { a }\"}",
      ]),
    MatcherRow(
      user, methods: ["GET", "POST"], not: ["PUT", "PATCH", "DELETE"], at: "http://a/?operationName=GetUser"),
    MatcherRow(user, type: "text/plain", bodies: [], not: ["query GetUser { a }"]),
    MatcherRow(
      user, at: "http://a/?query=query%20GetUser%7Ba%7D http://a/?query=%7Ba%7D&operationName=GetUser",
      not: "http://a/ http://a/?query=query%20GetUser%7Ba%7D&operationName="),
    // The examples of the GraphQL multipart request specification.
    MatcherRow(
      user, type: "multipart/form-data; boundary=x",
      bodies: [
        #"{ "query": "mutation GetUser($file: Upload!) { a(file: $file) { id } }", "variables": { "file": null } }"#,
        #"[{"query": "mutation A { a }"}, {"operationName": "GetUser", "query": "mutation GetUser { a }"}]"#,
      ].map(upload),
      not: [#"{ "query": "mutation Other { a }" }"#, "GetUser"].map(upload) + [
        upload(#"{ "query": "query GetUser { a }" }"#).replacing("\r\n", with: "\n")
      ]),
  ]

  /// Servers read only lines that end with CR and LF. What is in a part is its own.
  static let lineBreaks = [
    MatcherRow(
      hasMultipartPart(named: "a"), type: "multipart/form-data; boundary=x",
      bodies: ["1", "1\n2\n", "\n"].map(part),
      not: [
        part("1").replacing("\r\n", with: "\n"), part("1").replacing("\r\n--x--", with: "\n--x--"),
        part("1").replacing("\r\n\r\n", with: "\n\n"), part("1").replacing("--x\r\n", with: "--x\n"),
        part("1").replacing("\"\r\n", with: "\"\n"), part("1").replacing("\r\n", with: "\r"),
      ]),
    // As bytes, an empty part included.
    MatcherRow(
      hasMultipartPart(named: "a", data: Data("1\r\n".utf8)), hasMultipartPart(named: "a", value: "1\r\n"),
      type: "multipart/form-data; boundary=x", bodies: [part("1\r\n")], not: [part("1"), part("1\r\n2"), part("")]),
    MatcherRow(
      hasMultipartPart(named: "a", data: Data()), type: "multipart/form-data; boundary=x", bodies: [part("")],
      not: [part("1"), part("\r\n")]),
  ]

  private static func part(_ content: String) -> String {
    "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(content)\r\n--x--\r\n"
  }

  /// Texts are equal if their scalars are, as a server compares them. To Swift, these are equal, and none is to a
  /// matcher.
  static let scalars = [("caf\u{E9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{E9}"), ("K", "\u{212A}")].flatMap {
    text, other -> [MatcherRow] in
    let value = StubJSON(text)
    func part(_ text: String) -> String {
      "--x\r\nContent-Disposition: form-data; name=\"\(text)\"; filename=\"\(text)\"\r\n\r\n\(text)\r\n--x--"
    }
    func basic(_ text: String) -> String { "Basic " + Data("\(text):\(text)".utf8).base64EncodedString() }
    func encoded(_ text: String) -> String { text.utf8.map { "%" + String($0, radix: 16) }.joined() }
    func urls(_ text: String) -> String {
      [text, encoded(text)].map { "http://a.com/\($0)/\($0)1.\($0)?\($0)=\($0)" }.joined(separator: " ")
    }
    return [
      MatcherRow(
        isPath("/\(text)/\(text)1.\(text)"), pathStartsWith("/\(text)"), pathEndsWith("1.\(text)"),
        hasPathExtension(text),
        isURL("http://a.com/\(text)/\(text)1.\(text)?\(text)=\(text)"), hasBaseURL("http://a.com/\(text)"),
        isPath(template: "/\(text)/{name}"), isPath(template: "/{name}/\(text){number}.\(text)"),
        isPath(template: "/{name:\(text)}/{file...}"), pathMatches("/\(text)/"), containsQuery([text: text]),
        containsQuery(text), containsQuery(text, text), queryMatches(text, "^\(text)$"), hasExactQuery([text: text]),
        !(!containsQuery(text)), at: urls(text), not: urls(other)),
      MatcherRow(
        hasHeader("X-A", text), hasHeader("X-A", "1,\(text)"), headerMatches("X-A", "1, *\(text)"), field: "X-A",
        ["1, \(text)"], not: ["1, \(other)"]),
      MatcherRow(
        hasCookie(text), hasCookie(text, text), field: "Cookie", ["a=b; \(text)=\(text)"],
        not: ["a=b; \(other)=\(other)"]),
      MatcherRow(
        hasBasicAuth(user: text, password: text), field: "Authorization", [basic(text)], not: [basic(other)]),
      MatcherRow(hasBearerToken(text), field: "Authorization", ["Bearer \(text)"], not: ["Bearer \(other)"]),
      MatcherRow(
        hasFormBody([text: text]), hasFormBody(URLQueryItem(name: text, value: text)),
        hasFormBody(containing: [text: text]), bodyContains(text), hasBody(Data("\(text)=\(text)".utf8)),
        bodies: ["\(text)=\(text)"], not: ["\(other)=\(other)"]),
      MatcherRow(
        hasJSONBody([text: value]), hasJSONBody(containing: [text: value]), hasJSON(at: text, equals: value),
        hasJSON(at: "", equals: [text: value]), hasJSONBody(as: [String: String].self) { $0.values.contains(text) },
        bodies: ["{\"\(text)\":\"\(text)\"}"]),
      MatcherRow(
        hasJSONBody([text: 1]), hasJSONBody(containing: [text: 1]), hasJSON(at: text, equals: 1),
        // Of two keys that Swift finds equal, the last one counts.
        bodies: ["{\"\(text)\":1}", "{\"\(other)\":2,\"\(text)\":1}"],
        not: ["{\"\(other)\":1}", "{\"\(text)\":1,\"\(other)\":1}"]),
      MatcherRow(
        hasJSONBody(["a": value]), hasJSON(at: "a", equals: value), hasJSONBody(containing: ["a": value]),
        bodies: ["{\"a\":\"\(text)\"}"], not: ["{\"a\":\"\(other)\"}"]),
      MatcherRow(
        isGraphQL(operation: text), bodies: ["{\"operationName\":\"\(text)\"}"],
        not: ["{\"operationName\":\"\(other)\"}"]),
      MatcherRow(
        hasMultipartPart(named: text), hasMultipartPart(named: text, value: text),
        hasMultipartPart(named: text, filename: text), type: "multipart/form-data; boundary=x", bodies: [part(text)],
        not: [part(other)]),
    ]
  }

  private static func upload(_ operations: String) -> String {
    [("operations", operations), ("map", #"{ "0": ["variables.file"] }"#), ("0; filename=a.txt", "Alpha")]
      .map { "--x\r\nContent-Disposition: form-data; name=\($0)\r\n\r\n\($1)\r\n" }.joined() + "--x--"
  }

  static let multipart: [MatcherRow] = {
    let body = """
      preamble
      --XX
      Content-Disposition: form-data; name="title"

      a --XX in the text
      --XX
      content-disposition: form-data; filename="a;b.png"; name="file"
      Content-Type: image/PNG; charset=x

      \u{1}\r\u{2}
      --XXY
      --XX
      Content-Disposition: form-data; name=bare; filename=x
      Content-Type: application/json


      --XX--
      epilogue
      --XX
      Content-Disposition: form-data; name="late"


      --XX--
      """
    let bodies = [body.replacing("\n", with: "\r\n")]
    let held = [
      ("title", nil), ("title", "text/plain"), ("file", "image/png"), ("file", "IMAGE/png"),
      ("file", "image/png; charset=x"), ("bare", "application/json"),
    ].map { hasMultipartPart(named: $0, contentType: $1) }
    let missing = [
      ("title", "image/png"), ("file", "image/png; charset=y"), ("late", nil), ("Title", nil), ("x", nil),
    ].map { !hasMultipartPart(named: $0, contentType: $1) }
    let byContent = [
      hasMultipartPart(named: "file", filename: "a;b.png"), !hasMultipartPart(named: "file", filename: "A;b.png"),
      !hasMultipartPart(named: "title", filename: ""), hasMultipartPart(named: "title", value: "a --XX in the text"),
      !hasMultipartPart(named: "title", value: "a"), hasMultipartPart(named: "bare", value: ""),
      hasMultipartPart(named: "bare", filename: "x", contentType: "application/json", value: ""),
      !hasMultipartPart(named: "bare", filename: "x", contentType: "text/css", value: ""),
    ]
    return ["multipart/form-data; boundary=XX", "Multipart/Mixed; charset=utf-8; boundary=\"XX\""].map {
      MatcherRow(conditions: held + missing + byContent, type: $0, bodies: bodies)
    }
      // Servers refuse a body that doesn't end.
      + [
        MatcherRow(
          hasMultipartPart(named: "title"), type: "multipart/form-data; boundary=XX", bodies: bodies,
          not: bodies.map { $0.replacing("--XX--", with: "--XX") })
      ]
      + [nil, "multipart/form-data", "text/plain; boundary=XX", "multipart/form-data; boundary="].map {
        MatcherRow(hasMultipartPart(named: "title"), type: $0, bodies: [], not: bodies)
      }
  }()
}
