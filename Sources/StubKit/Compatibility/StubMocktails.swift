import Foundation

/// Registers the stub that a Mocktail file describes.
///
/// ```swift
/// try stubMocktail(filePath: "Fixtures/login.tail")
/// ```
///
/// A Mocktail file is the format of OHHTTPStubs' extension of that name:
///
/// ```
/// GET|POST
/// .*/users
/// 200
/// application/json
/// Cache-Control: no-store
///
/// [{"name": "Ann"}]
/// ```
///
/// Line 1 is a regular expression for the method and line 2 one for the URL. Both are found anywhere, and without case; a line 1 that
/// lists methods matches these. Line 3 is the status. From line 4 come a content type without a name, header fields, or both. The body
/// begins behind the first blank line. A content type that ends in `;base64` says that the body is encoded so.
///
/// The file is read now. The stub is named for it.
///
/// - Parameters:
///   - filePath: The file's path; a relative one begins at the process's current directory.
///   - registry: Where the stub is registered. Defaults to ``StubRegistry/current``.
///   - fileID: Where the call is written, for reports; leave it out, like the three that follow.
///   - callerPath: The file's path.
///   - line: The line.
///   - column: The column.
/// - Returns: The stub.
/// - Throws: ``MocktailError`` if the file can't be read, or is no Mocktail.
@discardableResult
public func stubMocktail(
  filePath: String, in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, callerPath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws -> Stub {
  let file = URL(fileURLWithPath: filePath)
  return registry.add(
    try Mocktail(contentsOf: file), named: file.lastPathComponent, at: StubLocation(fileID, callerPath, line, column))
}

/// Registers a stub for each Mocktail file in a folder, which are those that end in `.tail`.
///
/// ```swift
/// try stubMocktails(in: URL(fileURLWithPath: "Fixtures/Mocktails"))
/// ```
///
/// The files are registered in the order of their names: where several match a request, the last one answers. Folders in the folder
/// are left out. If a file is no Mocktail, no stub is registered.
///
/// - Parameters:
///   - folder: The folder.
///   - registry: Where the stubs are registered. Defaults to ``StubRegistry/current``.
///   - fileID: Where the call is written, for reports; leave it out, like the three that follow.
///   - filePath: The file's path.
///   - line: The line.
///   - column: The column.
/// - Returns: The stubs, in the order of the files' names.
/// - Throws: ``MocktailError`` if the folder has no Mocktail file, if a file can't be read, or is no Mocktail.
@discardableResult
public func stubMocktails(
  in folder: URL, registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws -> [Stub] {
  let names: [String]
  do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
    throw MocktailError(
      path: folder.path, line: nil,
      problem: "is no folder that can be read. Write the path of the folder that has the files.")
  }
  let files = names.filter { $0.hasSuffix(".tail") }.sorted().map { folder.appendingPathComponent($0) }
  guard !files.isEmpty else {
    throw MocktailError(
      path: folder.path, line: nil,
      problem: "is a folder without a file that ends in .tail. Write the folder that has the files.")
  }
  let location = StubLocation(fileID, filePath, line, column)
  let mocktails = try files.map { (name: $0.lastPathComponent, mocktail: try Mocktail(contentsOf: $0)) }
  return mocktails.map { registry.add($0.mocktail, named: $0.name, at: location) }
}

/// Registers a stub for each Mocktail file in the folder at a path, as ``stubMocktails(in:registry:fileID:filePath:line:column:)-(URL,_,_,_,_,_)``
/// does. A relative path begins at the process's current directory.
@discardableResult
public func stubMocktails(
  in folder: String, registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws -> [Stub] {
  try stubMocktails(
    in: URL(fileURLWithPath: folder), registry: registry, fileID: fileID, filePath: filePath, line: line, column: column
  )
}

extension Mocktail {
  fileprivate init(contentsOf file: URL) throws(MocktailError) {
    let data: Data
    do { data = try RegularFile(file).readToEnd() } catch {
      throw MocktailError(path: file.path, line: nil, problem: Self.sentence(on: error))
    }
    try self.init(data, path: file.path)
  }

  private static func sentence(on problem: RegularFile.Problem) -> String {
    switch problem {
    case .missing: "is not there. Write the file's whole path; a relative one begins at the current directory."
    case .isDirectory: "is a folder. Write stubMocktails(in:) for all files in it."
    case .isNotRegular(let kind): "is \(kind) and not a regular file. Write the path of a file that ends in .tail."
    case .becameShorter: "became shorter while it was read. Write to it when no test is running."
    case .isUnreadable(let reason): "can't be read: \(reason). Make sure that whoever runs the tests can read it."
    }
  }
}

extension StubRegistry {
  fileprivate func add(_ mocktail: Mocktail, named name: String, at location: StubLocation) -> Stub {
    add(mocktail.condition, .value(mocktail.response), StubTerms(name, nil, 0, location))
  }
}
