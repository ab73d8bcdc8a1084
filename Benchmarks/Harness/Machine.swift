import Foundation

/// The machine that the numbers were measured on.
struct Machine: Encodable {
  var cpu = Self.cpuModel
  var cores = ProcessInfo.processInfo.activeProcessorCount
  var os = ProcessInfo.processInfo.operatingSystemVersionString
  var swift = Self.swiftVersion
  var configuration = Self.isOptimised ? "release" : "debug"
  let isQuick: Bool

  /// The description in two lines.
  var lines: [String] {
    ["\(cpu), \(cores) cores, \(os)", "Swift \(swift), \(configuration)\(isQuick ? ", quick" : "")"]
  }

  #if DEBUG
    static let isOptimised = false
  #else
    static let isOptimised = true
  #endif

  private static var cpuModel: String {
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
    let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    let name = model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown CPU"
    // The line below the chart fits a phone.
    return ["(R)", "(TM)", " Processor"].reduce(name) { $0.replacing($1, with: "") }
  }

  /// The version of the compiler that built this, because a program can't ask for more.
  private static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
