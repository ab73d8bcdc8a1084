import StubKit

/// What a request must have in common with a recorded one to get its response.
///
/// It is a set. Write it as an array literal:
///
/// ```swift
/// replay(archive)                                                        // .default
/// replay(archive, matching: [.method, .path, .query, .differingBodies])  // the same, but on any host
/// replay(archive, matching: [.method, .url, .headers(["Accept"])])
/// ```
///
/// In the place of a redacted value, a request must have one of the same kind, a string or a number, that isn't empty.
/// See `Redaction`.
public struct ReplayMatching: Sendable, Hashable, ExpressibleByArrayLiteral, CustomStringConvertible {
  private enum Part: Hashable {
    case method, scheme, host, port, path, query, differingBodies, body
    /// In lower case.
    case header(String)
  }
  private var parts: Set<Part>

  private init(_ parts: Set<Part>) { self.parts = parts }

  /// The method.
  public static let method = ReplayMatching([.method])
  /// The URL's scheme, compared without case.
  public static let scheme = ReplayMatching([.scheme])
  /// The URL's host, compared as `isHost(_:)` compares it.
  public static let host = ReplayMatching([.host])
  /// The port of the URL, or else the default port of its scheme.
  public static let port = ReplayMatching([.port])
  /// The percent-decoded path, as `isPath(_:)` compares it.
  public static let path = ReplayMatching([.path])
  /// The items of the query, in any order, each as often as in the recording. A recorded URL without a query only
  /// matches requests without one.
  public static let query = ReplayMatching([.query])
  /// Scheme, host, port, path and query.
  public static let url: ReplayMatching = [.scheme, .host, .port, .path, .query]
  /// The body. JSON and forms compare by value, a GraphQL operation by its name, and every other body by its bytes.
  ///
  /// If the recording contains a GraphQL operation with different variables, the variables count too. The boundary of a
  /// multipart body doesn't count.
  public static let body = ReplayMatching([.body])
  /// The body, if the recording contains several bodies for requests that are otherwise the same. See ``body``.
  public static let differingBodies = ReplayMatching([.differingBodies])
  /// The values of these headers. Names compare without case. If the recorded request lacks a header, the request must
  /// lack it too.
  public static func headers(_ names: [String]) -> ReplayMatching {
    ReplayMatching(Set(names.map { .header($0.lowercased()) }))
  }

  /// The method and the URL, and the body if the recording contains several bodies for one method and URL:
  /// `[.method, .url, .differingBodies]`.
  public static let `default` = ReplayMatching([.method, .scheme, .host, .port, .path, .query, .differingBodies])

  /// The parts by name: `[.method, .url, .headers(["accept"])]`.
  public var description: String {
    if self == .default { return ".default" }
    var parts: [(ReplayMatching, String)] = [(.method, ".method"), (.url, ".url")]
    if !contains(.url) {
      parts += [(.scheme, ".scheme"), (.host, ".host"), (.port, ".port"), (.path, ".path"), (.query, ".query")]
    }
    var names = parts.filter { contains($0.0) }.map(\.1)
    if comparesBodies { names.append(contains(.body) ? ".body" : ".differingBodies") }
    if !headerNames.isEmpty { names.append(".headers(\(headerNames))") }
    return "[\(names.listed)]"
  }

  /// Whether bodies can count: where they differ, or always.
  var comparesBodies: Bool { !parts.isDisjoint(with: [.body, .differingBodies]) }

  /// In lower case, in the order of the alphabet.
  var headerNames: [String] { parts.compactMap { if case .header(let name) = $0 { name } else { nil } }.sorted() }
}

extension ReplayMatching {
  /// Creates a set of all parts in a list. With an empty one, every recorded request matches every request.
  public init(arrayLiteral elements: ReplayMatching...) { parts = elements.reduce(into: []) { $0.formUnion($1.parts) } }

  func contains(_ member: ReplayMatching) -> Bool { member.parts.isSubset(of: parts) }

  /// The parts of this set that another one lacks.
  fileprivate func without(_ others: ReplayMatching) -> ReplayMatching {
    ReplayMatching(parts.subtracting(others.parts))
  }
}

/// What a request must have in common with a recorded one: the parts to compare, and what to leave out of them.
package struct ReplayComparison: Sendable, Hashable {
  let matching: ReplayMatching
  let ignored: IgnoredParts

  package init(_ matching: ReplayMatching, ignoring parts: [IgnoredPart] = []) {
    (self.matching, ignored) = (matching, IgnoredParts(parts))
  }

  /// What is wrong with the first part that can't be compared or ignored.
  var mistake: String? {
    let wrong = matching.headerNames.first { $0.isEmpty || !$0.utf8.allSatisfy(\.isTokenByte) }
    guard let wrong else { return ignored.mistake }
    return ".headers([\(wrong.debugDescription)]) doesn't name a header: write the name alone, as in"
      + " .headers([\"Accept\"])."
  }
}

// How a report offers the argument.
extension ReplayComparison {
  /// Returns lines with the argument that makes a request match, or none if more differs than where the service is, or
  /// a few values.
  ///
  /// - Parameter call: The call that takes the argument, such as `.recorded`.
  func advice(for mismatches: [RequestMatcher.Mismatch], in call: String) -> [String] {
    let places = mismatches.map { mismatch -> ReplayMatching? in
      switch mismatch.criterion {
      case "scheme": .scheme
      case "host": .host
      case "port": .port
      // The same resource below another base path.
      case "path" where mismatch.isBelowOtherPath: .path
      default: nil
      }
    }
    guard !places.isEmpty, places.allSatisfy({ $0 != nil }) else { return ignored.advice(for: mismatches, in: call) }
    // Wherever the service is, its port says nothing without its host.
    let elsewhere: ReplayMatching = places.contains { $0 != .path } ? [.scheme, .host, .port] : []
    let moving: ReplayMatching = places.contains(.path) ? [elsewhere, .path] : elsewhere
    let names = mismatches.map(\.criterion)
    let what =
      names.count == 1 ? "\(names[0]) differs" : "\(names.dropLast().listed) and \(names[names.count - 1]) differ"
    return ["If the \(what) in each run, compare the rest:", "    \(call)(…, matching: \(matching.without(moving)))"]
  }
}

extension RequestMatcher.Mismatch {
  /// A Boolean value that indicates whether two paths have the same end.
  fileprivate var isBelowOtherPath: Bool {
    func end(_ path: String?) -> Substring? { path?.split(separator: "/").last }
    return end(expected) != nil && end(expected) == end(actual)
  }
}
