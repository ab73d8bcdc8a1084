import Foundation
import StubKit
import StubKitArchive

extension Recording {
  /// How long a recording is good.
  ///
  /// ```swift
  /// @Test(.stubbed, .recorded("users", expires: .days(90)))
  /// func loadsUsers() async throws { … }
  /// ```
  ///
  /// The time begins with the newest entry of the file. A day has 24 hours, in whichever time zone a test runs.
  public struct Lifetime: Sendable, Hashable {
    let dayCount: Int

    /// A number of days, from 1. With another number, the recording is a ``RecordingError`` when it is used.
    public static func days(_ count: Int) -> Lifetime { Lifetime(dayCount: count) }

    /// Why the time is none, and what to write.
    var mistake: String? {
      dayCount > 0
        ? nil : "expires: .days(\(dayCount)) is no time. Write .days(1) or more, or leave expires: out."
    }
  }
}

/// The age of a recording.
extension HTTPArchive {
  /// Returns how old the newest entry is, in whole days, if that is more than so many. Entries of which no reader knows
  /// the start don't count.
  func age(beyond lifetime: Recording.Lifetime, at now: Date) -> Int? {
    let newest = entries.lazy.filter { $0.unreadableStart == nil }.map(\.startedAt).max()
    guard let newest else { return nil }
    let days = now.timeIntervalSince(newest) / 86_400
    return days > Double(lifetime.dayCount) ? Int(min(days, 1e9)) : nil
  }
}

extension RecordingFile {
  private static let told = Protected<Set<String>>([])

  /// Returns whether nobody has been told in this run that the recording is too old.
  var isFirstToldAge: Bool { Self.told.withLock { $0.insert(key).inserted } }

  /// Returns what is said of a recording that is too old.
  ///
  /// - Parameters:
  ///   - age: The age of its newest entry, in days.
  ///   - filter: The filter that selects the test on the command line, or `nil` if it isn't known.
  func expired(age: Int, _ lifetime: Recording.Lifetime, filter: String?) -> String {
    "The recording \(name.debugDescription) is \(age.asCount("day", "days")) old, and expires: "
      + ".days(\(lifetime.dayCount)) allows \(lifetime.dayCount). It is played all the same. To record it again: "
      + Self.command(.all, filter: filter)
  }
}
