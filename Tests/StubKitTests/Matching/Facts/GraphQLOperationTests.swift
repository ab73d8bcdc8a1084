import TestSupport
import Testing

@testable import StubKit

@Suite("A GraphQL operation", .inTurn)
struct GraphQLOperationTests {
  @Test("names skip comments, strings and fields")
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
