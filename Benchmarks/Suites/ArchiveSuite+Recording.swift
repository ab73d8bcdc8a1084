extension ArchiveSuite {
  /// A large download, as it is and while it is recorded.
  func measureRecording() throws {
    var peaks: [RecordingProbe.Way: Double] = [:]
    for way in RecordingProbe.Way.allCases {
      Terminal.progress("archives: a download, \(way.name)")
      let probe = Probe.recording(RecordingProbe(way: way, megabytes: effort.megabytes))
      let findings = try (0..<effort.processes).map { _ in try probe.findings() }
      for (key, unit) in [("megabytes", "MB"), ("milliseconds", "ms")] {
        report.add(
          Suite.archives.rawValue, "a download of \(effort.megabytes) MB", way.name, stubs: 0, unit: unit,
          findings.map { $0[key] ?? .nan })
      }
      peaks[way] = Statistics.median(findings.map { $0["megabytes"] ?? .nan })
    }
    report.measured("recording-download-mb", (peaks[.recorded] ?? .nan) - (peaks[.plain] ?? .nan))
  }
}
