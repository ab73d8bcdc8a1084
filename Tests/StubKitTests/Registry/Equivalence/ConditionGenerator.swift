import Foundation

@testable import StubKit

extension CaseGenerator {
  /// A condition of the kind that tests hold, mostly a few criteria together; sometimes any tree. None is a mistake.
  mutating func condition() -> RequestMatcher {
    while true {
      let condition: RequestMatcher =
        switch random.below(20) {
        case 0: matcher()
        case 1: urlMatcher()
        case 2..<12: (0...random.below(2)).reduce(headMatcher()) { sofar, _ in sofar && matcher() }
        case 12..<16: headMatcher() && tree(depth: 3)
        default: tree(depth: 4)
        }
      if condition.mistake == nil { return condition }
    }
  }

  private mutating func tree(depth: Int) -> RequestMatcher {
    guard depth > 0 else { return matcher() }
    switch random.below(20) {
    case 0..<6: return matcher()
    case 6..<13: return tree(depth: depth - 1) && tree(depth: depth - 1)
    case 13..<16: return tree(depth: depth - 1) || tree(depth: depth - 1)
    case 16, 17: return !tree(depth: depth - 1)
    case 18: return random.chance(percent: 30) ? .anything : .nothing
    default: return closure(with: tree(depth: depth - 1))
    }
  }

  private mutating func matcher() -> RequestMatcher {
    switch random.below(20) {
    case 0..<7: headMatcher()
    case 7: urlMatcher()
    case 8..<11: queryMatcher()
    case 11..<14: headerMatcher()
    case 14: Alphabet.scenario.is(random.pick(["open", "closed", "ajar"]))
    default: bodyMatcher()
    }
  }

  private mutating func headMatcher() -> RequestMatcher {
    switch random.below(20) {
    case 0:
      random.pick([
        isMethod(.get), isMethod(.post), isMethod(.put), isMethod(.patch), isMethod(.delete), isMethod(.head),
        isMethod(.options),
      ])
    case 1: RequestMatcher.isMethod(ofRequest: meant(Alphabet.methods, 2))
    case 2: isScheme(meant(Alphabet.schemes, 2))
    case 3...5: isHost(meant(Alphabet.hosts, 2))
    case 6: hostEndsWith(cut(meant(Alphabet.hosts, 2)).end)
    case 7: isPort(near(Alphabet.portNumbers, 2))
    case 8: .absoluteURL(urls.randomElement(using: &random) ?? "http://a.com")
    case 9...12: isPath(meant(Alphabet.paths, 3))
    case 13: pathStartsWith(cut(meant(Alphabet.paths, 3)).start)
    case 14: pathEndsWith(cut(meant(Alphabet.paths, 3)).end)
    case 15: hasPathExtension(random.pick(["json", "png", "JSON", ""]))
    case 16: pathMatches(random.pick(Alphabet.patterns), options: options())
    case 17: pathMatches(random.pick(Alphabet.patterns))
    default: isPath(template: random.pick(Alphabet.templates))
    }
  }

  private mutating func options() -> NSRegularExpression.Options { random.chance(percent: 30) ? .caseInsensitive : [] }

  /// Cuts between scalars, so that some cuts go through what Swift takes for one character.
  private mutating func cut(_ text: String) -> (start: String, end: String) {
    let start = text.unicodeScalars.prefix(random.below(text.unicodeScalars.count + 1))
    return (String(start), String(text.unicodeScalars.dropFirst(start.count)))
  }

  /// A URL as a whole: that of a request, changed or not, or one of the same parts.
  private mutating func urlMatcher() -> RequestMatcher {
    var text =
      (random.chance(percent: 60) ? urls.randomElement(using: &random) : nil) ?? url()?.absoluteString ?? ""
    let kind = random.below(5)
    if kind == 4 { return urlMatches(random.pick(Alphabet.urlPatterns), options: options()) }
    if kind > 1 {
      // Up to some byte of its path, so that some are cut within a segment, or an escape.
      let head = text.prefix { $0 != "?" && $0 != "#" }
      let authority = head.range(of: "://")?.upperBound ?? head.startIndex
      let start = head[authority...].firstIndex(of: "/") ?? head.endIndex
      text = String(head[..<start] + head[start...].prefix(random.below(head[start...].count + 1)))
    }
    let facts = RequestFacts(URLRequest(url: URL(string: text) ?? URL(string: "x")!))
    if facts.scheme == nil || facts.host == nil { text = "http://a.com" }
    let isURLValue = random.chance(percent: 30)
    if kind > 1 { return isURLValue ? hasBaseURL(URL(string: text)!) : hasBaseURL(text) }
    return isURLValue ? isURL(URL(string: text)!) : isURL(text)
  }

  private mutating func queryMatcher() -> RequestMatcher {
    switch random.below(7) {
    case 0: containsQuery(meant(Alphabet.queryNames, 2))
    case 1: containsQuery(meant(Alphabet.queryNames, 2), meant(Alphabet.queryValues, 2))
    case 2, 3: containsQuery(items(Alphabet.queryNames, Alphabet.queryValues))
    case 4: hasExactQuery(items(Alphabet.queryNames, Alphabet.queryValues))
    case 5: queryMatches(meant(Alphabet.queryNames, 2), random.pick(Alphabet.valuePatterns))
    default: !containsQuery(meant(Alphabet.queryNames, 2))
    }
  }

  private mutating func headerMatcher() -> RequestMatcher {
    let name = meant(Alphabet.headerNames, 2)
    switch random.below(10) {
    case 0: return hasHeader(name)
    case 1, 2: return hasHeader(name, meant(Alphabet.headerValues, 2))
    case 3: return headerMatches(name, random.pick(["^(?<kind>text|ADM)", "n$", ".*", "\u{E9}"]))
    case 4: return headerMatches(name, "^adm(?<rest>.*)", options: .caseInsensitive)
    case 5: return !hasHeader(name)
    case 6: return hasCookie(near(Alphabet.cookieNames, 2))
    case 7, 8: return hasCookie(near(Alphabet.cookieNames, 2), near(Alphabet.cookieValues, 3))
    default:
      let (user, password) = near(Alphabet.credentials, 2)
      return hasBasicAuth(user: user, password: password)
    }
  }

  private mutating func bodyMatcher() -> RequestMatcher {
    switch random.below(10) {
    case 0:
      if random.chance(percent: 40), let body = bodies.randomElement(using: &random) { return hasBody(body) }
      return hasBody(Data(random.pick([[], [0x61], [0]])))
    case 1: return bodyContains(random.pick(Alphabet.needles))
    case 2: return hasJSONBody(near(Alphabet.json, 3).value)
    case 3: return hasJSONBody(containing: near(Alphabet.json, 3).value)
    case 4: return hasJSON(at: random.pick(Alphabet.jsonPaths), equals: random.pick(Alphabet.jsonParts))
    case 5: return hasFormBody(items(Alphabet.formNames, Alphabet.formValues))
    case 6:
      let items = (0..<2).map { _ in
        let value = meant(Alphabet.formValues, 2)
        return URLQueryItem(name: meant(Alphabet.formNames, 2), value: random.chance(percent: 20) ? nil : value)
      }
      return random.pick([hasFormBody(), hasFormBody(items[0]), hasFormBody(items[0]), hasFormBody(items[0], items[1])])
    case 7, 8:
      let type = random.chance(percent: 50) ? nil : near(Alphabet.partTypes, 3)
      return hasMultipartPart(named: near(Alphabet.partNames, 2), contentType: type)
    default: return isGraphQL(operation: near(Alphabet.operations, 2))
    }
  }

  /// A closure in each of the places that the operators give it.
  private mutating func closure(with other: RequestMatcher) -> RequestMatcher {
    let sought = written(Alphabet.paths, 3)
    let number = closures.withLock { closures in
      closures.append(0)
      return closures.count - 1
    }
    let test: @Sendable (URLRequest) -> Bool = { [closures] request in
      closures.withLock { $0[number] += 1 }
      return request.url?.absoluteString.contains(sought) ?? true
    }
    return switch random.below(6) {
    case 0: RequestMatcher("a closure", where: test)
    case 1: other && test
    case 2: test && other
    case 3: other || test
    case 4: test || other
    default: !RequestMatcher("a closure", where: test)
    }
  }
}
