import Foundation
import StubKitArchive

/// The input and the output of the tool.
struct Console: Sendable {
  /// Writes bytes to standard output, or throws the error of the file system.
  let write: @Sendable (Data) throws -> Void
  let warn: @Sendable (String) -> Void
  /// Reads all of standard input.
  var read: @Sendable () throws -> Data = { try FileHandle.standardInput.readToEnd() ?? Data() }
  /// The number of columns of the terminal.
  var width = 80

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
      throw FileProblem("The output can't be written: \(FileProblem.reason(error))")
    }
  }

  /// Prints a value in one line.
  func print(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  private static var columns: Int {
    if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
      return columns
    }
    var size = winsize()
    return ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}

/// A problem with a file, as a sentence.
struct FileProblem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }

  /// Returns what the file system says when a file is read, as the end of a sentence, or `nil` if it can be read.
  static func reading(_ file: URL) -> String? {
    let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    var byte: UInt8 = 0
    return descriptor < 0 || pread(descriptor, &byte, 1, 0) < 0 ? String(cString: strerror(errno)) + "." : nil
  }

  /// Returns what an error says, as the end of a sentence.
  static func reason(_ error: any Error) -> String {
    var error = error as NSError
    while let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { error = cause }
    let text =
      error.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(error.code))) : error.localizedDescription
    return text.hasSuffix(".") ? text : text + "."
  }
}

/// A file that a command reads, or standard input.
struct InputFile {
  /// `nil` for standard input.
  let url: URL?

  init(_ word: String) { url = word == "-" ? nil : URL(fileURLWithPath: word) }

  /// The name for messages.
  var name: String { url?.lastPathComponent ?? "standard input" }

  func read(_ console: Console) throws -> Data {
    do {
      guard let url else { return try console.read() }
      return try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw FileProblem(
        "\(url?.path ?? name) can't be read: \(url.flatMap(FileProblem.reading) ?? FileProblem.reason(error))")
    }
  }

  func document(_ console: Console) throws -> ArchiveDocument {
    let document = try ArchiveDocument(try read(console), name: name, source: url)
    for problem in document.archive.problems { console.warn(problem.description.withoutControls) }
    return document
  }
}
