extension ArchiveSuite {
  /// Measures a large download, with and without a recording.
  func measureRecording() throws {
    // A recording keeps at most 64 MB of a body.
    let megabytes = min(effort.megabytes, 60)
    var peaks: [Double] = []
    for isRecorded in [false, true] {
      let name = isRecorded ? "recorded" : "not recorded"
      Terminal.progress("archives: a download, \(name)")
      let probe = Probe.recording(RecordingProbe(isRecorded: isRecorded, megabytes: megabytes))
      let findings = try (0..<effort.processes).map { _ in try probe.findings() }
      let rows = [("", "megabytes", "MB"), ("", "milliseconds", "ms"), (", until it is written", "written", "MB")]
      for (suffix, key, unit) in rows where isRecorded || key != "written" {
        report.add(
          Suite.archives.rawValue, "a download of \(megabytes) MB\(suffix)", name, stubs: 0, unit: unit,
          findings.map { $0[key] ?? .nan })
      }
      peaks.append(Statistics.median(findings.map { $0["megabytes"] ?? .nan }))
    }
    report.measured("recording-download", (peaks[1] - peaks[0]) / Double(megabytes))
  }
}
