import Foundation
import StubKit
import Testing

@testable import StubKitTool

@Suite("The command line tool")
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
      (["inspekt"], "There is no command \"inspekt\". There are: inspect, swift."),
      (["inspect"], "Name a file."),
      (["inspect", "a.har", "--jsno"], "There is no option --jsno."),
      (["swift", "a.har", "b.har"], "Name one file; here are 2."),
      (["swift", "a.har", "-o"], "-o wants a folder after it."),
    ])
  func mistakes(arguments: [String], message: String) {
    let run = ToolRun(arguments)
    #expect(run.status == 64)
    #expect(run.printed.isEmpty)
    #expect(run.warnings.count == 1 && run.warnings[0].contains(message))
  }

  @Test("ends with status 1, and a sentence, on a file that can't be read", arguments: ["inspect", "swift"])
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
    #expect(again.status == 64 && again.warnings[0].contains("is there already"))
  }
}
