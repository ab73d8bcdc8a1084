import Foundation
import StubKitRecorder

/// The input and the output of a tool.
struct Console {
  /// Writes bytes to standard output, or throws the error of the file system.
  let write: @Sendable (Data) throws -> Void
  /// Writes lines to standard error, without control characters.
  let warn: @Sendable (String) -> Void
  /// Reads all of standard input.
  let read: @Sendable () throws -> Data
  /// The number of columns of the terminal.
  let width: Int

  init(
    write: @escaping @Sendable (Data) throws -> Void, warn: @escaping @Sendable (String) -> Void,
    read: @escaping @Sendable () throws -> Data = { try FileHandle.standardInput.readToEnd() ?? Data() },
    width: Int = 80
  ) {
    self.write = write
    self.warn = { warn($0.components(separatedBy: "\n").map(\.withoutControls).lines) }
    self.read = read
    self.width = width
  }

  static let standard = Console(
    write: { try FileHandle.standardOutput.write(contentsOf: $0) },
    warn: { FileHandle.standardError.write(Data(($0 + "\n").utf8)) },
    width: Self.columns)

  /// Writes a line without control characters, which could change the terminal.
  func print(_ line: String) throws { try print(raw: Data((line.withoutControls + "\n").utf8)) }

  /// Writes a text of several lines.
  func print(lines text: String) throws { for line in text.components(separatedBy: "\n") { try print(line) } }

  /// Writes bytes as they are.
  func print(raw bytes: Data) throws {
    do { try write(bytes) } catch {
      throw FileProblem("The output can't be written: \(error.sentence)")
    }
  }

  private static var columns: Int {
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
      return columns
    }
    var size = winsize()
    return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}

extension String {
  /// The text without characters that control a terminal or the direction of text. A visible one takes the place of
  /// each.
  var withoutControls: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          guard scalar.isControl else { return scalar }
          // Unicode has a picture for each control character of ASCII.
          if scalar == "\u{7F}" { return "\u{2421}" }
          return scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}" : "\u{FFFD}"
        }))
  }
}

extension String {
  /// JSON without characters that control a terminal or the direction of text. They can only stand in its strings,
  /// which stay the same.
  var withEscapedControls: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl {
        text += "\\u" + String(0x10000 + scalar.value, radix: 16).dropFirst()
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
