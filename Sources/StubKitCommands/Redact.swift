import Foundation
import StubKitRecorder

/// Replaces the secrets in an archive.
struct Redact: Command {
  static let help = """
    stubkit redact FILE [-o FILE] [--replace] [--secret NAME] [--keep NAME] …

    Replaces secrets with \(Redaction.mark): the standard ones, and those you name.

      -o, --output FILE     the file for the result, by default the same one;
                            - is standard output
      --replace             replaces another file that exists
    \(Arguments.helpOfRedactions)
      --explain             lists each replaced value with its rule, and each value
                            that was kept although it looks random
    """

  private let file: InputFile
  /// The file for the result, or `nil` for standard output.
  private let output: URL?
  private let explains: Bool
  private let redactions: [Redaction]

  init(_ arguments: consuming Arguments) throws(UsageMistake) {
    redactions = try arguments.takeRedactions()
    explains = arguments.takeFlag("--explain")
    let isReplaced = arguments.takeFlag("--replace")
    let output = try arguments.takeValue("-o", "--output", what: "a file")
    let files = try arguments.files()
    try require(files.count == 1, "Pass one file, not \(files.count).")
    file = files[0]
    self.output = output.map { InputFile($0).url } ?? file.url
    guard let output, let other = self.output, !isReplaced else { return }
    let isSame = other.resolvingSymlinksInPath() == file.url?.resolvingSymlinksInPath()
    try require(isSame || !other.isThere, "\(output) exists. Choose another name, or pass --replace.")
  }

  func run(_ console: Console) throws -> Int32 {
    var document = try file.document(console)
    let (redacted, report) = try document.redact(redactions, for: output)
    let proof = RedactionProof(of: redacted, against: document.archive, redactions, report)
    if !proof.problems.isEmpty {
      for problem in proof.problems {
        console.warn("\(file.name) was not redacted, because \(problem.sentence)")
        if !problem.advice.isEmpty { console.warn(problem.advice) }
      }
      console.warn("No file was written. The option --keep NAME keeps the values with a name, as .keep(…) does.")
      return 1
    }
    if let output { try document.data.writeAsArchive(to: output) } else { try console.print(raw: document.data) }
    func say(_ line: String) throws { if output == nil { console.warn(line) } else { try console.print(line) } }
    for line in explains ? report.lines + [report.summary] : [] { try say(line) }
    let count = report.count.asCount("value", "values")
    try say("Redacted \(count) in \(output?.path ?? file.name)\(report.unsearched).")
    if let kept = report.keptSummary { try say(explains ? "\(kept)." : "\(kept); --explain lists them.") }
    for line in document.advice { console.warn(line) }
    return 0
  }
}

/// The options that say what to redact.
extension Arguments {
  static let helpOfRedactions = """
      --json-at PATH        the JSON value at a path, such as user.token
      --text REGEX          what a regular expression finds in bodies, headers, URLs
      --secret NAME         the values with a name, wherever it stands
      --keep NAME           keeps the values with a name, whatever other rules say
      --random              what looks random and has no other sign of a secret
      --identifiers         with --random: identifiers, digests and cursors, too
      --no-standard         redacts only what you name here
    """

  private static let redactions: [(name: String, what: String, redaction: @Sendable (String) -> Redaction)] = [
    ("--json-at", "a path", Redaction.json), ("--text", "a regular expression", { .text(matching: $0) }),
    ("--secret", "a name", Redaction.secret),
  ]

  /// Returns what to redact, and removes its options.
  mutating func takeRedactions() throws(UsageMistake) -> [Redaction] {
    var redactions: [Redaction] = takeFlag("--no-standard") ? [] : .standard
    for (option, what, redaction) in Self.redactions {
      for value in try takeValues(option, what: what) {
        redactions.append(redaction(value))
        guard let mistake = redactions.last?.mistake else { continue }
        throw UsageMistake(option == "--text" ? "--text \(value) is not a regular expression." : mistake)
      }
    }
    let (isRandom, hasIdentifiers) = (takeFlag("--random"), takeFlag("--identifiers"))
    try require(isRandom || !hasIdentifiers, "--identifiers goes with --random.")
    if isRandom { redactions.append(.random(identifiers: hasIdentifiers)) }
    try require(!redactions.isEmpty, "--no-standard needs something else to redact, such as --secret NAME.")
    return redactions + (try takeValues("--keep", what: "a name").map { .keep($0) })
  }
}
