/// Whether a recording is played, made or left alone.
///
/// | Mode | Requests that are in the recording | Other requests | The file |
/// | --- | --- | --- | --- |
/// | ``replay`` | answered from it | fail | is read, and has to be there |
/// | ``once`` | answered from it | fail | is written if there is none |
/// | ``newEpisodes`` | answered from it | go to the network | gets what is new |
/// | ``all`` | go to the network | go to the network | is written anew |
/// | ``live`` | go to the network | go to the network | is neither read nor written |
///
/// The environment variable `STUBKIT_RECORD` names a mode that takes the place of every other one:
///
///     STUBKIT_RECORD=once swift test --filter UserTests
///
/// It may have any of the names above, and also those of other tools: `none` for ``replay`` and `new_episodes` for ``newEpisodes``.
public struct RecordingMode: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String, CaseIterable { case replay, once, newEpisodes, all, live }
  private let kind: Kind

  /// Answers requests from the recording and never from the network. The default.
  public static let replay = RecordingMode(kind: .replay)
  /// Answers requests from the recording if there is one. If not, requests go to the network and are recorded. While the file
  /// is recorded, nothing is answered from it.
  public static let once = RecordingMode(kind: .once)
  /// Answers requests from the recording. The requests that are not in it go to the network, and are written behind the old entries.
  public static let newEpisodes = RecordingMode(kind: .newEpisodes)
  /// Lets every request go to the network, and writes the recording anew.
  public static let all = RecordingMode(kind: .all)
  /// Lets every request go to the network, and neither reads nor writes a file.
  public static let live = RecordingMode(kind: .live)

  /// The mode's name: `replay`, `once`, `newEpisodes`, `all` or `live`.
  public var description: String { kind.rawValue }

  private init(kind: Kind) { self.kind = kind }

  /// A mode by its name, or by that which other tools have for it. `nil` for any other text.
  ///
  /// ```swift
  /// RecordingMode("new_episodes")  // .newEpisodes
  /// ```
  public init?(_ name: String) {
    let name = ["none": "replay", "new_episodes": "newEpisodes"][name] ?? name
    guard let kind = Kind(rawValue: name) else { return nil }
    self.kind = kind
  }

  /// The names of all modes, as an error lists them.
  static var names: String { "replay (or none), once, newEpisodes (or new_episodes), all, live" }
}
