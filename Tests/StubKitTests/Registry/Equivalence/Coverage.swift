import Foundation

@testable import StubKit

/// How often each kind of criterion decided that a condition matched, and that it did not: had it said otherwise, so
/// had the condition.
struct Coverage {
  private(set) var matches: [CriterionKind: Int] = [:]
  private(set) var mismatches: [CriterionKind: Int] = [:]
  /// Conditions that said something else than the two-valued logic of their criteria.
  private(set) var contradictions: [String] = []

  mutating func count(_ condition: RequestMatcher, _ request: URLRequest) {
    let leaves = condition.node.leaves
    let verdicts = leaves.map { RequestMatcher($0).matches(request) }
    let verdict = condition.node.verdict(verdicts)
    if verdict != condition.matches(request) { contradictions.append("\(condition)") }
    for (position, leaf) in leaves.enumerated() {
      var otherwise = verdicts
      otherwise[position].toggle()
      guard condition.node.verdict(otherwise) != verdict else { continue }
      if verdict {
        matches[leaf.kind, default: 0] += 1
      } else {
        mismatches[leaf.kind, default: 0] += 1
      }
    }
  }

  var table: String {
    CriterionKind.allCases.map { "\($0) \(matches[$0] ?? 0)/\(mismatches[$0] ?? 0)" }.joined(separator: ", ")
  }
}

/// A criterion without its values.
enum CriterionKind: CaseIterable {
  case method, scheme, host, hostSuffix, port, absoluteURL, url, under, urlPattern
  case path, pathPrefix, pathSuffix, pathExtension, pathPattern, pathTemplate
  case queryName, queryValue, query, exactQuery, queryPattern, lacksQuery
  case header, headerValue, headerPattern, lacksHeader, cookie, cookieValue, basicAuth
  case body, bodyText, json, jsonContaining, jsonAt, form, formItems, multipart, graphQL
  case recordedQuery, recordedForm, recordedJSON, recordedText
  case scenario, closure
}

extension RequestMatcher.Node {
  fileprivate var leaves: [Self] {
    switch self {
    case .all(let children, _), .either(let children, _): children.flatMap(\.leaves)
    case .not(let child): child.leaves
    case .criterion, .closure: [self]
    }
  }

  fileprivate var kind: CriterionKind {
    guard case .criterion(let criterion) = self else { return .closure }
    return CriterionKind(criterion)
  }

  fileprivate func verdict(_ leaves: [Bool]) -> Bool {
    var rest = leaves[...]
    return verdict(taking: &rest)
  }

  private func verdict(taking leaves: inout ArraySlice<Bool>) -> Bool {
    switch self {
    case .all(let children, _): children.map { $0.verdict(taking: &leaves) }.allSatisfy(\.self)
    case .either(let children, _): children.map { $0.verdict(taking: &leaves) }.contains(true)
    case .not(let child): !child.verdict(taking: &leaves)
    case .criterion, .closure: leaves.removeFirst()
    }
  }
}

extension CriterionKind {
  init(_ criterion: Criterion) {
    self =
      switch criterion {
      case .method: .method
      case .scheme: .scheme
      case .host: .host
      case .hostSuffix: .hostSuffix
      case .port: .port
      case .absoluteURL: .absoluteURL
      // The parts of a URL are never a condition by themselves.
      case .url, .queryItems: .url
      case .under, .pathUnder: .under
      case .urlPattern: .urlPattern
      case .path: .path
      case .pathPrefix: .pathPrefix
      case .pathSuffix: .pathSuffix
      case .pathExtension: .pathExtension
      case .pathPattern: .pathPattern
      case .pathTemplate: .pathTemplate
      case .queryName: .queryName
      case .queryValue: .queryValue
      case .query: .query
      case .exactQuery: .exactQuery
      case .queryPattern: .queryPattern
      case .lacksQuery: .lacksQuery
      case .header: .header
      case .headerValue: .headerValue
      case .headerPattern: .headerPattern
      case .lacksHeader: .lacksHeader
      case .cookie: .cookie
      case .cookieValue: .cookieValue
      case .basicAuth: .basicAuth
      case .body: .body
      case .bodyText: .bodyText
      case .json: .json
      case .jsonContaining: .jsonContaining
      case .jsonAt: .jsonAt
      case .form: .form
      case .formItems: .formItems
      case .multipart: .multipart
      case .graphQL: .graphQL
      case .recordedQuery: .recordedQuery
      case .recordedForm: .recordedForm
      case .recordedJSON: .recordedJSON
      case .recordedText: .recordedText
      case .scenario: .scenario
      }
  }
}
