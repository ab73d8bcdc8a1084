import Foundation

/// A part of a request that a condition asks about.
package enum AskedPart: Hashable, Sendable {
  /// A closure or a recording decides about anything. The query is all of it, and a body is read as JSON or as a form.
  case anything, method, scheme, query, contentType, authorization, json, form
  /// The whole path is as it was written.
  case queryItem(String), path(String)

  var isQueryItem: Bool { if case .queryItem = self { true } else { false } }
}

extension RequestMatcher.Node {
  /// The parts of a request that the condition asks about.
  var askedParts: Set<AskedPart> {
    switch self {
    case .all(let children, _), .either(let children, _): children.reduce(into: []) { $0.formUnion($1.askedParts) }
    // What isn't met says neither how a path is written nor what a body is.
    case .not(let child): child.askedParts.filter { $0.isQueryItem || [.anything, .method, .scheme].contains($0) }
    case .closure(let closure): closure.decoding == nil ? [.anything] : [.json]
    case .criterion(let criterion): criterion.askedParts
    }
  }
}

extension Criterion {
  /// A new criterion counts as one that asks about anything.
  fileprivate var askedParts: Set<AskedPart> {
    switch self {
    case let value as ValueCriterion:
      switch (value.part, value.comparison) {
      case (.method, _): [.method]
      case (.scheme, _): [.scheme]
      case (.url, _): [.scheme, .query]
      case (.path, .equals(let text)): [.path(text.text)]
      case (.queryItem(let name), _): [.queryItem(name)]
      case (.header(let name), _) where name.lowercased() == "content-type": [.contentType]
      case (.header(let name), _) where name.lowercased() == "authorization": [.authorization]
      case (.credentials, _): [.authorization]
      default: []
      }
    case let url as URLCriterion: url.asked
    case let template as TemplateCriterion: [.path(template.text)]
    case let items as ItemsCriterion where items.source == .form: [.form]
    case let items as ItemsCriterion:
      items.comparison == .some ? Set(items.items.map { .queryItem($0.name) }) : [.query]
    case is JSONCriterion: [.json]
    case is GraphQLCriterion:
      Set(["query", "operationName", "variables", "extensions"].map { .queryItem($0) }).union([.method, .json])
    case is BodyCriterion, is BodyTextCriterion, is MultipartCriterion: []
    default: isState ? [] : [.anything]
    }
  }
}
