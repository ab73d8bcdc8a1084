import Foundation

/// A run as it is stored in a file.
struct ReportFile: Codable {
  let machine: Machine
  let results: [Report.Result]
  let ratios: [Report.Ratio]

  init(_ report: Report, on machine: Machine) {
    self.machine = machine
    results = report.results
    ratios = report.ratios.map { promise, value in
      Report.Ratio(name: promise.name, value: value, limit: promise.limit, bound: promise.bound)
    }
  }

  init(contentsOf path: String) throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    self = try decoder.decode(ReportFile.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
  }
}
