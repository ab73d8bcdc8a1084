import Dispatch
import Foundation
import StubKitCommandLine
import StubKitRecorder

/// The stubs of a registry that are written by hand: those of files, which are read again when they change, and those
/// that a client adds.
final class StubFiles: Sendable {
  private struct State {
    /// The files, by their paths.
    var files: [String: File] = [:]
    var added: [(id: String, mapping: StubMapping)] = []
    var stubs: [(id: String, mapping: StubMapping, stub: Stub)] = []
    /// The paths that were there, and no longer are.
    var missing: Set<String> = []
  }

  private struct File {
    /// The path in its folder.
    let name: String
    var stamp: [AnyHashable]?
    /// The last ones that were read without a mistake.
    var mappings: [StubMapping] = []
    var mistake: String?
  }

  private let places: [URL]
  private let registry: StubRegistry
  private let report: @Sendable (String) -> Void
  private let state = Protected(State())

  /// - Parameters:
  ///   - places: The files, and the folders whose files with the extension `json` are read.
  ///   - report: Receives a line for each mistake, and for each change.
  init(_ places: [URL], in registry: StubRegistry, report: @escaping @Sendable (String) -> Void) {
    (self.places, self.registry, self.report) = (places, registry, report)
    reload()
  }

  var count: Int { state.withLock { $0.stubs.count } }

  /// Reads the files again whenever they change, until the result is released.
  func watch() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "StubKit.stubs"))
    timer.schedule(deadline: .now() + 0.5, repeating: 0.5)
    timer.setEventHandler { [self] in reload() }
    timer.activate()
    return timer
  }

  /// Returns the files with stubs in a file or folder. Those in `__files` are bodies.
  static func files(in place: URL) -> [URL] {
    guard (try? place.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true else { return [place] }
    let all = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    return (all?.compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "json" && !$0.pathComponents.contains("__files") }.sorted { $0.path < $1.path }
  }

  /// Reads what has changed.
  private func reload(isForced: Bool = false) {
    let lines = state.withLock { state in
      var lines: [String] = []
      var seen: Set<String> = []
      var hasChanged = isForced
      for place in places {
        guard FileManager.default.fileExists(atPath: place.path) else {
          if state.missing.insert(place.path).inserted {
            lines.append("\(place.relativePath) is gone. Its stubs stay until it is back.")
          }
          seen.formUnion(state.files.keys.filter { $0 == place.path || $0.hasPrefix(place.path + "/") })
          continue
        }
        state.missing.remove(place.path)
        for file in Self.files(in: place) where seen.insert(file.path).inserted {
          let known = state.files[file.path]
          let stamp = Self.stamp(of: file)
          // A body file that was missing can appear.
          guard isForced || known == nil || known?.mistake != nil || known?.stamp != stamp else { continue }
          let read = read(file, in: place, after: known, stamp)
          if let mistake = read.mistake {
            if mistake != known?.mistake { lines.append(mistake) }
          } else {
            hasChanged = true
            if known != nil, !isForced { lines.append("\(file.relativePath) was read again.") }
          }
          state.files[file.path] = read
        }
      }
      for path in state.files.keys.sorted() where !seen.contains(path) {
        state.files[path] = nil
        hasChanged = true
        lines.append("\(path) is gone, and its stubs with it.")
      }
      if hasChanged { register(&state) }
      return lines
    }
    for line in lines { report(line) }
  }

  private func read(_ file: URL, in place: URL, after known: File?, _ stamp: [AnyHashable]?) -> File {
    let isPlace = file.path == place.path
    let folder = isPlace ? place.deletingLastPathComponent() : place
    let bodies = [folder, folder.deletingLastPathComponent()].map { $0.appendingPathComponent("__files") }
    var read = File(
      name: isPlace ? file.lastPathComponent : String(file.path.dropFirst(place.path.count + 1)), stamp: stamp)
    do {
      let text = try RegularFile(file).readToEnd()
      read.mappings = try StubMapping.read(text, bodiesIn: bodies + [file.deletingLastPathComponent()])
    } catch {
      let problem = error as? StubMapping.Problem
      let place = file.relativePath + (problem.map { ":\($0.line)" } ?? "")
      read.mappings = known?.mappings ?? []
      read.mistake =
        "\(place): \(problem?.sentence ?? FileProblem.reading(file) ?? "The file isn't a regular one.")"
        + (read.mappings.isEmpty ? "" : " Its stubs stay as they were.")
    }
    return read
  }

  /// Two contents of a file that were written in the same moment have different lengths or numbers.
  private static func stamp(of file: URL) -> [AnyHashable]? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return attributes.map { attributes in
      [.modificationDate, .size, .systemFileNumber].compactMap { attributes[$0] as? AnyHashable }
    }
  }

  /// Registers all stubs in order, before those of the last time are removed, so that no request falls between.
  private func register(_ state: inout State) {
    let old = state.stubs
    var all: [(id: String, mapping: StubMapping, location: StubLocation)] = []
    for (path, file) in state.files.sorted(by: { $0.key < $1.key }) {
      for mapping in file.mappings {
        let location = StubLocation(fileID: file.name, filePath: path, line: mapping.line, column: 1)
        all.append((mapping.id ?? "\(location)", mapping, location))
      }
    }
    for (id, mapping) in state.added {
      all.append((id, mapping, StubLocation(fileID: "__stubkit", filePath: "", line: mapping.line, column: 1)))
    }
    state.stubs = all.map { id, mapping, location in
      let added = stub(
        condition: mapping.condition, response: mapping.response, name: mapping.name, priority: mapping.priority,
        in: registry, at: location)
      return (id, mapping, added)
    }
    for (_, _, stub) in old { stub.remove() }
  }
}

// MARK: The control endpoint

extension StubFiles {
  /// Answers a request below `/__stubkit/`.
  func control(_ method: String, _ target: String, _ body: Data) -> (Int, JSONValue) {
    let path = target.prefix { $0 != "?" }.dropFirst("/__stubkit/".count)
    let id = path.hasPrefix("stubs/") ? String(path.dropFirst(6)).removingPercentEncoding : nil
    switch (method, path) {
    case ("GET", "stubs"): return (200, ["stubs": .array(state.withLock { $0.stubs }.map(Self.description))])
    case ("POST", "stubs"): return add(body)
    case ("DELETE", _) where id != nil:
      return remove(id ?? "")
        ? (200, [:]) : (404, ["error": "There is no stub with this id. See GET /__stubkit/stubs."])
    case ("GET", "requests"): return (200, ["requests": .array(registry.journal.entries.map(Self.description))])
    case ("POST", "reset"):
      state.withLock { $0.added = [] }
      reload(isForced: true)
      registry.journal.clear()
      return (200, [:])
    default:
      let sentence =
        "Ask for GET or POST /__stubkit/stubs, DELETE /__stubkit/stubs/ID, GET /__stubkit/requests or POST /__stubkit/reset."
      return (404, ["error": .string(sentence)])
    }
  }

  private func add(_ body: Data) -> (Int, JSONValue) {
    do throws(StubMapping.Problem) {
      let bodies = places.map { $0.appendingPathComponent("__files") }
      let new = try StubMapping.read(body, bodiesIn: bodies).map { (id: $0.id ?? UUID().uuidString, mapping: $0) }
      state.withLock { state in
        // Another one with the same id takes its place.
        state.added.removeAll { old in new.contains { $0.id == old.id } }
        state.added += new
        register(&state)
      }
      return (201, ["ids": .array(new.map { .string($0.id) })])
    } catch {
      return (400, ["error": .string(error.sentence), "line": JSONValue(error.line)])
    }
  }

  /// Removes a stub: one that a client has added for ever, and one of a file until it is read again.
  private func remove(_ id: String) -> Bool {
    state.withLock { state in
      let removed = state.stubs.filter { $0.id == id }
      state.added.removeAll { $0.id == id }
      for (path, file) in state.files {
        state.files[path]?.mappings.removeAll { ($0.id ?? "\(file.name):\($0.line)") == id }
      }
      register(&state)
      return !removed.isEmpty
    }
  }

  private static func description(of entry: (id: String, mapping: StubMapping, stub: Stub)) -> JSONValue {
    [
      "id": .string(entry.id), "place": .string("\(entry.stub.location)"), "calls": JSONValue(entry.stub.callCount),
      "mapping": entry.mapping.source,
    ]
  }

  private static func description(of entry: RecordedRequest) -> JSONValue {
    var members: [String: JSONValue] = [
      "method": .string(entry.method), "url": .string(entry.url?.absoluteString ?? ""),
      "headers": .object(entry.headers.mapValues { .string($0) }), "outcome": .string("\(entry.outcome)"),
    ]
    if let stub = entry.stub { members["stub"] = .string(stub.name ?? "\(stub.location)") }
    if let status = entry.outcome.status { members["status"] = JSONValue(status) }
    if let text = entry.text {
      members["body"] = .string(text)
    } else if let body = entry.body {
      members["bodyBase64"] = .string(body.base64EncodedString())
    }
    if let length = entry.largeBodyLength { members["bodyLength"] = JSONValue(length) }
    return .object(members)
  }
}
