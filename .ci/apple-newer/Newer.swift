// Finds uses of declarations that are newer than the package's platforms, and stand neither under #available nor in
// a declaration with @available: Newer GRAPHS WORK MODULE…
//
// What is newer comes from the symbol graphs of the toolchain's own modules and of the declared SDK, in GRAPHS. What is
// used, and where, comes from the index that the compiler writes of each module, in WORK/index/MODULE. What encloses a
// use comes from the parsed sources, in WORK/sources/MODULE. Libraries have their unchanged sources in
// WORK/originals/MODULE: there it finds what Linux can't check and the libraries do without.
import Foundation
import IndexStore
import SwiftParser
import SwiftSyntax

/// The versions of the platforms from which something exists.
typealias Versions = [String: Double]

/// The package's own platforms.
let minimum: Versions = ["macOS": 13, "iOS": 16, "tvOS": 16, "watchOS": 9]

func version(_ parts: [Int]) -> Double { Double(parts.first ?? 0) + Double(parts.dropFirst().first ?? 0) / 100 }

extension Versions {
  /// Whether it is newer than what is known to be there.
  func exceeds(_ known: Versions) -> Bool { contains { $1 > known[$0] ?? minimum[$0] ?? .infinity } }

  var text: String {
    minimum.keys.sorted().compactMap { name in
      self[name].map { version in
        let minor = Int((version * 100).rounded()) % 100
        return "\(name) \(Int(version))" + (minor == 0 ? "" : ".\(minor)")
      }
    }.joined(separator: ", ")
  }
}

// MARK: What is newer

/// Functions that have been there for longer in another declaration, which a compiler for an Apple platform chooses: in
/// Foundation's own, and in an extension of the protocol.
let older: Set<String> = [
  "String.data(using:allowLossyConversion:)", "FixedWidthInteger.&*(_:_:)", "Int128.&*(_:_:)",
]

/// The declarations of the symbol graphs that are newer, by their USR.
func newerDeclarations(in folder: URL) throws -> [String: (name: String, since: Versions)] {
  var found: [String: (name: String, since: Versions)] = [:]
  // A member of a protocol is there again for each type that gets it, with the versions of the type.
  var known: Set<String> = []
  for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  where file.lastPathComponent.hasSuffix(".symbols.json") {
    let graph = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    for symbol in graph?["symbols"] as? [[String: Any]] ?? [] {
      guard let usr = (symbol["identifier"] as? [String: Any])?["precise"] as? String else { continue }
      let name = (symbol["pathComponents"] as? [String] ?? []).joined(separator: ".")
      var since: Versions = [:]
      for item in symbol["availability"] as? [[String: Any]] ?? [] {
        guard let domain = item["domain"] as? String, let introduced = item["introduced"] as? [String: Int] else {
          continue
        }
        since[domain] = Swift.max(since[domain] ?? 0, version([introduced["major"] ?? 0, introduced["minor"] ?? 0]))
      }
      if since.exceeds(minimum), !older.contains(name) { found[usr] = (name, since) } else { known.insert(usr) }
    }
  }
  return found.filter { !known.contains($0.key) }
}

// MARK: What encloses a use

/// The parts of a file in which more is known to be there, and what the compiler itself demands a newer system for.
final class Availability: SyntaxAnyVisitor {
  private(set) var guarded: [(range: Range<AbsolutePosition>, known: Versions)] = []
  private(set) var demands: [(position: AbsolutePosition, name: String, since: Versions)] = []

  func known(at position: AbsolutePosition) -> Versions {
    guarded.filter { $0.range.contains(position) }.reduce(minimum) { $0.merging($1.known, uniquingKeysWith: max) }
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
    if let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes {
      for attribute in attributes.compactMap({ $0.as(AttributeSyntax.self) })
      where attribute.attributeName.trimmedDescription == "available" {
        guard case .availability(let arguments) = attribute.arguments else { continue }
        guarded.append((node.position..<node.endPosition, Self.versions(arguments)))
      }
    }
    return .visitChildren
  }

  override func visit(_ node: AvailabilityConditionSyntax) -> SyntaxVisitorContinueKind {
    let known = Self.versions(node.availabilityArguments)
    let isPositive = node.availabilityKeyword.tokenKind == .poundAvailable
    guard let statement = node.parent?.parent?.parent else { return .skipChildren }
    if let statement = statement.as(IfExprSyntax.self) {
      if isPositive {
        guarded.append((node.endPosition..<statement.body.endPosition, known))
      } else if let other = statement.elseBody {
        guarded.append((other.position..<other.endPosition, known))
      }
    } else if let statement = statement.as(GuardStmtSyntax.self), isPositive {
      guarded.append((node.endPosition..<statement.body.position, known))
      if let block = statement.parent?.parent { guarded.append((statement.endPosition..<block.endPosition, known)) }
    } else if let statement = statement.as(WhileStmtSyntax.self), isPositive {
      guarded.append((node.endPosition..<statement.body.endPosition, known))
    }
    return .skipChildren
  }

  /// Functions with typed throws (SE-0413) or `@isolated(any)` (SE-0431) as arguments of a generic type need the
  /// runtime of macOS 15.
  override func visit(_ node: FunctionTypeSyntax) -> SyntaxVisitorContinueKind {
    let attributes = node.parent?.as(AttributedTypeSyntax.self)?.attributes.trimmedDescription ?? ""
    let isNew = node.effectSpecifiers?.throwsClause?.type != nil || attributes.contains("@isolated(any)")
    let isArgument = sequence(first: Syntax(node)) { $0.parent }.prefix { !$0.is(FunctionParameterClauseSyntax.self) }
      .contains { $0.is(ArrayTypeSyntax.self) || $0.is(DictionaryTypeSyntax.self) || $0.is(GenericArgumentSyntax.self) }
    if isNew, isArgument {
      demands.append(
        (
          node.positionAfterSkippingLeadingTrivia, "the type of such functions",
          ["macOS": 15, "iOS": 18, "tvOS": 18, "watchOS": 11]
        ))
    }
    return visitAny(Syntax(node))
  }

  private static func versions(_ arguments: AvailabilityArgumentListSyntax) -> Versions {
    var versions: Versions = [:]
    var platform: String?
    for argument in arguments {
      switch argument.argument {
      case .availabilityVersionRestriction(let restriction):
        versions[restriction.platform.text] = number(restriction.version)
      case .token(let token):
        platform = platform ?? token.text
      case .availabilityLabeledArgument(let labelled) where labelled.label.text == "introduced":
        if let platform, case .version(let tuple) = labelled.value { versions[platform] = number(tuple) }
      default: break
      }
    }
    return versions.filter { minimum[$0.key] != nil }
  }

  private static func number(_ tuple: VersionTupleSyntax?) -> Double {
    guard let tuple else { return .infinity }
    return version(([tuple.major.text] + tuple.components.map(\.number.text)).compactMap { Int($0) })
  }
}

// MARK: What Linux can't check

/// Finds what the libraries do without, because only an Apple platform would refuse it.
final class Strange: SyntaxAnyVisitor {
  private(set) var problems: [(position: AbsolutePosition, sentence: String)] = []

  /// What an Objective-C block can take: classes, bridged values, and handlers.
  private static let blockTypes: Set<String> = [
    "AnyClass", "AnyObject", "Any", "Error", "Bool", "Int", "Void", "Selector", "Data", "URL", "URLRequest", "String",
    "URLResponse", "OperationQueue", "URLSessionDelegate", "URLSession", "URLSessionConfiguration", "URLSessionTask",
    "Handler",
  ]
  private static let elsewhere: Set<String> = [
    "os(Linux)", "canImport(Glibc)", "canImport(FoundationNetworking)", "!canImport(Darwin)", "!canImport(ObjectiveC)",
    "compiler(>=6.3)",
  ]

  private func refuse(_ node: some SyntaxProtocol, _ sentence: String) {
    problems.append((node.positionAfterSkippingLeadingTrivia, sentence))
  }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    var isElsewhere = false
    for clause in node.clauses {
      let condition = clause.condition?.trimmedDescription
      // What comes after a condition that holds on Linux only is for the others.
      isElsewhere = condition.map { Self.elsewhere.contains($0) } ?? false
      if !isElsewhere, let elements = clause.elements { walk(elements) }
    }
    return .skipChildren
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    let name = node.attributeName.trimmedDescription
    if name == "objc" || name == "objcMembers" { refuse(node, "Linux can't check @\(name)") }
    return visitAny(Syntax(node))
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    if node.macroName.text == "selector" { refuse(node, "Linux can't check #selector; write Selector((\"name\"))") }
    return visitAny(Syntax(node))
  }

  override func visit(_ node: AttributedTypeSyntax) -> SyntaxVisitorContinueKind {
    let conventions = node.attributes.compactMap { $0.as(AttributeSyntax.self) }
      .filter { $0.attributeName.trimmedDescription == "convention" }
      .compactMap { $0.arguments?.trimmedDescription }
    if !conventions.isEmpty {
      let names = node.baseType.tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
        if case .identifier(let name) = token.tokenKind, token.nextToken(viewMode: .sourceAccurate)?.tokenKind != .colon
        {
          return name
        }
        return nil
      }
      if let name = names.first(where: { !Self.blockTypes.contains($0) && $0 != "Sendable" }) {
        refuse(node, "Linux can't check whether \(name) is a type of Objective-C")
      }
      // As a type to cast to, it needs no function that captures nothing.
      if conventions.contains("c"), !isInTypealias(node) {
        refuse(node, "Linux can't check what a function with @convention(c) captures")
      }
    }
    return visitAny(Syntax(node))
  }

  private func isInTypealias(_ node: some SyntaxProtocol) -> Bool {
    sequence(first: Syntax(node)) { $0.parent }.contains { $0.is(TypeAliasDeclSyntax.self) }
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
      member.declName.baseName.text == "urlSession", !base.is(SuperExprSyntax.self)
    {
      refuse(node, "the methods of delegates are optional: write urlSession?(…)")
    }
    let called = node.calledExpression.trimmedDescription
    // Of other types in Darwin.
    for argument in node.arguments where argument.label?.text == "tv_usec" { demandConversion(argument.expression) }
    if called == "poll", let count = node.arguments.dropFirst().first { demandConversion(count.expression) }
    return visitAny(Syntax(node))
  }

  private func demandConversion(_ value: ExprSyntax) {
    let called = value.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription
    let conversions = ["numericCast", "suseconds_t", "nfds_t", ".init"]
    if !value.is(IntegerLiteralExprSyntax.self), !conversions.contains(called ?? "") {
      refuse(value, "this has another type in Darwin; convert it")
    }
  }

  override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind { .visitChildren }
}

/// What Darwin has not, or only for a Mac, by the ends of USRs.
let absent: [(usr: String, sentence: String)] =
  [
    "@F@posix_fallocate", "@F@pipe2", "@F@accept4", "@F@eventfd", "@F@epoll_create1", "@F@gettid", "@F@memfd_create",
    "@F@fallocate", "@F@sendfile", "@F@prctl", "@FI@st_mtim", "@FI@st_atim", "@FI@st_ctim", "@FI@sa_sigaction",
    "@SOCK_CLOEXEC", "@SOCK_NONBLOCK", "@MSG_NOSIGNAL", "@TIOCOUTQ", "@SIGRTMIN", "@CLOCK_MONOTONIC_COARSE",
    "@O_TMPFILE", "@O_PATH",
  ].map { ($0, "Darwin has no \($0.split(separator: "@").last ?? "")") } + [
    ("10Foundation7ProcessC", "iOS has no Process")
  ]

// MARK: What is used

/// The names in a file of a module, as the compiler has resolved them.
struct Use: Hashable {
  let line: Int
  let column: Int
  let usr: String
}

func uses(in index: URL) throws -> [(file: String, uses: Set<Use>)] {
  var failure: indexstore_error_t?
  guard let store = indexstore_store_create(index.path, &failure) else { throw CocoaError(.fileReadNoSuchFile) }
  let records = index.appendingPathComponent("v5/records")
  let folders = try FileManager.default.contentsOfDirectory(at: records, includingPropertiesForKeys: nil)
  return try folders.flatMap { try FileManager.default.contentsOfDirectory(atPath: $0.path) }.compactMap { name in
    guard let dash = name.lastIndex(of: "-"), let reader = indexstore_record_reader_create(store, name, &failure) else {
      return nil
    }
    defer { indexstore_record_reader_dispose(reader) }
    var uses: Set<Use> = []
    withUnsafeMutablePointer(to: &uses) { uses in
      _ = indexstore_record_reader_occurrences_apply_f(reader, uses) { context, occurrence in
        // What the compiler adds by itself, it chooses by the platform, such as the call for each round of `for await`.
        guard let context, let occurrence, indexstore_occurrence_get_roles(occurrence) & (1 << 8) == 0,
          let symbol = indexstore_occurrence_get_symbol(occurrence)
        else {
          return true
        }
        let usr = indexstore_symbol_get_usr(symbol)
        let bytes = UnsafeRawBufferPointer(start: usr.data, count: usr.length)
        var (line, column) = (UInt32(0), UInt32(0))
        indexstore_occurrence_get_line_col(occurrence, &line, &column)
        context.assumingMemoryBound(to: Set<Use>.self).pointee.insert(
          Use(line: Int(line), column: Int(column), usr: String(decoding: bytes, as: UTF8.self)))
        return true
      }
    }
    return (String(name[..<dash]), uses)
  }
}

// MARK: The check

@main
struct Newer {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    guard arguments.count > 2 else { fatalError("Newer GRAPHS WORK MODULE…") }
    let newer = try newerDeclarations(in: URL(fileURLWithPath: arguments[0]))
    guard newer["s:s11InlineArrayV"] != nil else {
      fatalError("The symbol graphs say nothing of what is newer.")
    }
    let work = URL(fileURLWithPath: arguments[1])
    var problems: Set<String> = []
    for module in arguments.dropFirst(2) {
      let root = work.appendingPathComponent("sources/\(module)")
      // A module has one file of a name.
      var files: [String: URL] = [:]
      for case let file as URL in FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)! {
        files[file.lastPathComponent] = file
      }
      func report(_ name: String, _ line: Int, _ column: Int, _ sentence: String) {
        let path = files[name]!.path.dropFirst(work.appendingPathComponent("sources/").path.count + 1)
        problems.insert("\(path):\(line):\(column): error: \(sentence)")
      }
      let isLibrary = FileManager.default.fileExists(atPath: work.appendingPathComponent("originals/\(module)").path)
      var seen: Set<String> = []
      for (name, file) in files where isLibrary && name.hasSuffix(".swift") {
        let original = file.path.replacingOccurrences(of: "/sources/\(module)/", with: "/originals/\(module)/")
        guard let text = try? String(contentsOfFile: original, encoding: .utf8) else { continue }
        let tree = Parser.parse(source: text)
        let strange = Strange(viewMode: .sourceAccurate)
        strange.walk(tree)
        let places = SourceLocationConverter(fileName: name, tree: tree)
        for (position, sentence) in strange.problems {
          let place = places.location(for: position)
          report(name, place.line, place.column, sentence)
        }
      }
      for (name, uses) in try uses(in: work.appendingPathComponent("index/\(module)")) {
        guard let file = files[name] else { continue }
        seen.insert(name)
        let tree = Parser.parse(source: try String(contentsOf: file, encoding: .utf8))
        let availability = Availability(viewMode: .sourceAccurate)
        availability.walk(tree)
        let places = SourceLocationConverter(fileName: name, tree: tree)
        let used = uses.compactMap { use in
          newer[use.usr].map { (places.position(ofLine: use.line, column: use.column), $0.name, $0.since) }
        }
        for use in uses where isLibrary {
          guard let lack = absent.first(where: { use.usr.hasSuffix($0.usr) }) else { continue }
          report(name, use.line, use.column, lack.sentence)
        }
        for (position, used, since) in used + availability.demands where since.exceeds(availability.known(at: position))
        {
          let place = places.location(for: position)
          report(
            name, place.line, place.column, "\(used) is newer than the package's platforms: \(since.text)")
        }
      }
      if seen.isEmpty { problems.insert("\(module): error: The compiler has noted no names.") }
    }
    print(problems.sorted().joined(separator: "\n"), terminator: problems.isEmpty ? "" : "\n")
    exit(problems.isEmpty ? 0 : 1)
  }
}
