import Foundation
import StubKit
import StubKitArchive

#if canImport(Darwin)
  import Darwin
#endif

/// A recording that was read, with what its entries compare. It never changes, so that several tests can play it.
final class ReadRecording: Sendable {
  let archive: HTTPArchive
  private let sequences = Protected<[ReplayComparison: ReplaySequences]>([:])

  init(_ archive: HTTPArchive) { self.archive = archive }

  func sequences(_ comparison: ReplayComparison) -> ReplaySequences {
    if let known = sequences.withLock({ $0[comparison] }) { return known }
    let new = ReplaySequences(archive.entries, comparison)
    sequences.withLock { known in
      // The tests of a class compare the same parts. One that makes up others each time must not fill the memory.
      if known.count >= 8 { known = [:] }
      known[comparison] = new
    }
    return new
  }
}

/// The recordings that this process has read, so that the tests of a class read their file once.
final class ReadRecordings: Sendable {
  static let shared = ReadRecordings(limit: 64 << 20)

  /// The most bytes of files whose archives are kept.
  private let limit: Int

  /// The file at one path. One test reads it, and the others wait for the result.
  private final class File: Sendable {
    struct Content {
      let recording: ReadRecording
      let state: FileState?
      /// When reading began.
      let time: ContinuousClock.Instant
      /// Whether a change of the file would change its state.
      let isSettled: Bool
    }
    let content = Protected<Content?>(nil)
  }

  private struct Kept {
    let file: File
    var size = 0
    var lastUse = 0
  }

  private let state = Protected((files: [String: Kept](), useCount: 0))

  init(limit: Int) { self.limit = limit }

  /// Reads a recording, or returns it as it was read before if its file is the same.
  ///
  /// - Parameter now: The time, which tells whether the clock of the file system has moved on since the last change.
  /// - Throws: An ``HTTPArchiveError``, or the error of the file system.
  func recording(at url: URL, now: Date = Date()) throws -> ReadRecording {
    let (path, asked) = (url.path, ContinuousClock.now)
    let file = state.withLock { state in
      state.useCount += 1
      state.files[path, default: Kept(file: File())].lastUse = state.useCount
      return state.files[path]?.file ?? File()
    }
    return try file.content.withLock { content in
      let state = FileState(url, now: now)
      if let content, content.time >= asked || content.isSettled && content.state == state { return content.recording }
      content = nil
      let time = ContinuousClock.now
      let text = try Data(contentsOf: url)
      let recording = ReadRecording(try HTTPArchive(text, in: url))
      // A body in a file of its own can change although the archive doesn't.
      let isWhole = text.range(of: Data("\"_file\"".utf8)) == nil
      content = File.Content(
        recording: recording, state: state, time: time,
        isSettled: isWhole && state?.isSettled == true && state == FileState(url, now: now))
      keep(file, of: text.count, at: path)
      return recording
    }
  }

  /// Keeps a file, in the place of those that nobody has used for the longest time.
  private func keep(_ file: File, of size: Int, at path: String) {
    // Archives are released outside the lock.
    var dropped: [Kept?] = []
    state.withLock { state in
      guard state.files[path]?.file === file else { return }
      state.files[path]?.size = size
      var total = state.files.values.reduce(0) { $0 + $1.size }
      for (path, kept) in state.files.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where total > limit {
        dropped.append(state.files.removeValue(forKey: path))
        total -= kept.size
      }
    }
  }
}

/// What tells a version of a file from the one before, as far as the file system says.
struct FileState: Equatable {
  /// The coarsest clock of a file system, that of FAT, has steps of two seconds.
  private static let step = 3.0

  private let place: [Int]
  private let size: Int
  private let modified: [Int]
  private let changed: [Int]
  /// Whether a later change has another time, because the clock of the file system has moved on since the last one.
  let isSettled: Bool

  init?(_ url: URL, now: Date) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    // The numbers of devices have a sign on some systems.
    place = [Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino)]
    size = Int(status.st_size)
    (modified, changed) = (status.modified, status.changed)
    // Who copies a file can set the first of the times, but nobody the second.
    isSettled = TimeInterval(max(modified[0], changed[0])) + Self.step < now.timeIntervalSince1970
  }

  static func == (left: FileState, right: FileState) -> Bool {
    left.place == right.place && left.size == right.size && left.modified == right.modified
      && left.changed == right.changed
  }
}

extension stat {
  /// Seconds and nanoseconds. C has two names for them.
  fileprivate var modified: [Int] {
    #if canImport(Darwin)
      [st_mtimespec.tv_sec, st_mtimespec.tv_nsec]
    #else
      [st_mtim.tv_sec, st_mtim.tv_nsec]
    #endif
  }

  fileprivate var changed: [Int] {
    #if canImport(Darwin)
      [st_ctimespec.tv_sec, st_ctimespec.tv_nsec]
    #else
      [st_ctim.tv_sec, st_ctim.tv_nsec]
    #endif
  }
}
