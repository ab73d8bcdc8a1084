import Foundation

@testable import StubKit

/// A header's parameters, a Cookie header, credentials and a GraphQL document, on a line each.
struct HeaderFuzzing: FuzzTarget {
  func parse(_ input: Data) {
    let text = input.text
    _ = (HeaderParameters(text), NamedValue.cookies(text))
    _ = (GraphQLOperation.names(inDocument: text), GraphQLOperation.names(inDocument: "\"\"\"" + text))
    let items = NamedValue.cookies(text)
    _ = (items.isExactly(items), items.isCounted(items), items.names, items.swiftLiteral)
  }

  func check(_ input: Data) {
    let lines = input.lines(4).map(\.text)
    checkParameters(lines[0])
    checkCookies(lines[1])
    checkCredentials(lines[2])
    checkDocument(lines[3])
  }

  private func checkParameters(_ header: String) {
    // Whatever the value is, quoted it comes out as it went in.
    let quoted = SlowText.pieces(SlowText.pieces(header, "\\").joined(separator: "\\\\"), "\"").joined(
      separator: "\\\"")
    let parameters = HeaderParameters("x; before=\"\(quoted)\"; After=\"\(quoted)\"; before=2; last=3")
    for name in ["before", "after"] {
      demand(parameters[name]?.isIdentical(to: header) == true, "\(header) is read as \(parameters[name] ?? "nothing")")
    }
    demand(parameters["last"] == "3", "what follows \(header)")
    // Without quotes and delimiters there is nothing to get wrong.
    let token = HeaderParameters("x;a=\(header);b=1")
    guard !header.has("\""), !header.has(";"), !header.has("\\") else { return }
    var expected = Array(header.utf8)
    while let last = expected.last, last == 0x20 || (0x09...0x0D).contains(last) { expected.removeLast() }
    demand(token["a"]?.utf8.elementsEqual(expected) == true && token["b"] == "1", "the token \(header)")
  }

  private func checkCookies(_ header: String) {
    let (cookies, slow) = (NamedValue.cookies(header), SlowText.cookies(header))
    demand(cookies.elementsEqual(slow), "the cookies of \(header)")
    for cookie in slow {
      demand(cookies.contains(cookie) && cookies.contains(name: cookie.name), "\(cookie) of \(header)")
      demand(
        cookies.named(cookie.name) == slow.filter { $0.name.isIdentical(to: cookie.name) },
        "\(cookie.name) of \(header)")
    }
    demand(cookies.isExactly(NamedItems(slow.reversed())) && cookies.isCounted(NamedItems(slow.shuffled())), header)
    let without = NamedItems(Array(slow.dropFirst()))
    demand(slow.isEmpty || !cookies.isCounted(without), "one cookie less than \(header)")
    demand(cookies.isExactly(without) == Set(without).isSuperset(of: slow), "the first cookie of \(header)")
  }

  private func checkCredentials(_ text: String) {
    var request = URLRequest(url: URL(string: "http://a.example/")!)
    request.setValue(text, forHTTPHeaderField: "Authorization")
    var facts = RequestFacts(request)
    _ = facts.basicCredentials
    guard let (user, password) = text.cut(at: ":") else { return }
    request.setValue("bAsIc  \(Data(text.utf8).base64EncodedString()) ", forHTTPHeaderField: "Authorization")
    demand(hasBasicAuth(user: String(user), password: String(password)).matches(request), "the credentials \(text)")
  }

  private func checkDocument(_ document: String) {
    let names = GraphQLOperation.names(inDocument: document)
    // An operation before it is found whatever follows, and none in a comment.
    let comment = String(document.prefix { !$0.isNewline })
    let all = GraphQLOperation.names(inDocument: "query First { a } # \(comment)\n" + document)
    demand(all == ["First"] + names, "an operation before \(document)")
  }
}
