import TestSupport
import Testing

@testable import StubKit

@Suite("A GraphQL operation", .inTurn)
struct GraphQLOperationTests {
  @Test("is named by the body's operationName, else by its document")
  func body() {
    for (body, expected) in [
      (#"{"operationName":"GetUser","query":"query Other { a }"}"#, true), (#"{"query":"query GetUser { a }"}"#, true),
      (#"{"operationName":null,"query":"mutation GetUser($id: ID!) { a(id: $id) }"}"#, true),
      (#"{"operationName":"Other","query":"query GetUser { a }"}"#, false),
      (#"{"query":"{ GetUser }"}"#, false), (#"{"query":"query { GetUser }"}"#, false),
      (#"{"query":"query GetUser { a } query B { b }"}"#, false),
      (#"[{"query":"query A { a }"},{"query":"query GetUser { a }"}]"#, true),
      (#"{"query":"query getUser { a }"}"#, false), ("", false), ("3", false),
    ] {
      #expect(
        isGraphQL(operation: "GetUser").matches(post(body, contentType: "application/json")) == expected, "\(body)")
    }
  }

  @Test("is found in a document of its own, and in a GET's query")
  func otherPlaces() {
    let matcher = isGraphQL(operation: "GetUser")
    #expect(matcher.matches(post("query GetUser { a }", contentType: "application/graphql")))
    #expect(!matcher.matches(post("query GetUser { a }", contentType: "text/plain")))
    #expect(matcher.matches(request("http://a/?query=query%20GetUser%7Ba%7D")))
    #expect(matcher.matches(request("http://a/?query=%7Ba%7D&operationName=GetUser")))
    #expect(!matcher.matches(request("http://a/")))
  }

  /// The examples of the GraphQL multipart request specification.
  @Test("is found in the part `operations` of an upload")
  func upload() {
    for (operations, expected) in [
      (
        #"{ "query": "mutation GetUser($file: Upload!) { a(file: $file) { id } }", "variables": { "file": null } }"#,
        true
      ),
      (#"[{"query": "mutation A { a }"}, {"operationName": "GetUser", "query": "mutation GetUser { a }"}]"#, true),
      (#"{ "query": "mutation Other { a }" }"#, false), ("GetUser", false),
    ] {
      let parts = [
        ("operations", operations), ("map", #"{ "0": ["variables.file"] }"#), ("0; filename=a.txt", "Alpha"),
      ]
      let text = parts.map { "--x\r\nContent-Disposition: form-data; name=\($0)\r\n\r\n\($1)\r\n" }.joined() + "--x--"
      let request = post(text, contentType: "multipart/form-data; boundary=x")
      #expect(isGraphQL(operation: "GetUser").matches(request) == expected, "\(operations)")
    }
  }

  @Test("document names skip comments, strings, fragments and fields")
  func names() {
    for (document, expected) in [
      ("# query No\nquery Yes { a }", ["Yes"]), ("fragment query on T { a } query Yes { ...query }", ["Yes"]),
      ("query query { a }", ["query"]),
      ("query Yes @live(if: true) { query mutation }", ["Yes"]), ("subscription\n,Yes{a}", ["Yes"]),
      ("query Yes($a: String = \"} query No {\") { a }", ["Yes"]),
      ("query A { a(b: \"\"\"} query \\\"\"\" No {\"\"\") } mutation B { b }", ["A", "B"]),
      (#"query A { a(b: ["\""""]) } query B { b }"#, ["A", "B"]), (#"query A { a(b: """\""") } query B { b }"#, ["A"]),
      (#"query A { a(b: """\\""") } query B { b }"#, ["A"]),
      ("query ($id: ID) { a }", []), ("{ a }", []), ("", []),
      ("{\u{301} a } #\u{301} query No\nquery Yes{a(b:\"\u{301}{\")}", ["Yes"]),
    ] {
      #expect(GraphQLOperation.names(inDocument: document) == expected, "\(document)")
    }
  }
}
