import Foundation
import StubKitRecorder
import TestSupport
import Testing

@testable import StubKitTool

@Suite("The command line tool", .inTurn)
struct ToolTests {
  @Test("has help for itself and for each command, laid out for 80 columns")
  func help() {
    #expect(ToolRun("--help").status == 0)
    #expect(ToolRun().status == 64)
    for run in [ToolRun("--help")] + Tool.commands.map({ ToolRun($0.name, "--help") }) {
      #expect(run.status == 0 && run.warnings.isEmpty)
      #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
    for command in Tool.commands {
      #expect(ToolRun("--help").text.contains(command.usage))
      #expect(ToolRun(command.name, "--help").text.contains(command.usage))
    }
  }

  @Test(
    "says what is wrong with its arguments, with status 64",
    arguments: [
      (["inspekt"], "There is no command \"inspekt\". The commands are inspect, validate, redact, swift, prune."),
      (["inspect"], "Pass a file."),
      (["inspect", "a.har", "--jsno"], "There is no option --jsno."),
      (["swift", "a.har", "b.har"], "Pass one file, not 2."),
      (["swift", "a.har", "-o"], "-o needs a folder after it."),
      (["redact", "a.har", "--header", "--json-field", "x"], "--header needs a name after it."),
      (["redact", "a.har", "--no-standard"], "needs something else to redact"),
      (["redact", "a.har", "--text", "("], "--text ( is not a regular expression."),
      (["redact", "a.har", "--json-at", "[[["], "The JSON path \"[[[\" has a [ without a ]"),
      (["redact", "a.har", "--json-at", "/a~"], "The JSON Pointer \"/a~\" has an invalid ~"),
      (["prune", "a.har"], "Choose what to remove: pass --unused REPORT or --older-than DAYS."),
      (["prune", "a.har", "--older-than", "old"], "--older-than old is not a number of days."),
      (["redact", "a.har", "-o", "b.har", "--output", "c.har"], "appears more than once."),
    ])
  func mistakes(arguments: [String], message: String) {
    let run = ToolRun(arguments)
    #expect(run.status == 64)
    #expect(run.printed.isEmpty)
    #expect(run.warnings.count == 1 && run.warnings[0].contains(message))
  }

  @Test("ends with status 1, and a sentence, on a file that can't be read", arguments: ["inspect", "redact", "swift"])
  func unreadable(command: String) throws {
    let workplace = try Workplace()
    let missing = ToolRun(command, workplace.path("none.har"))
    #expect(missing.status == 1 && missing.warnings.count == 1)
    #expect(missing.warnings[0].contains("none.har"))
    try Data("{}".utf8).write(to: workplace.folder.appendingPathComponent("no.har"))
    let wrong = ToolRun(command, workplace.path("no.har"))
    #expect(wrong.status == 1 && wrong.warnings.count == 1)
    #expect(wrong.warnings[0].contains("no.har"))
  }

  @Test("inspect prints a table with a waterfall")
  func inspect() throws {
    let workplace = try Workplace("shop.har")
    let run = ToolRun("inspect", workplace.path("shop.har"))
    #expect(run.status == 0 && run.warnings.isEmpty)
    let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines[0] == "shop.har: 11 entries of 1 host, 521 B, 1.30 s")
    #expect(lines[2].hasPrefix(" #  method   status  https://sho…xample.com"))
    #expect(lines[3].hasPrefix(" 1  GET      200     /articles?page=1"))
    #expect(lines[12].hasSuffix("300 ms              ░██"))
    #expect(lines.count == 14 && lines.allSatisfy { $0.count <= 80 })
  }

  @Test("inspect --json prints an object for each entry")
  func inspectJSON() throws {
    let workplace = try Workplace("shop.har")
    let entries = try ToolRun("inspect", "--json", workplace.path("shop.har")).printed.map {
      try JSONValue(parsing: $0)
    }
    #expect(entries.count == 11)
    #expect(entries[2]["method"] == "POST" && entries[2]["status"] == 401 && entries[2]["entry"] == 3)
    #expect(entries[9]["contentType"] == "image/png" && entries[9]["bytes"] == 70)
    #expect(entries[0]["seconds"] == 0.12 && entries[0]["secondsToResponse"] == 0.1)
  }

  @Test("validate tells a HAR from what is none, by its status too")
  func validate() throws {
    let workplace = try Workplace("shop.har")
    let valid = ToolRun("validate", workplace.path("shop.har"))
    #expect(valid.status == 0)
    #expect(valid.printed == ["shop.har is valid HAR 1.2."])
    let text = try workplace.text("shop.har").replacing("\"method\": \"GET\",", with: "")
    try Data(text.utf8).write(to: workplace.folder.appendingPathComponent("broken.har"))
    let broken = ToolRun("validate", workplace.path("broken.har"), workplace.path("shop.har"))
    #expect(broken.status == 1)
    #expect(broken.printed.count > 7)
    #expect(broken.printed[0].contains("broken.har, entry 1, line ") && broken.printed[0].contains("method"))
    let json = ToolRun("validate", "--json", workplace.path("broken.har")).printed
    #expect(try JSONValue(parsing: json[0])["entry"] == 1)
  }

  @Test("redact takes out what it is told to, and says how much")
  func redact() throws {
    let workplace = try Workplace("shop.har")
    let run = ToolRun(
      "redact", workplace.path("shop.har"), "-o", workplace.path("out.har"), "--json-field", "user", "--query-item",
      "q",
      "--header", "ETag", "--cookie", "step", "--text", "Where")
    #expect(run.status == 0 && run.warnings.isEmpty)
    let text = try workplace.text("out.har")
    for secret in ["ann", "q=tea", "\"step=1\"", "step=1;", "Where"] { #expect(!text.contains(secret)) }
    #expect(text.contains("step=1999900"))
    #expect(run.printed.count == 1 && run.printed[0].hasSuffix(" values in \(workplace.path("out.har"))."))
    #expect(try workplace.text("shop.har").contains("q=tea"))
    // Without -o the file itself.
    #expect(ToolRun("redact", workplace.path("shop.har"), "--no-standard", "--text", "tea").status == 0)
    #expect(try !workplace.text("shop.har").contains("tea"))
    #expect(try workplace.text("shop.har").contains("Where to?"))
  }

  @Test("swift writes stubs, a test and fixtures, and no file that is there already")
  func swift() throws {
    let workplace = try Workplace("shop.har")
    let run = ToolRun("swift", workplace.path("shop.har"), "-o", workplace.path("Made"))
    #expect(run.status == 0 && run.warnings.isEmpty)
    #expect(run.printed == ["Wrote \(workplace.path("Made/ShopTests.swift")), and 2 fixtures."])
    let text = try workplace.text("Made/ShopTests.swift")
    #expect(text.contains("func stubShop() {"))
    #expect(text.contains("      && hasJSONBody([\"article\": 2]),\n"))
    #expect(FileManager.default.fileExists(atPath: workplace.path("Made/Fixtures/shop-10.png")))
    let again = ToolRun("swift", workplace.path("shop.har"), "-o", workplace.path("Made"))
    #expect(again.status == 64 && again.warnings[0].contains("already exists"))
  }

  /// A report of runs that played a workplace's archive.
  private func report(_ workplace: Workplace, _ runs: (unused: [Int], entries: Int, complete: Bool)...) throws -> String
  {
    let encoder = JSONEncoder()
    let lines = try runs.map { run in
      String(
        decoding: try encoder.encode(
          UnusedEntries(
            recording: workplace.path("shop.har"), entries: run.entries, unused: run.unused, complete: run.complete)),
        as: UTF8.self)
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: workplace.folder.appendingPathComponent("unused"))
    return workplace.path("unused")
  }

  @Test("prune removes what no run asked for")
  func prune() throws {
    let workplace = try Workplace("shop.har")
    let unused = try report(workplace, ([2, 3, 11], 11, true), ([3, 5, 11], 11, true))
    let dry = ToolRun("prune", workplace.path("shop.har"), "--unused", unused, "--dry-run")
    #expect(dry.printed == ["shop.har would lose 2 of its 11 entries: 3, 11."])
    #expect(ToolRun("inspect", "--json", workplace.path("shop.har")).printed.count == 11)
    let run = ToolRun("prune", workplace.path("shop.har"), "--unused", unused)
    #expect(run.status == 0 && run.warnings.isEmpty)
    #expect(run.printed == ["shop.har loses 2 of its 11 entries: 3, 11."])
    let left = try HTTPArchive(contentsOf: workplace.folder.appendingPathComponent("shop.har"))
    #expect(left.entries.count == 9)
    #expect(!left.entries.contains { $0.request.url?.path == "/login" || $0.request.url?.path == "/search" })
  }

  @Test("prune keeps the entries of an archive about which the report does not know enough")
  func pruneInDoubt() throws {
    let workplace = try Workplace("shop.har")
    for (runs, warning) in [
      (([1], 11, false), "a test that played it failed"), (([1], 10, true), "it has changed since"),
    ] {
      let run = ToolRun("prune", workplace.path("shop.har"), "--unused", try report(workplace, runs))
      #expect(run.printed == ["shop.har keeps all of its 11 entries."])
      #expect(run.warnings.count == 1 && run.warnings[0].contains(warning))
    }
    let other = ToolRun("prune", workplace.path("shop.har"), "--unused", try report(workplace))
    #expect(other.warnings.count == 1 && other.warnings[0].contains("is not in the report"))
  }

  @Test("prune removes old entries, and a file that has no others")
  func pruneOld() throws {
    let workplace = try Workplace("shop.har")
    let young = ToolRun("prune", workplace.path("shop.har"), "--older-than", "100000")
    #expect(young.printed == ["shop.har keeps all of its 11 entries."])
    let file = workplace.folder.appendingPathComponent("shop.har")
    var archive = try HTTPArchive(contentsOf: file)
    archive.entries[3].startedAt = Date()
    try archive.write(to: file)
    let old = ToolRun("prune", file.path, "--older-than", "0.5")
    #expect(old.printed == ["shop.har loses 10 of its 11 entries: 1, 2, 3, 5, 6, 7, 8, 9, 10, 11."])
    #expect(try HTTPArchive(contentsOf: file).entries.count == 1)
    let all = ToolRun("prune", file.path, "--older-than", "0")
    #expect(all.printed.last == "shop.har had no other entries and was removed.")
    #expect(workplace.names.isEmpty)
  }
}
