import Foundation
import StubKitRecorder

/// Replaces the secrets in an archive.
struct Redact: Command {
  static let help = """
    stubkit-har redact FILE (-o FILE | --in-place | --explain | --check)
           [--secret NAME] …

    Replaces secrets with \(Redaction.mark): the standard ones, and those you name.

      -o, --output FILE     the file for the result; - is standard output
      --replace             lets -o replace another file that exists
      --in-place            writes the result into the same file
    \(Arguments.helpOfRedactions)
      --explain             lists each replaced value with its rule, and each value
                            that was kept although it looks random; alone, it
                            writes no file
      --check               writes no file, and exits with status 1 if anything
                            would be replaced
    """

  private enum Output {
    case file(URL)
    case standardOutput
    /// Only the explanation or the check is asked for.
    case nowhere
  }

  private let file: InputFile
  private let output: Output
  private let explains: Bool
  private let isCheck: Bool
  private let redactions: [Redaction]

  init(_ arguments: consuming Arguments) throws(UsageMistake) {
    redactions = try arguments.takeRedactions()
    explains = arguments.takeFlag("--explain")
    isCheck = arguments.takeFlag("--check")
    let isReplaced = arguments.takeFlag("--replace")
    let isInPlace = arguments.takeFlag("--in-place")
    let output = try arguments.takeValue("-o", "--output", what: "a file")
    let files = try arguments.files()
    try require(files.count == 1, "Pass one file, not \(files.count).")
    file = files[0]
    if isCheck {
      try require(!isInPlace && output == nil, "--check writes no file. Leave out --in-place or -o.")
      self.output = .nowhere
      return
    }
    try require(!isInPlace || output == nil, "--in-place and -o name two files for one result. Pass one of them.")
    guard let output else {
      if isInPlace {
        guard let url = file.url else {
          throw UsageMistake("--in-place needs a file, and - is standard input. Pass -o FILE.")
        }
        self.output = .file(url)
      } else if file.url == nil {
        self.output = .standardOutput
      } else {
        try require(explains, "Pass -o FILE for the result, or --in-place, which writes it into \(file.name).")
        self.output = .nowhere
      }
      return
    }
    guard let other = InputFile(output).url else {
      self.output = .standardOutput
      return
    }
    self.output = .file(other)
    let isSame = other.resolvingSymlinksInPath() == file.url?.resolvingSymlinksInPath()
    try require(!isSame, "\(output) is the file that is read. Pass --in-place in place of -o.")
    try require(isReplaced || !other.isThere, "\(output) exists. Choose another name, or pass --replace.")
  }

  func run(_ console: Console) throws -> Int32 {
    var document = try file.document(console)
    let destination: URL? = if case .file(let url) = output { url } else { nil }
    let (redacted, report) = try document.redact(redactions, for: destination)
    let proof = RedactionProof(of: redacted, against: document.archive, redactions, report)
    if !proof.problems.isEmpty {
      for problem in proof.problems {
        console.warn("\(file.name) was not redacted, because \(problem.sentence)")
        if !problem.advice.isEmpty { console.warn(problem.advice) }
      }
      console.warn("No file was written. The option --keep NAME keeps the values with a name, as .keep(…) does.")
      return 1
    }
    let say: (String) throws -> Void
    var ending = "Redacted \(report.count.asCount("value", "values")) in \(destination?.path ?? file.name)"
    switch output {
    case .file(let url):
      try document.data.writeAsArchive(to: url, like: file.url)
      say = { try console.print($0) }
    case .standardOutput:
      try console.print(raw: document.data)
      say = { console.warn($0) }
    case .nowhere:
      say = { try console.print($0) }
      ending = "\(file.name) has \(report.count.asCount("value", "values")) to redact"
    }
    for line in explains ? report.lines + [report.summary] : [] { try say(line) }
    try say("\(ending)\(report.unsearched).")
    for line in report.review(isInTool: true) { try say(line) }
    if case .nowhere = output { return isCheck && report.count > 0 ? 1 : 0 }
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
      --named               keeps what only looks random
      --identifiers         identifiers, digests and cursors that look random, too
      --no-standard         redacts only what you name here
    """

  private static let redactions: [(name: String, what: String, redaction: @Sendable (String) -> Redaction)] = [
    ("--json-at", "a path", Redaction.json), ("--text", "a regular expression", { .text(matching: $0) }),
    ("--secret", "a name", Redaction.secret),
  ]

  /// Returns what to redact, and removes its options.
  mutating func takeRedactions() throws(UsageMistake) -> [Redaction] {
    let (hasNone, isNamed) = (takeFlag("--no-standard"), takeFlag("--named"))
    let hasIdentifiers = takeFlag("--identifiers")
    try require(!isNamed || !hasNone && !hasIdentifiers, "--named goes with neither --no-standard nor --identifiers.")
    var redactions: [Redaction] = hasNone ? [] : isNamed ? .named : .standard
    for (option, what, redaction) in Self.redactions {
      for value in try takeValues(option, what: what) {
        redactions.append(redaction(value))
        guard let mistake = redactions.last?.mistake else { continue }
        throw UsageMistake(option == "--text" ? "--text \(value) is not a regular expression." : mistake)
      }
    }
    if hasIdentifiers { redactions.append(.identifiers) }
    try require(!redactions.isEmpty, "--no-standard needs something else to redact, such as --secret NAME.")
    return redactions + (try takeValues("--keep", what: "a name").map { .keep($0) })
  }
}
