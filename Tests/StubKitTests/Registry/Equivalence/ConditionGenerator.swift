import Foundation

@testable import StubKit
@testable import StubKitRecorder

extension CaseGenerator {
  /// A condition of the kind that tests hold, mostly a few criteria together; sometimes any tree. None is a mistake.
  mutating func condition() -> RequestMatcher {
    while true {
      let condition = anyCondition()
      if condition.mistake == nil { return condition }
    }
  }

  private mutating func anyCondition() -> RequestMatcher {
    switch random.below(20) {
    case 0: matcher()
    case 1: urlMatcher()
    case 2..<12: (0...random.below(2)).reduce(headMatcher()) { sofar, _ in sofar && matcher() }
    case 12..<16: headMatcher() && tree(depth: 3)
    default: tree(depth: 4)
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
    case 0, 1: return methodMatcher()
    case 2: return isScheme(meant(Alphabet.schemes, 2))
    case 3...5: return isHost(meant(Alphabet.hosts, 2))
    case 6: return hostEndsWith(suffix(of: meant(Alphabet.hosts, 2)))
    case 7: return isPort(near(Alphabet.portNumbers, 2))
    case 8: return isAbsoluteURLString(urls.randomElement(using: &random) ?? "http://a.com")
    case 9...12: return isPath(meant(Alphabet.paths, 3))
    case 13: return pathStartsWith(prefix(of: meant(Alphabet.paths, 3)))
    case 14: return pathEndsWith(suffix(of: meant(Alphabet.paths, 3)))
    case 15: return isExtension(random.pick(["json", "png", "JSON", ""]))
    case 16:
      let options: NSRegularExpression.Options = random.chance(percent: 30) ? .caseInsensitive : []
      return pathMatches(random.pick(Alphabet.patterns), options: options)
    case 17: return pathMatches(try! NSRegularExpression(pattern: random.pick(Alphabet.patterns)))
    default: return isPath(template: random.pick(Alphabet.templates))
    }
  }

  /// A URL as a whole: that of a request, changed or not, or one of the same parts.
  private mutating func urlMatcher() -> RequestMatcher {
    let url =
      (random.chance(percent: 60) ? urls.randomElement(using: &random) : nil) ?? self.url()?.absoluteString ?? ""
    switch random.below(5) {
    case 0, 1:
      guard let text = condition(url) else { return isURL("http://a.com") }
      return random.chance(percent: 30) ? isURL(URL(string: text)!) : isURL(text)
    case 2, 3:
      guard let text = condition(base(of: url)) else { return isUnder("http://a.com") }
      return random.chance(percent: 30) ? isUnder(URL(string: text)!) : isUnder(text)
    default:
      let options: NSRegularExpression.Options = random.chance(percent: 30) ? .caseInsensitive : []
      return urlMatches(random.pick(Alphabet.urlPatterns), options: options)
    }
  }

  /// Nil for a URL that is no condition.
  private func condition(_ text: String) -> String? {
    let facts = RequestFacts(URLRequest(url: URL(string: text) ?? URL(string: "x")!))
    return facts.scheme == nil || facts.host == nil ? nil : text
  }

  /// The URL up to some byte of its path, so that some are cut within a segment, or an escape.
  private mutating func base(of url: String) -> String {
    let head = url.prefix { $0 != "?" && $0 != "#" }
    let authority = head.range(of: "://")?.upperBound ?? head.startIndex
    let start = head[authority...].firstIndex(of: "/") ?? head.endIndex
    return String(head[..<start] + head[start...].prefix(random.below(head[start...].count + 1)))
  }

  private mutating func methodMatcher() -> RequestMatcher {
    switch random.below(14) {
    case 0: isMethodGET()
    case 1: isMethodPOST()
    case 2: isMethodPUT()
    case 3: isMethodPATCH()
    case 4: isMethodDELETE()
    case 5: isMethodHEAD()
    case 6: isMethodOPTIONS()
    default: RequestMatcher.isMethod(ofRequest: meant(Alphabet.methods, 2))
    }
  }

  /// Cut between scalars, so that some cuts go through what Swift takes for one character.
  private mutating func prefix(of text: String) -> String {
    String(text.unicodeScalars.prefix(random.below(text.unicodeScalars.count + 1)))
  }

  private mutating func suffix(of text: String) -> String {
    String(text.unicodeScalars.suffix(random.below(text.unicodeScalars.count + 1)))
  }

  private mutating func queryMatcher() -> RequestMatcher {
    switch random.below(8) {
    case 7: recordedItems(.query, Alphabet.queryNames, Alphabet.queryValues)
    case 0: containsQuery(meant(Alphabet.queryNames, 2))
    case 1: containsQuery(meant(Alphabet.queryNames, 2), meant(Alphabet.queryValues, 2))
    case 2, 3: containsQuery(items(Alphabet.queryNames, Alphabet.queryValues))
    case 4: hasExactQuery(items(Alphabet.queryNames, Alphabet.queryValues))
    case 5: queryMatches(meant(Alphabet.queryNames, 2), random.pick(Alphabet.valuePatterns))
    default: lacksQuery(meant(Alphabet.queryNames, 2))
    }
  }

  private mutating func headerMatcher() -> RequestMatcher {
    switch random.below(10) {
    case 0: return hasHeader(meant(Alphabet.headerNames, 2))
    case 1, 2: return hasHeader(meant(Alphabet.headerNames, 2), meant(Alphabet.headerValues, 2))
    case 3:
      return headerMatches(meant(Alphabet.headerNames, 2), random.pick(["^(?<kind>text|ADM)", "n$", ".*", "\u{E9}"]))
    case 4: return headerMatches(meant(Alphabet.headerNames, 2), "^adm(?<rest>.*)", options: .caseInsensitive)
    case 5: return lacksHeader(meant(Alphabet.headerNames, 2))
    case 6: return hasCookie(near(Alphabet.cookieNames, 2))
    case 7, 8: return hasCookie(near(Alphabet.cookieNames, 2), near(Alphabet.cookieValues, 3))
    default:
      let (user, password) = near(Alphabet.credentials, 2)
      return hasBasicAuth(user: user, password: password)
    }
  }

  /// A closure in each of the places that the operators give it.
  private mutating func closure(with other: RequestMatcher) -> RequestMatcher {
    let sought = written(Alphabet.paths, 3)
    let (log, number) = (closures, closures.add())
    let test: @Sendable (URLRequest) -> Bool = { request in
      log.record(number)
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
