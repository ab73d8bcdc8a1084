import Foundation
import StubKitFormats

/// The file of an archive, and the files with bodies beside it.
struct ArchiveFiles {
  let file: URL
  private let folder: URL
  /// The beginning of the names of the files with bodies.
  private let stem: String

  /// - Throws: An error if the place is taken by something else than a file, such as a link that leads nowhere.
  init(_ url: URL) throws {
    // A link stays a link to what is written.
    file = url.resolvingSymlinksInPath()
    folder = file.deletingLastPathComponent()
    stem = (file.pathExtension == "har" ? file.deletingPathExtension() : file).lastPathComponent + "."
    if let problem = Self.problem(with: file) {
      throw HTTPArchiveError(
        file: url.path, problem: "The archive can't be written there: \(problem)", remedy: Self.cure)
    }
  }

  private static let cure = "Choose another file."

  private static func problem(with file: URL) -> String? {
    var status = stat()
    guard lstat(file.path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: return "it is a folder."
    // What remains of a link after resolving leads nowhere, or in a circle.
    case S_IFLNK: return "it is a symbolic link that leads to no file."
    default: return "it is not a file, but a pipe, a socket or a device."
    }
  }

  // MARK: Writing

  /// Writes an archive, with long bodies in files of their own.
  func write(_ archive: HTTPArchive) throws {
    var writer = HARWriter()
    try write { transaction in
      for (index, entry) in archive.entries.enumerated() {
        guard let content = entry.response?.content, !content.isMissing, content.count > HTTPArchive.longestEmbeddedBody
        else { continue }
        let name = name(of: content, type: entry.response?.headers["Content-Type"] ?? "")
        try transaction.add(content, as: name)
        writer.bodyFiles[index] = name
      }
    } main: { handle in
      var text = HARTextWriter { try handle.write(contentsOf: $0) }
      try writer.write(archive, to: &text) { if $0.utf8.count > 1 << 20 { try $0.flushAll() } }
      try text.flushAll()
    }
  }

  /// Writes the bytes of an archive, and bodies under the names that it contains.
  func write(_ bytes: Data, bodies: [String: ArchivedBody]) throws {
    try write { transaction in
      for (name, body) in bodies.sorted(by: { $0.key < $1.key }) { try transaction.add(body, as: name) }
    } main: {
      try $0.write(contentsOf: bytes)
    }
  }

  /// - Parameters:
  ///   - bodies: Adds the files with bodies.
  ///   - main: Writes the archive itself.
  private func write(
    bodies: (inout Transaction) throws -> Void, main: (FileHandle) throws -> Void
  ) throws {
    try attempt { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    let leftovers = leftovers()
    // Bodies that no archive names any more.
    let retired = leftovers.reduce(into: bodyNames(in: file)) { $0.formUnion(bodyNames(in: $1)) }
    var transaction = try attempt { try Transaction(for: file, in: folder, stem) }
    do {
      try attempt {
        try bodies(&transaction)
        try main(transaction.main)
        try transaction.commit()
      }
    } catch {
      transaction.cancel()
      throw error
    }
    for name in retired.subtracting(transaction.names) { unlink(folder.appendingPathComponent(name).path) }
    // Only the leftovers name those bodies, so they go last: if this process dies before, the next writer finds them.
    for url in leftovers { unlink(url.path) }
    transaction.close()
  }

  /// Removes the archive and the bodies that it names. Does nothing if there is none.
  func remove() {
    for name in bodyNames(in: file) { unlink(folder.appendingPathComponent(name).path) }
    unlink(file.path)
  }

  // MARK: Names

  /// Returns the names of the files with bodies that an archive names and StubKit has written.
  func bodyNames(in file: URL) -> Set<String> {
    // Most archives have none, and need not be read.
    guard names.contains(where: isBodyName), let archive = try? HTTPArchive(contentsOf: file) else { return [] }
    let named = archive.entries.compactMap { $0.response?.content.file?.url.lastPathComponent }
    return Set(named.filter(isBodyName))
  }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

  private static let hashLength = 16

  private func isBodyName(_ name: String) -> Bool {
    guard name.starts(withBytesOf: stem) else { return false }
    let rest = name.utf8.dropFirst(stem.utf8.count)
    let hash = rest.prefix(Self.hashLength)
    let type = rest.dropFirst(Self.hashLength)
    return hash.count == Self.hashLength && hash.allSatisfy { $0.hexadecimalDigit != nil && !(0x41...0x46 ~= $0) }
      && type.first == UInt8(ascii: ".") && BodyFileType.all.contains(String(Substring(type.dropFirst())))
  }

  /// Returns the name of the file for a body.
  func name(of body: ArchivedBody, type: String) -> String {
    let hash = String(body.data.contentHash, radix: 16)
    return stem + String(repeating: "0", count: Self.hashLength - hash.count) + hash + "." + BodyFileType.of(type)
  }

  // MARK: Leftovers

  /// Returns the archives in the temporary files of writers that died, and removes their other temporary files.
  ///
  /// The bodies that these archives name may already have been put in place.
  private func leftovers() -> [URL] {
    var archives: [URL] = []
    let temporary = names.filter { $0.starts(withBytesOf: ".\(stem)") && $0.hasSuffix(".tmp") }
    for (id, names) in Dictionary(grouping: temporary, by: { Transaction.id(in: $0, stem) }) {
      guard let id, isDead(Transaction.name(id, stem)) else { continue }
      for name in names {
        let url = folder.appendingPathComponent(name)
        if Transaction.isBody(name, id, stem) { unlink(url.path) } else { archives.append(url) }
      }
    }
    return archives
  }

  /// A writer locks its temporary file, and it loses the lock when it dies.
  private func isDead(_ name: String) -> Bool {
    let descriptor = open(folder.appendingPathComponent(name).path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    var status = stat()
    // A file that has just been created is not locked yet.
    guard fstat(descriptor, &status) == 0, status.st_size > 0 || time(nil) - status.modification > 10 else {
      return false
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  private func attempt<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch let error as HTTPArchiveError { throw error } catch {
      throw HTTPArchiveError(
        file: file.path, problem: "The archive could not be written: \(error.localizedDescription)",
        remedy: "An existing file is unchanged.")
    }
  }
}

/// The files of one write. They get their names at the end, the archive last.
private struct Transaction {
  /// The temporary file of the archive. It is locked until the end.
  let main: FileHandle
  private let file: URL
  private let folder: URL
  private let stem: String
  private let id = UUID().uuidString
  private var bodies: [(temporary: URL, target: URL)] = []
  private var placed: [URL] = []
  /// The names of all bodies that the archive names.
  private(set) var names: Set<String> = []

  init(for file: URL, in folder: URL, _ stem: String) throws {
    self.file = file
    self.folder = folder
    self.stem = stem
    main = try Self.create(folder.appendingPathComponent(Self.name(id, stem)))
    while flock(main.fileDescriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  /// The name of the archive's temporary file. Those of its bodies have a number after the identifier.
  static func name(_ id: String, _ stem: String, _ part: String = "") -> String { ".\(stem)\(id)\(part).tmp" }

  /// Returns the identifier in the name of a temporary file, or `nil` if the name has none.
  static func id(in name: String, _ stem: String) -> String? {
    let id = String(name.dropFirst(stem.count + 1).prefix(36))
    return UUID(uuidString: id) == nil ? nil : id
  }

  static func isBody(_ name: String, _ id: String, _ stem: String) -> Bool {
    name != Self.name(id, stem) && name != Self.name(id, stem, ".old")
  }

  private static func create(_ url: URL) throws -> FileHandle {
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw systemError }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private func url(_ part: String = "") -> URL { folder.appendingPathComponent(Self.name(id, stem, part)) }

  /// Adds the file of a body, unless there is one with these bytes.
  mutating func add(_ body: ArchivedBody, as name: String) throws {
    guard names.insert(name).inserted else { return }
    let target = folder.appendingPathComponent(name)
    if let present = ArchivedFile(mapping: target), present.length == body.count, present.data == body.data { return }
    let temporary = url(".\(bodies.count)")
    bodies.append((temporary, target))
    if let file = body.file, file.isTemporary, link(file.url.path, temporary.path) == 0 {
      chmod(temporary.path, 0o644)
      return
    }
    let handle = try Self.create(temporary)
    defer { try? handle.close() }
    // If the body is in a file, only a piece of it is in memory at a time.
    var rest = body.data
    while !rest.isEmpty {
      try handle.write(contentsOf: rest.prefix(1 << 20))
      rest = rest.dropFirst(1 << 20)
    }
    try handle.synchronize()
  }

  /// Gives all files their names.
  mutating func commit() throws {
    // The bytes must be on the disk before the name is.
    try main.synchronize()
    // If this process dies between the next two steps, the next writer finds the names of the old bodies here.
    link(file.path, url(".old").path)
    for body in bodies {
      let isNew = access(body.target.path, F_OK) != 0
      guard rename(body.temporary.path, body.target.path) == 0 else { throw Self.systemError }
      if isNew { placed.append(body.target) }
    }
    guard rename(url().path, file.path) == 0 else { throw Self.systemError }
  }

  /// Removes everything that this write has made.
  func cancel() {
    for url in placed + bodies.map(\.temporary) { unlink(url.path) }
    unlink(url().path)
    close()
  }

  func close() {
    unlink(url(".old").path)
    try? main.close()
  }

  private static var systemError: any Error { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension stat {
  /// The time of the last change to the bytes, in seconds since 1970.
  fileprivate var modification: Int {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}
