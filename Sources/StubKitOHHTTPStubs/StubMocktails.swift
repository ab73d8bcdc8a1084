import Foundation
import StubKit

/// Registers the stub that a Mocktail file describes.
///
/// ```swift
/// try stubMocktail(filePath: "Fixtures/login.tail")
/// ```
///
/// A Mocktail file has the format of OHHTTPStubs' extension of that name:
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
/// The first line is a regular expression for the method, and the second one is a regular expression for the URL.
/// Both match anywhere and ignore case. A first line that lists methods matches exactly these. The third line is the
/// status. The following lines contain a content type without a name, header fields, or both. The body begins after
/// the first blank line. It is in base64 if the content type ends in `;base64`.
///
/// StubKit reads the file now, and names the stub after it.
///
/// - Parameters:
///   - filePath: The path of the file. A relative path starts at the current directory of the process.
///   - registry: The registry to register the stub in. Defaults to `StubRegistry.current`.
///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
///   - callerPath: The path of the source file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: The stub.
/// - Throws: ``MocktailError`` if the file can't be read, or is not a Mocktail.
@discardableResult
public func stubMocktail(
  filePath: String, in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, callerPath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws -> Stub {
  let file = URL(fileURLWithPath: filePath)
  let mocktail = try Mocktail(contentsOf: file)
  return registry.add(
    mocktail.condition, .value(mocktail.response), name: file.lastPathComponent,
    at: StubLocation(fileID, callerPath, line, column))
}

/// Registers a stub for each Mocktail file in a folder. Their names end in `.tail`.
///
/// ```swift
/// try stubMocktails(in: URL(fileURLWithPath: "Fixtures/Mocktails"))
/// ```
///
/// The files are registered in the order of their names. If several of them match a request, the last one answers.
/// Subfolders are ignored. If a file is not a Mocktail, no stub is registered.
///
/// - Parameters:
///   - folder: The folder.
///   - registry: The registry to register the stubs in. Defaults to `StubRegistry.current`.
///   - fileID: The source file of the call, for reports. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: The stubs, in the order of the files' names.
/// - Throws: ``MocktailError`` if the folder contains no Mocktail file, if a file can't be read, or if a file is not
///   a Mocktail.
@discardableResult
public func stubMocktails(
  in folder: URL, registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws -> [Stub] {
  let names: [String]
  do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
    throw MocktailError(
      path: folder.path, line: nil,
      problem: "is not a readable folder. Write the path of the folder that contains the files.")
  }
  let files = names.filter { $0.hasSuffix(".tail") }.sorted().map { folder.appendingPathComponent($0) }
  guard !files.isEmpty else {
    throw MocktailError(
      path: folder.path, line: nil,
      problem: "is a folder without .tail files. Write the path of the folder that contains them.")
  }
  let location = StubLocation(fileID, filePath, line, column)
  let mocktails = try files.map { (name: $0.lastPathComponent, mocktail: try Mocktail(contentsOf: $0)) }
  return mocktails.map { name, mocktail in
    registry.add(mocktail.condition, .value(mocktail.response), name: name, at: location)
  }
}

/// Registers a stub for each Mocktail file in the folder at a path, like
/// ``stubMocktails(in:registry:fileID:filePath:line:column:)-(URL,_,_,_,_,_)``. A relative path starts at the current
/// directory of the process.
///
/// ```swift
/// let stubs = try stubMocktails(in: "Fixtures/Mocktails")
/// ```
///
/// The parameters are the same.
///
/// - Throws: ``MocktailError``, as for a URL.
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
      let isFolder = error == .isDirectory
      throw MocktailError(
        path: file.path, line: nil,
        problem: isFolder ? "is a folder. Write stubMocktails(in:) for all files in it." : error.description)
    }
    try self.init(data, path: file.path)
  }
}
