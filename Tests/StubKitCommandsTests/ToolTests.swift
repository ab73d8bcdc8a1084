import Foundation
import StubKitRecorder
import TestSupport
import Testing

@testable import StubKitCommands

@Suite("The command line tool", .inTurn)
struct ToolTests {
  @Test("has help for each command, for 80 columns")
  func help() {
    let all = ToolRun("--help")
    #expect(all.status == 0 && all.printed.allSatisfy { $0.count <= 80 }, "\(all)")
    for command in Tool.commands.map(\.name) {
      #expect(all.text.contains("\n  \(command) "), "\(command)")
      let run = ToolRun(command, "--help")
      #expect(run.text.hasPrefix("stubkit-har \(command) "), "\(run)")
      #expect(run.status == 0 && run.printed.allSatisfy { $0.count <= 80 }, "\(run)")
      #expect(run.warnings.isEmpty, "\(run)")
    }
  }

  @Test("without arguments ends with the status of a mistake in them")
  func noArguments() {
    // EX_USAGE
    #expect(ToolRun().status == 64)
  }

  @Test("has the version of the changelog's newest entries")
  func version() throws {
    let changes = URL(fileURLWithPath: #filePath + "/../../../CHANGELOG.md").standardizedFileURL
    #expect(try String(contentsOf: changes, encoding: .utf8).contains("\n## \(Tool.version) "))
    #expect(ToolRun("--version").text == "stubkit-har \(Tool.version)")
  }

  @Test(
    "says what is wrong with its arguments",
    arguments: [
      (["inspekt"], "There is no command \"inspekt\". The commands are inspect, redact, serve, record."),
      (["serve"], "Pass a file, or - for standard input."),
      (["serve", "a.har", "--port", "x"], "--port x is not a port"),
      (["record", "https://a.example"], "Pass an origin"),
      (["record", "https://a.example", "a.txt"], "a.txt is not the name of a .har file."),
      (["inspect"], "Pass a file, or - for standard input."), (["inspect", "-", "-"], "- appears more than once."),
      (["inspect", "a.har", "--jsno"], "There is no option --jsno."),
      (["redact", "a.har", "b.har"], "Pass one file, not 2."),
      (["redact", "a.har", "-o"], "-o needs a file after it."),
      (["redact", "a.har", "--secret", "--json-at", "x"], "--secret needs a name after it."),
      (["redact", "a.har", "--secret", ""], "--secret needs a name after it."),
      (["redact", "a.har", "--secret="], "--secret needs a name after it."),
      (["inspect", "a.har", "--json=1"], "There is no option --json=1."),
      (["redact", "a.har", "--no-standard"], "needs something else to redact"),
      (["redact", "a.har", "--identifiers", "--named"], "--named goes with neither --no-standard nor --identifiers."),
      (["redact", "a.har", "--check", "-o", "b.har"], "--check writes no file. Leave out --in-place or -o."),
      (["redact", "a.har", "--text", "("], "--text ( is not a regular expression."),
      (["redact", "a.har", "--json-at", "[[["], "\"[[[\" is not a JSON path"),
      (["redact", "a.har", "-o", "b.har", "--output", "c.har"], "appears more than once."),
      (["redact", "a.har"], "Pass -o FILE for the result, or --in-place, which writes it into a.har."),
      (["redact", "a.har", "--in-place", "-o", "b.har"], "Pass one of them."),
      (["redact", "-", "--in-place"], "--in-place needs a file, and - is standard input. Pass -o FILE."),
      (["redact", "a.har", "-o", "./a.har"], "./a.har is the file that is read. Pass --in-place in place of -o."),
    ])
  func mistakes(arguments: [String], message: String) {
    let run = ToolRun(arguments)
    #expect(run.status == 64)
    #expect(run.printed.isEmpty)
    #expect(run.warnings.count == 1)
    #expect(run.warnings.first?.contains(message) == true, "\(run.warnings)")
  }

  @Test("inspect prints a table with a waterfall")
  func inspect() throws {
    let workplace = try TestFolder(copying: "shop.har")
    let run = ToolRun("inspect", workplace.path("shop.har"))
    #expect(run.status == 0 && run.warnings.isEmpty, "\(run)")
    let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // What the fixture shop.har has.
    #expect(lines[0] == "shop.har: 11 entries of 1 host, 521 B, 1.30 s")
    #expect(lines[12].hasSuffix("300 ms              ░██"))
    #expect(lines.count == 14 && lines.allSatisfy { $0.count <= 80 })
  }

  @Test("inspect --json prints an object for each entry")
  func inspectJSON() throws {
    let workplace = try TestFolder(copying: "shop.har")
    let entries = try ToolRun("inspect", "--json", workplace.path("shop.har")).printed.map {
      try StubJSON(parsing: $0)
    }
    #expect(entries.count == 11)
    #expect(entries[2]["method"] == "POST" && entries[2]["status"] == 401 && entries[2]["entry"] == 3)
    #expect(entries[9]["contentType"] == "image/png" && entries[9]["bytes"] == 70)
    #expect(entries[0]["seconds"] == 0.12 && entries[0]["secondsToResponse"] == 0.1)
  }

  @Test("inspect --json escapes what would control a terminal, and changes no value")
  func inspectedControls() throws {
    let folder = try TestFolder()
    let text = "a\u{200E}b\u{2028}c\u{7F}\u{9B}é"
    var entry = HTTPArchive.Entry(request: request("https://a.example/"))
    entry.response = .init(headers: ["Content-Type": text])
    try HTTPArchive(entries: [entry]).write(to: folder.file("a.har"))
    let line = ToolRun("inspect", "--json", folder.path("a.har")).text
    #expect(try StubJSON(parsing: line)["contentType"] == .string(text), "\(line)")
    #expect(line.contains(#"a\u200eb\u2028c\u007f\u009bé"#), "\(line)")
  }

  @Test("takes a file whose name begins with a hyphen after --")
  func hyphen() throws {
    for arguments in [["inspect", "--", "-a.har"], ["redact", "--explain", "--in-place", "--", "--help"]] {
      let run = ToolRun(arguments)
      #expect(
        run.status == 1 && run.warnings.first?.contains("\(arguments.last!) can't be read") == true,
        "\(arguments): \(run)")
    }
    #expect(ToolRun("inspect", "-a.har").status == 64)
  }

  @Test("redact takes out what it is told to, and leaves the file that it reads")
  func redact() throws {
    let workplace = try TestFolder(copying: "shop.har")
    // Names and texts of the fixture.
    let run = ToolRun(
      "redact", workplace.path("shop.har"), "-o", workplace.path("out.har"), "--secret", "user", "--secret", "q",
      "--secret", "ETag", "--secret", "step", "--text", "Where")
    #expect(run.status == 0 && run.warnings.isEmpty, "\(run)")
    #expect(run.text.wholeMatch(of: /Redacted \d+ values in .*\/out\.har\./) != nil, "\(run.text)")
    let text = try workplace.text("out.har")
    for secret in ["ann", "q=tea", "\"step=1\"", "step=1;", "Where"] { #expect(!text.contains(secret), "\(secret)") }
    #expect(text.contains("step=REDACTED"))
    #expect(try workplace.text("shop.har").contains("q=tea"))
  }

  @Test("redact changes the file itself with --in-place, and only then")
  func redactInPlace() throws {
    let workplace = try TestFolder(copying: "shop.har")
    let words = ["redact", workplace.path("shop.har"), "--no-standard", "--text", "tea"]
    #expect(ToolRun(words).status == 64)
    #expect(try workplace.text("shop.har").contains("tea"))
    #expect(ToolRun(words + ["--in-place"]).status == 0)
    #expect(try !workplace.text("shop.har").contains("tea"))
    // Another text of the fixture.
    #expect(try workplace.text("shop.har").contains("Where to?"))
  }

  @Test("redact --explain says how much there is to redact, and changes no file")
  func redactExplaining() throws {
    let workplace = try TestFolder(copying: "shop.har")
    let before = try workplace.text("shop.har")
    let run = ToolRun("redact", workplace.path("shop.har"), "--no-standard", "--text", "tea", "--explain")
    #expect(run.status == 0 && run.text.hasSuffix(" to redact."), "\(run)")
    #expect(try workplace.text("shop.har") == before)
  }

  @Test("redact takes out what looks random, unless it is told not to, and identifiers, if it is told to")
  func random() throws {
    let workplace = try TestFolder()
    let (one, other) = ("q9Q2xT7vB8nL4pR6" + "sW1zE5mH", "k7Rw2xQ9Zt4Vb8Nm" + "FuIKXeyb")
    try workplace.write(
      #"""
      {"log": {"version": "1.2", "entries": [{
        "request": {"method": "POST", "url": "http://a.example/", "postData": {
          "mimeType": "application/json", "text": "{\"upload\": \"\#(one)\", \"cursor\": \"\#(other)\"}"}},
        "response": {"status": 200}}]}}
      """#, to: "random.har")
    for (options, count) in [(["--named"], 2), ([], 1), (["--identifiers"], 0)] {
      let run = ToolRun(
        ["redact", workplace.path("random.har"), "-o", workplace.path("out.har"), "--replace"] + options)
      let text = try workplace.text("out.har")
      #expect(run.status == 0 && [one, other].count(where: text.contains) == count, "\(options): \(run)")
    }
  }

  @Test("redact checks a file with --check, whose status says whether anything would be replaced")
  func check() throws {
    let workplace = try TestFolder(copying: "shop.har")
    let (file, out, before) = (workplace.path("shop.har"), workplace.path("out.har"), try workplace.text("shop.har"))
    let secret = ["--secret", "q"]
    #expect(ToolRun(["redact", file, "--check"] + secret).status == 1)
    #expect(try workplace.text("shop.har") == before)
    #expect(ToolRun(["redact", file, "-o", out] + secret).status == 0)
    let run = ToolRun(["redact", out, "--check"] + secret)
    #expect(run.status == 0 && run.text.contains("has 0 values to redact."), "\(run)")
  }

  @Test("redact takes - for standard input, and prints the result, or writes it with -o")
  func standardInput() throws {
    let workplace = try TestFolder(copying: "shop.har")
    let input = try Data(contentsOf: workplace.file("shop.har"))
    let printing = ToolRun(["redact", "-", "--no-standard", "--text", "tea"], input: input)
    #expect(printing.status == 0)
    #expect(printing.warnings.first?.hasSuffix("in standard input.") == true, "\(printing.warnings)")
    #expect(try HTTPArchive(Data(printing.text.utf8)).entries.count == 11)
    #expect(!printing.text.contains("q=tea"))
    #expect(ToolRun(["redact", "-", "-o", workplace.path("out.har")], input: input).status == 0)
    #expect(workplace.names == ["out.har", "shop.har"])
  }

  @Test("fails if standard input is no archive", arguments: ["inspect", "redact"])
  func wrongInput(command: String) {
    #expect(ToolRun([command, "-"], input: Data("{".utf8)).status > 0)
  }

  @Test("inspect prints a symbol in place of a character that controls a terminal")
  func controls() {
    let text = #"""
      {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [{
        "startedDateTime": "\u001b[2J", "request": {"method": "G\u001b[31mT", "url": "http://a.example/\u202Egnp"},
        "response": {"status": 0, "_error": "no\u0007\u009b"}}]}}
      """#
    let run = ToolRun(["inspect", "-"], input: Data(text.utf8))
    let controls = (run.text + run.warnings.joined()).unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.properties.generalCategory == .control || scalar == "\u{202E}")
    }
    #expect(controls.isEmpty)
    let symbolForEscape = "\u{241B}"
    #expect(run.text.contains(symbolForEscape))
  }

  @Test(
    "redact --explain prints a symbol in place of a control character in a key",
    arguments: [["-o", "-"], ["--in-place"]])
  func controlsInKeys(output: [String]) throws {
    let workplace = try TestFolder()
    try workplace.write(
      #"""
      {"log": {"version": "1.2", "entries": [{
        "request": {"method": "POST", "url": "http://a.example/", "postData": {
          "mimeType": "application/json", "text": "{\"a\\u001b[31m_password\": \"s3cret-9Zk2\"}"}},
        "response": {"status": 200}}]}}
      """#, to: "a.har")
    let run = ToolRun(["redact", workplace.path("a.har"), "--explain"] + output)
    #expect(run.status == 0)
    // With "-o -", the text is the archive.
    let lines = run.warnings.joined(separator: "\n") + (output == ["--in-place"] ? run.text : "")
    #expect(lines.contains("\u{241B}[31m_password") && !lines.contains("\u{1B}"), "\(run)")
  }

  private static let readers = [["inspect"], ["redact", "--in-place"]]

  @Test("says that a file doesn't exist", arguments: readers)
  func missingFile(command: [String]) throws {
    let workplace = try TestFolder()
    let run = ToolRun(command + [workplace.path("none.har")])
    #expect(run.status == 1)
    #expect(run.warnings == ["\(workplace.path("none.har")) can't be read: No such file or directory."])
  }

  @Test("names a file that is no archive", arguments: readers)
  func wrongFile(command: [String]) throws {
    let workplace = try TestFolder()
    try workplace.write("{}", to: "no.har")
    let run = ToolRun(command + [workplace.path("no.har")])
    #expect(run.status == 1)
    #expect(run.warnings.map { $0.contains("no.har") } == [true], "\(run)")
  }

  @Test("says in a sentence that a file is a folder", arguments: readers)
  func folderAsFile(command: [String]) throws {
    let workplace = try TestFolder()
    let run = ToolRun(command + [workplace.url.path])
    #expect(run.status == 1 && run.warnings.count == 1, "\(run)")
    #expect(run.warnings[0].hasPrefix("\(workplace.url.path) can't be read: ") && run.warnings[0].hasSuffix("."))
    #expect(!run.warnings[0].contains("Error Domain"))
  }

  @Test("says that the disk is full", arguments: readers)
  func fullDisk(command: [String]) throws {
    let workplace = try TestFolder(copying: "shop.har")
    let run = ToolRun(command + [workplace.path("shop.har")], isFull: true)
    #expect(run.status == 1)
    #expect(run.warnings == ["The output can't be written: No space left on device."])
  }

  @Test("redact names what it can't search")
  func redactNotes() throws {
    let workplace = try TestFolder()
    // The request body is compressed with gzip.
    let text = #"""
      {"log": {"version": "1.2", "entries": [{
        "request": {"method": "POST", "url": "http://a.example/",
          "postData": {"text": "H4sIAAAAAAACA6tWKkgsLi7PL0pRslJQKjZOLkot0bXUNcpWqgUA/cBG8hsAAAA=", "encoding": "base64"}},
        "response": {"status": 200, "content": {"mimeType": "application/json", "_file": "body.json"}}}]}}
      """#
    try workplace.write(text, to: "a.har")
    try workplace.write(#"{"password": "s3cret-9Zk2"}"#, to: "body.json")
    let run = ToolRun("redact", workplace.path("a.har"), "--in-place")
    let named = "not searched, because compressed: the request body of entry 1."
    #expect(run.status == 0)
    #expect(run.text == "Redacted 1 value in \(workplace.path("a.har")); \(named)")
    #expect(
      run.warnings.count == 1 && run.warnings[0].contains("body.json still has what was replaced: remove it."), "\(run)"
    )
    #expect(workplace.names == ["a.har", "body.json"])
  }

  @Test("redact overwrites another file only with --replace")
  func redactOutput() throws {
    let workplace = try TestFolder(copying: "shop.har")
    let other = workplace.file("other.har")
    try Data("mine".utf8).write(to: other)
    let refused = ToolRun("redact", workplace.path("shop.har"), "-o", other.path)
    #expect(refused.status == 64 && refused.warnings.first?.contains("other.har exists. Choose another name") == true)
    #expect(try workplace.text("other.har") == "mine")
    #expect(ToolRun("redact", workplace.path("shop.har"), "-o", other.path, "--replace").status == 0)
    #expect(try HTTPArchive(contentsOf: other).entries.count == 11)
  }

  /// An archive, and a symbolic link to it.
  private static func linkedArchive(in workplace: TestFolder) throws -> (file: String, link: String) {
    let link = workplace.file("link.har")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: workplace.file("shop.har"))
    return (workplace.path("shop.har"), link.path)
  }

  @Test("redact refuses to write to the file that it reads, by whatever name")
  func redactSameFile() throws {
    let workplace = try TestFolder(copying: "shop.har")
    let (file, link) = try Self.linkedArchive(in: workplace)
    for (input, output) in [(file, file), (link, file), (file, link)] {
      let same = ToolRun("redact", input, "-o", output, "--replace")
      #expect(same.status == 64 && same.warnings.first?.contains("is the file that is read") == true, "\(same)")
    }
  }

  @Test("redact keeps the permissions of the file that it replaces, also through a link", arguments: [0o600, 0o640])
  func redactPermissions(mode: Int) throws {
    let workplace = try TestFolder(copying: "shop.har")
    let (file, link) = try Self.linkedArchive(in: workplace)
    for input in [file, link] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      #expect(ToolRun("redact", input, "--in-place").status == 0, "\(input)")
      let kept = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(kept == mode, "\(input)")
    }
  }

  @Test("redact gives a new file the permissions of the file that it reads", arguments: [0o600, 0o640])
  func redactNewFile(mode: Int) throws {
    let workplace = try TestFolder(copying: "shop.har")
    let (file, out) = (workplace.path("shop.har"), workplace.path("out.har"))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    #expect(ToolRun("redact", file, "-o", out).status == 0)
    let new = try FileManager.default.attributesOfItem(atPath: out)[.posixPermissions] as? Int
    #expect(new == mode)
  }

  @Test("redact changes nothing but secrets")
  func redactEdits() throws {
    let workplace = try TestFolder(copying: "foreign.har")
    let (file, foreign) = (workplace.file("foreign.har"), try workplace.text("foreign.har"))
    // Of its lines, only the summary and the last one are about no single value.
    let run = ToolRun("redact", file.path, "--in-place", "--explain")
    #expect(
      run.status == 0 && run.printed.last == "Redacted \(run.printed.count - 2) values in \(file.path).",
      "\(run)")
    // The numbers and the order of members, too.
    let redacted = try workplace.text("foreign.har")
    #expect(
      redacted.replacing(#","_redacted": ["REDACTED"]"#, with: "")
        == foreign.replacingOccurrences(of: "SECRET", with: "REDACTED"))
  }
}
