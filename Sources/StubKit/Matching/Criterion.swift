import Foundation

/// One testable fact about a request, as data. It can be printed, compared, indexed and explained.
///
/// Each family of matchers has a criterion of its own, in the file of its matchers. A new one needs the first five
/// requirements. The others have defaults: a criterion without required values is found by checking every request, and
/// one that bytes can't verify goes through ``test(_:_:)``. It is an object, because conditions are copied all the
/// time.
package protocol Criterion: AnyObject, Sendable, CustomStringConvertible {
  /// Returns whether the request passes. An unread body doesn't pass: evaluation asks for the body first.
  func test(_ facts: inout RequestFacts) -> Bool

  /// The part that the criterion compares.
  var subject: String { get }
  /// The value that the criterion requires.
  var expectation: String { get }
  /// Returns the value in the request, or `nil` if there is none.
  func actual(_ facts: inout RequestFacts) -> String?

  /// The kind of test. Defaults to `.head`.
  var stages: Stages { get }

  /// Returns why a verification can't tell whether a request passes, or `nil` if it can. Defaults to what is known of
  /// the body, and to none for a state of the test, which no request has.
  func unknownFact(_ facts: inout RequestFacts) -> UnknownFact?

  /// What the criterion requires under a `!`. Defaults to anything but the expectation.
  var opposite: String { get }
  /// The points of a request that doesn't pass: the fewest for a value that is nearly right, and the most for a missing
  /// one. Defaults to those of an item.
  var weight: ClosedRange<Int> { get }
  /// Adds what differs in a request that doesn't pass, with its points. Defaults to the whole value, with points for
  /// the share of its text that differs.
  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches)

  /// Calls `body` with what a request must have for the criterion to pass. Each of several values is necessary by
  /// itself. Defaults to none.
  func forEachRequiredValue(_ body: (RequiredValue) -> Void)
  /// Adds the comparisons of bytes that decide the criterion, or returns `false`, which is the default.
  func compile(into builder: inout CompiledCondition.Builder) -> Bool
}

extension Criterion {
  package var stages: Stages { .head }
  package var opposite: String { "anything but \(expectation)" }
  package var weight: ClosedRange<Int> { Points.item.lowerBound...Points.missingItem }

  package func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    let actual = actual(&facts)
    let share = actual.map { TextDifference.share(expectation, $0) } ?? 100
    let note = stages.contains(.body) ? facts.codingNote : nil
    result.add(Points.scaled(weight, share), mismatch(actual: actual, note: note))
  }

  package func forEachRequiredValue(_ body: (RequiredValue) -> Void) {}
  package func compile(into builder: inout CompiledCondition.Builder) -> Bool { false }
}

/// What the criteria have in common.
extension Criterion {
  package func unknownFact(_ facts: inout RequestFacts) -> UnknownFact? {
    if stages.contains(.state) {
      return UnknownFact(
        subject: subject, reason: "a request doesn't keep it",
        cure: "Verify the stub, whose condition asks it when the request arrives.")
    }
    guard stages.contains(.body) else { return nil }
    if case .unread(let missing, _) = facts.body {
      return UnknownFact(subject: "body", reason: missing?.reason ?? "not read", cure: missing?.cure ?? "")
    }
    // The bytes as they were sent can pass all the same.
    return test(&facts) ? nil : facts.unknownContent
  }

  /// The mismatch of the value as a whole.
  ///
  /// - Parameter expected: What is required. Defaults to the expectation.
  package func mismatch(expected: String? = nil, actual: String?, note: String? = nil) -> RequestMatcher.Mismatch {
    .init(subject, expected: expected ?? expectation, actual: actual, note: note, isState: stages.contains(.state))
  }
}

/// A test that the user wrote. It is opaque, so StubKit can neither index it nor explain it beyond its text. It is a
/// class because StubKit remembers its result by its identity.
final class ClosureTest: Sendable {
  let text: String
  let test: @Sendable (URLRequest) -> Bool
  /// What the decoded body must be, and a closure that returns why a body doesn't decode, or `nil` if it does. `nil`
  /// for a test that receives the request as it is.
  let decoding: Decoding?

  typealias Decoding = (expectation: String, problem: @Sendable (Data) -> String?)

  init(text: String, decoding: Decoding? = nil, test: @escaping @Sendable (URLRequest) -> Bool) {
    self.text = text
    self.test = test
    self.decoding = decoding
  }
}

/// A matcher that can't match any request as it is written.
final class MistakenCriterion: Criterion {
  let description: String
  let mistake: String

  /// - Parameters:
  ///   - call: The call, as Swift source.
  ///   - mistake: What is wrong with it.
  init(_ call: String, _ mistake: String) {
    description = call
    self.mistake = mistake
  }

  var stages: Stages { .mistake }
  var subject: String { "mistake" }
  var expectation: String { description }

  func test(_ facts: inout RequestFacts) -> Bool { false }
  func actual(_ facts: inout RequestFacts) -> String? { nil }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    result.add(Points.mistake, .init(subject, expected: expectation, actual: nil, unknown: mistake))
  }
}

extension RequestMatcher {
  /// Creates a matcher that carries a mistake.
  package init(mistake: String, in call: String) { self.init(MistakenCriterion(call, mistake)) }

  /// Why the condition can't match any request as it is written, or `nil` if nothing is wrong with it.
  ///
  /// A matcher whose arguments make no sense doesn't end the process. It carries its mistake, and so does every
  /// condition that contains it. Such a condition matches nothing, not even under a `!`. An `&&` of sides that exclude
  /// each other, as `isHost("a") && isHost("b")`, is one as the whole condition, and not below a `!` or an `||`.
  package var mistake: String? {
    guard stages.contains(.mistake) else { return node.contradiction }
    return node.criteria.lazy.compactMap { ($0 as? MistakenCriterion)?.mistake }.first
  }
}

extension RequestMatcher.Node {
  /// Why no request meets all members of a group, as far as single values tell.
  fileprivate var contradiction: String? {
    guard case .group(isEither: false, let children, _) = self, Self.canExclude(children) else { return nil }
    var asked: [(criterion: any Criterion, of: any Criterion)] = []
    var denied: [String: any Criterion] = [:]
    for case .not(.criterion(let child)) in children { denied[child.description] = child }
    for case .criterion(let child) in children {
      if !denied.isEmpty, let other = denied[child.description], other.description.isSame(as: child.description) {
        return "\(child) && !\(child) matches nothing. Leave one out."
      }
      for criterion in (child as? URLCriterion)?.criteria ?? [child] {
        if let other = asked.first(where: { $0.criterion.isContrary(to: criterion) }) {
          if (criterion as? ValueCriterion)?.part.name != nil {
            return
              "\(other.of) && \(child) matches nothing: one says that it is there, and the other that it isn't. Leave "
              + "one out."
          }
          let urls = [other.of, child].compactMap { $0 as? URLCriterion }
          let isBelowBase = criterion.subject == "path" && urls.count == 1 && urls[0].isBase
          return "\(other.of) && \(child) matches nothing: "
            + (isBelowBase
              ? "write the whole path, or stub(.get, \"users\", …) without a slash in front for the path below a base URL."
              : "a request has one \(criterion.subject). Write || between the two, or leave one out.")
        }
        if criterion is ValueCriterion || criterion is TemplateCriterion { asked.append((criterion, child)) }
      }
    }
    return nil
  }

  /// Returns whether members of a group can exclude one another: two compare one part that a request has once, or one
  /// denies something. Every stub is asked this when it is registered, so it looks neither at values nor at texts.
  private static func canExclude(_ children: [Self]) -> Bool {
    var seen: UInt16 = 0
    for child in children {
      switch child {
      case .not(.criterion): return true
      case .criterion(let criterion):
        let parts = criterion.singleParts
        if seen & parts != 0 { return true }
        if (criterion as? ValueCriterion)?.isDenial == true { return true }
        seen |= parts
      default: break
      }
    }
    return false
  }
}

extension Criterion {
  /// A bit for each part that a request has once and that the criterion can compare.
  fileprivate var singleParts: UInt16 {
    switch self {
    case let value as ValueCriterion: value.excludesNothing ? 0 : value.part.bit
    case let url as URLCriterion: url.criteria.reduce(0) { $0 | $1.singleParts }
    case is TemplateCriterion: RequestPart.path.bit
    default: 0
    }
  }

  /// Returns whether no value meets both criteria, of a part that a request has once.
  fileprivate func isContrary(to other: any Criterion) -> Bool {
    (self as? ValueCriterion)?.excludes(other) == true || (other as? ValueCriterion)?.excludes(self) == true
  }
}

/// The part of a request that has a single value.
package enum RequestPart: Equatable, Sendable {
  case method, scheme, host, port, url, path, pathExtension
  case queryItem(String)
  case header(String)
  case cookie(String)
  /// The token and the credentials in the Authorization header.
  case bearerToken, credentials
}

extension RequestPart {
  /// Returns the value in the request in canonical form, or `nil` if there is none. Items can have several values.
  func value(in facts: inout RequestFacts) -> String? {
    switch self {
    case .method: facts.method
    case .scheme: facts.scheme
    case .host: facts.host
    case .port: facts.port.map(String.init)
    case .url: facts.url == nil ? nil : facts.absoluteString
    case .path: facts.url == nil ? nil : facts.path
    case .pathExtension: facts.url == nil ? nil : facts.pathExtension
    case .header(let name): facts.header(name)
    case .bearerToken: facts.bearerToken
    case .credentials: facts.basicCredentials
    case .queryItem, .cookie: nil
    }
  }

  /// Returns the items among which the part is found by its name. Header fields have the name as it is in the part.
  func items(in facts: inout RequestFacts) -> NamedItems {
    switch self {
    case .queryItem: facts.queryItems
    case .header(let name):
      facts.header(name).map { [NamedValue(name: name, value: $0)] } ?? facts.headers
    case .cookie: facts.cookies
    default: []
    }
  }

  /// The name of an item.
  var name: String? {
    switch self {
    case .queryItem(let name), .header(let name), .cookie(let name): name
    default: nil
    }
  }
}

// How it is reported.
extension RequestPart {
  /// The function that requires a value, the word for the part in other functions, its name in reports, its points, and
  /// a bit for a part that a request has once.
  @inline(__always)  // Of a row, most callers need one cell.
  var row: (function: String, word: String, subject: String, weight: ClosedRange<Int>, bit: UInt16) {
    switch self {
    case .method: ("isMethod", "", "method", Points.method...Points.method, 1 << 0)
    case .scheme: ("isScheme", "", "scheme", Points.origin...Points.origin, 1 << 1)
    case .host: ("isHost", "host", "host", Points.host, 1 << 2)
    case .port: ("isPort", "", "port", Points.origin...Points.origin, 1 << 3)
    case .url: ("isAbsoluteURLString", "url", "URL", Points.url, 1 << 4)
    case .path: ("isPath", "path", "path", Points.path, 1 << 5)
    case .pathExtension: ("hasPathExtension", "", "path extension", Points.method...Points.method, 1 << 6)
    case .queryItem: ("containsQuery", "query", "query item", Points.item, 0)
    case .header: ("hasHeader", "header", "header", Points.item, 0)
    case .cookie: ("hasCookie", "", "cookie", Points.item, 0)
    case .bearerToken: ("hasBearerToken", "", "bearer token", Points.item, 1 << 7)
    case .credentials: ("hasBasicAuth", "", "header Authorization", Points.item, 1 << 8)
    }
  }

  var bit: UInt16 { row.bit }
}
