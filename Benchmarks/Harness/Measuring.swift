import Foundation

/// Readings of a clock, in nanoseconds.
enum Nanoseconds {
  /// - Parameter clock: A clock of POSIX. Defaults to that of the time that passes. `CLOCK_PROCESS_CPUTIME_ID` is that
  ///   of this process's processor time: time that other processes take doesn't count.
  static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  static func since(_ start: UInt64, by clock: clockid_t = CLOCK_MONOTONIC) -> Double { Double(now(clock) - start) }
}

/// The statistics of a set of samples.
enum Statistics {
  /// The middle sample, or the mean of the two in the middle. NaN if there are no samples.
  static func median(_ samples: [Double]) -> Double {
    let sorted = samples.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// The memory of this process in bytes, as the kernel reports it.
enum ProcessMemory {
  static func resident() throws -> Int { try field("VmRSS") }

  /// Returns the most resident memory during the work above that before it.
  static func peak<Result>(during work: () async throws -> Result) async throws -> (result: Result, bytes: Int) {
    // Resets the peak. Otherwise, it is that of the whole process so far.
    try? FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs")).write(contentsOf: Data("5".utf8))
    let before = try resident()
    let result = try await work()
    return (result, try field("VmHWM") - before)
  }

  private static func field(_ name: String) throws -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    guard let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
      throw Probe.Failure(description: "Resident memory is read from /proc, which this system does not have.")
    }
    return kilobytes * 1_024
  }
}
