/// Whether StubKit plays a recording, records it, or ignores it.
///
/// | Mode | Requests in the recording | Other requests | The file |
/// | --- | --- | --- | --- |
/// | ``replay`` | are answered from it | fail | is read, and must exist |
/// | ``once`` | are answered from it | fail | is written if it doesn't exist |
/// | ``newEpisodes`` | are answered from it | go to the network | receives the new entries |
/// | ``all`` | go to the network | go to the network | is replaced |
/// | ``live`` | go to the network | go to the network | is neither read nor written |
/// | ``check`` | go to the network | go to the network | is compared with the responses, and must exist |
///
/// The environment variable `STUBKIT_RECORD` overrides the mode of every recording:
///
/// ```sh
/// STUBKIT_RECORD=once swift test --filter UserTests
/// ```
///
/// It accepts the names above, and two names of other tools: `none` for ``replay`` and `new_episodes` for
/// ``newEpisodes``.
public struct RecordingMode: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String { case replay, once, newEpisodes, all, live, check }
  private let kind: Kind

  /// Answers requests from the recording, and never from the network. This is the default.
  public static let replay = RecordingMode(kind: .replay)
  /// Answers requests from the recording if it exists. Otherwise, requests go to the network and are recorded. While
  /// StubKit records the file, it answers nothing from it.
  public static let once = RecordingMode(kind: .once)
  /// Answers requests from the recording. Other requests go to the network, and are added after the old entries, of
  /// which every byte stays.
  public static let newEpisodes = RecordingMode(kind: .newEpisodes)
  /// Lets every request go to the network, and replaces the recording. The next cases of a parameterized test add to
  /// what the first one has recorded, and so does a second `withRecording` of a test without a scope.
  public static let all = RecordingMode(kind: .all)
  /// Lets every request go to the network, and neither reads nor writes a file.
  public static let live = RecordingMode(kind: .live)
  /// Lets every request go to the network, writes nothing, and compares each response with the entry that would have
  /// answered.
  ///
  /// The comparison is one of shape: the status, the media type, and the members of JSON and their kinds, but no
  /// values. The elements of an array count as one, and `null` beside another kind makes a value optional. A difference
  /// is a warning of the test:
  ///
  /// ```text
  /// users.har, entry 3: $.items[].email: was a string, is missing
  /// ```
  ///
  /// If the test framework knows no warnings, it is a line on standard error. With `STUBKIT_DRIFT=fail`, differences
  /// fail the test. So does a recording that is older than its `expires:` allows, whatever the variable says. Requests
  /// that no entry has, and entries that no request asked for, are listed at the end.
  public static let check = RecordingMode(kind: .check)

  /// The mode's name: `replay`, `once`, `newEpisodes`, `all`, `live` or `check`.
  public var description: String { kind.rawValue }

  /// The names of all modes, for an error.
  static var names: String { "replay (or none), once, newEpisodes (or new_episodes), all, live, check" }
}

extension RecordingMode {
  /// Creates a mode from its name, or from a name of another tool. Returns `nil` for any other text.
  ///
  /// ```swift
  /// RecordingMode("new_episodes")  // .newEpisodes
  /// ```
  public init?(_ name: String) {
    let name = ["none": "replay", "new_episodes": "newEpisodes"][name] ?? name
    guard let kind = Kind(rawValue: name) else { return nil }
    self.init(kind: kind)
  }
}
