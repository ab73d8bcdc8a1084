import Foundation
import StubKit

/// Makes the text of a transcript from requests, with placeholders for values that the next run may have others of.
///
/// The kind of a value decides whether it is a placeholder. A second run confirms it: a value that is the same after
/// time has passed takes the place of its placeholder, and a value that differs becomes one, whatever it looks like.
struct TranscriptDraft {
  private(set) var requests: [TranscribedRequest]
  let note: RunNote

  /// - Parameters:
  ///   - requests: The requests as they were made.
  ///   - secrets: The values that the text must not show.
  ///   - earlier: The note of the transcript so far.
  ///   - comparison: The comparison of the requests with it.
  init(
    _ requests: [TranscribedRequest], hiding secrets: Secrets, after earlier: RunNote = RunNote(),
    _ comparison: TranscriptComparison? = nil, on machine: Machine
  ) {
    var replacer = ValueReplacer(machine: machine, names: PlaceholderNames(secrets))
    replacer.note.writtenOnce = machine.now
    var texts: [Int: [Place: TranscribedText]] = [:]
    if let comparison {
      replacer.names.take(comparison)
      var evidence = RunEvidence(comparison, earlier)
      replacer.fixed = evidence.fixed
      replacer.note = evidence.note(machine)
      for pair in evidence.pairs {
        let varying = evidence.varying(pair, &replacer.names) ?? [:]
        texts[pair.actual] = evidence.kept(pair).merging(varying) { kept, _ in kept }
      }
    }
    var hidden = secrets.hidden(in: requests)
    for index in hidden.indices {
      (replacer.texts, replacer.madeAt) = (texts[index] ?? [:], requests[index].madeAt.value)
      hidden[index].visitTexts(&replacer)
    }
    (self.requests, note) = (hidden, replacer.note)
    countEqualRequests()
  }

  /// The text for a test's own file, in which the next writing run finds what this one has had.
  var fileText: String { TranscriptWriter.text(of: requests, comments: note.lines) + "\n" }

  /// The text to read, or to paste into a test.
  var text: String { TranscriptWriter.text(of: requests) }

  // MARK: Equal requests in a row

  /// Takes the names from requests in a row that differ only in names, if no other place has them: ten requests with an
  /// identifier each are `### ×10`.
  private mutating func countEqualRequests() {
    var counts: [String: Int] = [:]
    let placeholders = requests.map { RequestLeaves([0], of: [$0]).placeholders }
    for name in placeholders.joined().compactMap(\.boundName) { counts[name, default: 0] += 1 }
    let single = Set(counts.filter { $0.value == 1 && PlaceholderKind.isGenerated($0.key) }.keys)
    if single.isEmpty { return }
    var remover = NameRemover(names: single)
    let nameless = requests.map { request in
      var request = request
      request.visitTexts(&remover)
      return request
    }
    let isLikeNext = zip(nameless, nameless.dropFirst()).map { $0 == $1 } + [false]
    for index in requests.indices where isLikeNext[index] || index > 0 && isLikeNext[index - 1] {
      requests[index] = nameless[index]
    }
  }
}

/// Puts placeholders into the texts of requests.
private struct ValueReplacer: TextVisitor {
  let machine: Machine
  var names: PlaceholderNames
  var note = RunNote()
  /// Values that are no placeholders: an earlier run has had them, too.
  var fixed: Set<ExactString> = []
  /// The texts of the current request that are known.
  var texts: [Place: TranscribedText] = [:]
  var madeAt: TimeInterval = 0

  init(machine: Machine, names: PlaceholderNames) { (self.machine, self.names) = (machine, names) }

  func begin(_ container: TextContainer, at place: Place) -> TranscribedText? { texts[place] }

  mutating func visit(_ text: inout TranscribedText, at place: Place, _ role: TextRole) {
    if role == .mark { return }
    if let known = texts[place] {
      text = known
    } else if !text.isLiteral {
      text = names.renamed(text)
    }
    text = replaced(text, role)
  }

  private mutating func replaced(_ text: TranscribedText, _ role: TextRole) -> TranscribedText {
    if text.isLiteral { return TranscribedText(pieces: pieces(of: text, role)) }
    // The literals around a placeholder can have values of their own.
    return TranscribedText(
      pieces: text.pieces.flatMap { piece -> [TranscribedText.Piece] in
        guard case .literal(let literal) = piece else { return [piece] }
        return pieces(of: TranscribedText(literal.string), .plain)
      })
  }

  private mutating func pieces(of text: TranscribedText, _ role: TextRole) -> [TranscribedText.Piece] {
    let found = text.varyingValues(role, machine)
    if found.isEmpty { return text.pieces }
    let bytes = Array(text.sent.utf8)
    var (pieces, end): ([TranscribedText.Piece], Int) = ([], 0)
    for value in found {
      let sent = String(utf8: bytes[value.range])
      if fixed.contains(ExactString(sent)) { continue }
      pieces.append(.literal(ExactString(String(utf8: bytes[end..<value.range.lowerBound]))))
      pieces.append(.placeholder(names.placeholder(value.kind, for: sent)))
      if !value.kind.isOfMachine { note.digests[sent.digest] = note.digests[sent.digest] ?? madeAt }
      end = value.range.upperBound
    }
    return pieces + [.literal(ExactString(String(utf8: bytes[end...])))]
  }
}

private struct NameRemover: TextVisitor {
  let names: Set<String>

  mutating func visit(_ text: inout TranscribedText, at place: Place, _ role: TextRole) {
    if text.isLiteral { return }
    text = TranscribedText(
      pieces: text.pieces.map { piece in
        guard case .placeholder(let place) = piece, let name = place.boundName, names.contains(name) else {
          return piece
        }
        return .placeholder(Placeholder(nil, place.kind))
      })
  }
}

extension PlaceholderKind {
  /// Whether StubKit gives such a name: a kind with a number.
  fileprivate static func isGenerated(_ name: String) -> Bool {
    name.utf8.last?.isDigit == true && PlaceholderKind(ofName: name) != nil
  }
}

/// The names that a draft gives to values.
struct PlaceholderNames {
  private var names: [ExactString: String] = [:]
  private var taken: Set<String> = []
  private var numbers: [PlaceholderKind: Int] = [:]
  private let secrets: Secrets

  fileprivate init(_ secrets: Secrets) { self.secrets = secrets }

  /// Keeps the names of a transcript.
  fileprivate mutating func take(_ comparison: TranscriptComparison) {
    for request in comparison.expected {
      for placeholder in RequestLeaves([0], of: [request]).placeholders {
        guard let name = placeholder.boundName else { continue }
        taken.insert(name)
        guard placeholder.kind.isDistinct, let value = comparison.values.values[name] else { continue }
        names[ExactString(value)] = placeholder.source
      }
    }
  }

  /// Returns the placeholder of a value. Equal values have one name, but for times, which can be equal by chance.
  mutating func placeholder(_ kind: PlaceholderKind, for value: String) -> Placeholder {
    if kind.hasOwnName { return .any(kind) }
    if let source = names[ExactString(value)], let known = try? TranscribedText(reading: source).onlyPlaceholder {
      return known
    }
    let placeholder = new(kind)
    names[ExactString(value)] = placeholder.source
    return placeholder
  }

  mutating func new(_ kind: PlaceholderKind) -> Placeholder {
    var name = ""
    repeat {
      numbers[kind, default: 0] += 1
      name = "\(kind.rawValue)\(numbers[kind]!)"
    } while !taken.insert(name).inserted
    return Placeholder(name, kind)
  }

  /// Gives secrets the names that the transcript has for them.
  fileprivate mutating func renamed(_ text: TranscribedText) -> TranscribedText {
    var pieces: [TranscribedText.Piece] = []
    for piece in text.pieces {
      guard case .placeholder(let place) = piece, place.kind == .secret, let name = place.name,
        let value = secrets.value(of: name)
      else {
        pieces.append(piece)
        continue
      }
      pieces.append(.placeholder(placeholder(.secret, for: value)))
    }
    return TranscribedText(pieces: pieces)
  }
}
