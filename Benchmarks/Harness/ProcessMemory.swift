import Foundation

/// The memory of this process in bytes, as the kernel reports it.
enum ProcessMemory {
  /// The resident memory now, or `nil` if there is no `/proc`.
  static var resident: Int? { field("VmRSS") }

  /// The peak of resident memory since `resetPeak()`.
  static var peak: Int? { field("VmHWM") }

  /// Resets the peak. Otherwise, the peak is that of the whole process so far.
  static func resetPeak() {
    try? FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs")).write(contentsOf: Data("5".utf8))
  }

  private static func field(_ name: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") }),
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
    else { return nil }
    return kilobytes * 1_024
  }
}
