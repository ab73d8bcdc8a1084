import Foundation
import StubKitFormats

/// A header's parameters, a Cookie header, credentials and a GraphQL document, on a line each.
struct HeaderFuzzing: FuzzTarget {
  func parse(_ input: Data) {
    let text = input.text
    _ = (HeaderParameters(text), NamedValue.cookies(text), BasicAuth(header: text))
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
      demand(
        parameters[name]?.isIdentical(to: header) == true, "\(header) is read as \(parameters[name] ?? "nothing")")
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
      demand(cookies.named(cookie.name) == slow.filter { $0.name == cookie.name }, "\(cookie.name) of \(header)")
    }
    demand(cookies.isExactly(NamedItems(slow.reversed())) && cookies.isCounted(NamedItems(slow.shuffled())), header)
    let without = NamedItems(Array(slow.dropFirst()))
    demand(slow.isEmpty || !cookies.isCounted(without), "one cookie less than \(header)")
    demand(cookies.isExactly(without) == Set(without).isSuperset(of: slow), "the first cookie of \(header)")
  }

  private func checkCredentials(_ text: String) {
    _ = BasicAuth(header: text)
    guard let (user, password) = text.cut(at: ":") else { return }
    let header = "bAsIc  \(Data(text.utf8).base64EncodedString()) "
    let expected = BasicAuth(user: String(user), password: String(password))
    demand(BasicAuth(header: header) == expected, "the credentials \(text)")
  }

  private func checkDocument(_ document: String) {
    let names = GraphQLOperation.names(inDocument: document)
    demand(names == SlowGraphQL.names(document), "the operations of \(document): \(names)")
    // An operation before it is found whatever follows.
    let all = GraphQLOperation.names(inDocument: "query First { a }\n" + document)
    demand(all == ["First"] + names, "an operation before \(document)")
  }
}

/// The lexical grammar of GraphQL, scalar by scalar.
enum SlowGraphQL {
  static func names(_ document: String) -> [String] {
    var names: [String] = []
    var (depth, expectsName, skipsName) = (0, false, false)
    for token in tokens(document) {
      if skipsName {
        skipsName = false
        continue
      }
      if ["{", "(", "["].contains(token) {
        depth += 1
        expectsName = false
      } else if ["}", ")", "]"].contains(token) {
        depth = max(0, depth - 1)
      } else if depth == 0, !expectsName, ["query", "mutation", "subscription"].contains(token) {
        expectsName = true
      } else if depth == 0, !expectsName, token == "fragment" {
        skipsName = true
      } else {
        if expectsName, token.unicodeScalars.first.map(isLetter) == true { names.append(token) }
        expectsName = false
      }
    }
    return names
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || !scalar.isASCII
  }

  private static func tokens(_ document: String) -> [String] {
    var tokens: [String] = []
    var rest = Array(document.unicodeScalars)[...]
    func starts(_ text: String) -> Bool { rest.starts(with: text.unicodeScalars) }
    while let first = rest.first {
      if first == "#" {
        while let next = rest.first, next != "\n", next != "\r" { rest.removeFirst() }
      } else if starts("\"\"\"") {
        rest = rest.dropFirst(3)
        while !rest.isEmpty, !starts("\"\"\"") { rest = rest.dropFirst(starts("\\\"\"\"") ? 4 : 1) }
        rest = rest.dropFirst(3)
      } else if first == "\"" {
        rest.removeFirst()
        while let next = rest.popFirst(), next != "\"" { if next == "\\" { _ = rest.popFirst() } }
      } else if first == "\u{FEFF}" {
        rest.removeFirst()
      } else if isLetter(first) {
        let name = rest.prefix { isLetter($0) || ("0"..."9").contains($0) }
        tokens.append(String(String.UnicodeScalarView(name)))
        rest = rest.dropFirst(name.count)
      } else {
        rest.removeFirst()
        if !" \t\r\n\u{B}\u{C},".unicodeScalars.contains(first) { tokens.append(String(first)) }
      }
    }
    return tokens
  }
}
