// Draws the pictures of the guides that show a rule, and not a run: swift Documentation/Pictures/draw.swift
//
// They are 480 units wide, so that their labels have 14 pixels or more on a phone of 390.
import Foundation

/// A picture, from top to bottom.
struct Picture {
  static let width = 480
  let title: String
  var elements: [String] = []
  var height = 16

  init(_ title: String) { self.title = title }

  func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  mutating func text(_ text: String, x: Int, y: Int, _ style: String = "") {
    elements.append("<text x=\"\(x)\" y=\"\(y)\" class=\"\(style)\">\(escaped(text))</text>")
  }

  mutating func box(x: Int, y: Int, width: Int, height: Int, _ style: String) {
    elements.append(
      "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"6\" class=\"\(style)\"/>")
  }

  mutating func line(_ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int, _ style: String) {
    elements.append("<path d=\"M\(x1) \(y1)L\(x2) \(y2)\" class=\"\(style)\"/>")
  }

  func write(_ name: String) throws {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(height)" viewBox="0 0 \(Self.width) \(height)" role="img" aria-label="\(title)">
      <title>\(title)</title>
      <style>
      svg { font: 18px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
      .page { fill: #ffffff; stroke: #d1d9e0; }
      .code { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: 17px; }
      .note { fill: #59636e; }
      .strong { font-weight: 600; }
      .box { fill: #f6f8fa; stroke: #818b98; }
      .own { fill: #ddf4ff; stroke: #0969da; }
      .end { fill: #ffebe9; stroke: #cf222e; }
      .way { fill: none; stroke: #59636e; stroke-width: 1.5; marker-end: url(#tip); }
      .axis { fill: none; stroke: #818b98; stroke-width: 1.5; }
      .skip { fill: none; stroke: #818b98; stroke-width: 1.5; stroke-dasharray: 3 5; }
      .tip { fill: #59636e; }
      @media (prefers-color-scheme: dark) {
        svg { fill: #f0f6fc; }
        .page { fill: #0d1117; stroke: #3d444d; }
        .note { fill: #9198a1; }
        .box { fill: #151b23; stroke: #656c76; }
        .own { fill: #0c2d6b; stroke: #4493f8; }
        .end { fill: #3c1618; stroke: #f85149; }
        .way { stroke: #9198a1; } .tip { fill: #9198a1; } .axis, .skip { stroke: #656c76; }
      }
      </style>
      <defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L10 5L0 10z"/></marker></defs>
      <rect x="0.5" y="0.5" width="\(Self.width - 1)" height="\(height - 1)" rx="8" class="page"/>
      \(elements.joined(separator: "\n"))
      </svg>

      """
    try Data(svg.utf8).write(to: URL(fileURLWithPath: "Sources/StubKit/StubKit.docc/\(name).svg"))
  }
}

/// The rules by which a registry is chosen, asked from top to bottom.
func registries() throws {
  var picture = Picture("Which registry answers a request")
  let rules: [(question: [String], answer: [String], style: String)] = [
    (["Is one installed in", "the session?"], ["that one"], "own"),
    (
      ["Does a scope's code make", "the request, or a callback", "of its requests?"], ["the registry", "of the scope"],
      "own"
    ),
    (["Was the session created", "in a scope that is open?"], ["the registry", "of that scope"], "own"),
    (["Is the global registry", "enabled?"], ["global"], "own"),
    (["Is a single scope open?"], ["its registry"], "own"),
    (["Are several open?"], ["none: the", "request fails"], "end"),
    (["Was one open earlier?"], ["the policy", ".unscoped"], "box"),
    (["Nothing of StubKit runs"], ["the network"], "box"),
  ]
  var y = 16
  for (index, rule) in rules.enumerated() {
    let height = 24 * max(rule.question.count, rule.answer.count) + 20
    picture.box(x: 16, y: y, width: 256, height: height, "box")
    for (line, text) in rule.question.enumerated() {
      picture.text(text, x: 30, y: y + 28 + 24 * line)
    }
    let isLast = index == rules.count - 1
    picture.line(274, y + height / 2, 312, y + height / 2, "way")
    if !isLast { picture.text("yes", x: 277, y: y + height / 2 - 6, "note") }
    picture.box(x: 314, y: y, width: 150, height: height, rule.style)
    for (line, text) in rule.answer.enumerated() {
      picture.text(text, x: 324, y: y + 28 + 24 * line, "strong")
    }
    y += height
    if !isLast {
      picture.line(60, y + 1, 60, y + 29, "way")
      picture.text("no", x: 70, y: y + 21, "note")
      y += 30
    }
  }
  picture.height = y + 16
  try picture.write("registries")
}

/// A response with a delay of two seconds on each clock, on one axis of real time.
func clocks() throws {
  var picture = Picture("A response that is delayed by two seconds, on the three clocks")
  picture.text("Real time", x: 16, y: 34, "strong")
  for second in 0...2 {
    picture.text("\(second) s", x: 150 + 140 * second, y: 34, "note")
  }
  func row(_ name: String, _ y: Int) {
    picture.text(name, x: 16, y: y + 6, "code")
    picture.line(158, y, 464, y, "axis")
  }
  func event(_ text: String, x: Int, y: Int, _ style: String) {
    let width = text.count * 10 + 14
    picture.box(x: x, y: y - 16, width: width, height: 32, style)
    picture.text(text, x: x + 8, y: y + 6)
  }
  row(".real", 80)
  event("request", x: 158, y: 80, "box")
  event("answer", x: 390, y: 80, "own")
  row(".immediate", 140)
  event("request", x: 158, y: 140, "box")
  event("answer", x: 246, y: 140, "own")
  row("ManualClock", 200)
  event("request", x: 158, y: 200, "box")
  event("advance", x: 246, y: 200, "box")
  event("answer", x: 334, y: 200, "own")
  picture.text("A manual clock stands still until the test calls", x: 16, y: 250, "note")
  picture.text("advance(by: .seconds(2)), which takes no time.", x: 16, y: 274, "note")
  picture.height = 294
  try picture.write("clocks")
}

/// Where the answer comes from in each mode of a recording, and what becomes of the file.
func modes() throws {
  var picture = Picture("The modes of a recording")
  let columns = [16, 168, 312]
  for (x, text) in zip(columns, ["Mode", "Answers", "The file"]) { picture.text(text, x: x, y: 38, "strong") }
  let rows: [(mode: String, source: String, style: String, file: String)] = [
    ("replay", "from the file", "own", "is read"),
    ("once", "from the file", "own", "is made once"),
    ("newEpisodes", "from both", "own", "grows"),
    ("all", "the service", "box", "is replaced"),
    ("live", "the service", "box", "isn't touched"),
    ("check", "the service", "box", "is compared"),
  ]
  for (index, row) in rows.enumerated() {
    let y = 60 + 44 * index
    picture.text(row.mode, x: columns[0], y: y + 22, "code")
    picture.box(x: columns[1] - 8, y: y, width: 136, height: 34, row.style)
    picture.text(row.source, x: columns[1], y: y + 23)
    picture.text(row.file, x: columns[2], y: y + 22)
  }
  picture.height = 60 + 44 * rows.count + 8
  try picture.write("modes")
}

try registries()
try clocks()
try modes()
