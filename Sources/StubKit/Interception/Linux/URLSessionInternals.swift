#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Glibc

  /// Everything beyond public API that StubKit reads of Foundation, Dispatch and the Swift runtime. The raw values are the
  /// names by which it is looked up. The guide Linux prints the list.
  enum FoundationInternal: String, CaseIterable {
    // Fields of URLSessionTask.
    case workQueue, session, syncQ, error, countOfBytesExpectedToSend, countOfBytesExpectedToReceive
    case knownBody
    case callCompletionHandlerInline = "_callCompletionHandlerInline"
    case currentRequest = "_currentRequest"
    case response = "_response"
    case countOfBytesSent = "_countOfBytesSent"
    case countOfBytesReceived = "_countOfBytesReceived"
    case protocolStorage = "_protocolStorage"
    // Fields of other types.
    case taskRegistry, behaviours, properties, lastRedirectBody
    // Words of method tables, which are found by comparison.
    case protocolClasses, urlCache
    case copy = "copy(with:)"
    case addOperation = "addOperation(_:)"
    // Symbols.
    case currentQueue = "dispatch_get_current_queue"
    case queueLabel = "dispatch_queue_get_label"
    case async = "dispatch_async_f"
    // SPI.
    case forEachField = "_forEachField"

    /// Its place, and what StubKit does with it.
    private var note: (place: String, purpose: String) {
      switch self {
      case .workQueue: ("URLSessionTask.", "the queue of a task's client, and of a session the queue below")
      case .session: ("URLSessionTask.", "the session, whose delegate, queue, cookies, headers and timeouts count")
      case .syncQ: ("URLSessionTask.", "the lock of the request, the response and the counts")
      case .error: ("URLSessionTask.", "written before a failure, as the system's loader does")
      case .countOfBytesExpectedToSend, .countOfBytesExpectedToReceive, .countOfBytesSent, .countOfBytesReceived:
        ("URLSessionTask.", "written as the task's count and progress")
      case .knownBody: ("URLSessionTask.", "the body of an upload, read for conditions and recordings")
      case .callCompletionHandlerInline: ("URLSessionTask.", "cleared, so that a cancelled async call can't hang")
      case .currentRequest: ("URLSessionTask.", "written after a redirect")
      case .response: ("URLSessionTask.", "written for the response of a redirect or a challenge")
      case .protocolStorage: ("URLSessionTask.", "given an idle loader at the end, so that `resume()` can't crash")
      case .taskRegistry: ("URLSession.", "the tasks of a session")
      case .behaviours:
        ("URLSession._TaskRegistry.", "who receives a task's callbacks, and the delegate of an async call")
      case .properties: ("URLProtocol.", "the body or the file that completion handlers and downloads receive")
      case .lastRedirectBody: ("_NativeProtocol.", "the body of a redirect, for recordings")
      case .protocolClasses: ("URLSessionConfiguration.", "getter replaced, so that every session is intercepted")
      case .urlCache: ("URLSessionConfiguration.", "getter replaced, so that a stub waits for no cache")
      case .copy: ("URLSessionConfiguration.", "replaced, so that a session knows the scope that created it")
      case .addOperation:
        (
          "OperationQueue.",
          "replaced, so that callbacks run in the scope of their request, and StubKit knows when they have returned"
        )
      case .currentQueue: ("", "symbol, the key between `canInit(with:)` and `startLoading()` of a task")
      case .queueLabel: ("", "symbol, tells whether the current queue is a task's own")
      case .async: ("", "symbol, runs work on that queue in the plain mode")
      case .forEachField: ("", "SPI of the Swift library, which finds all of the fields above by name and type")
      }
    }

    /// The line of the guide.
    var line: String { "- `\(note.place)\(rawValue)`: \(note.purpose)" }

    /// The first field that was looked up and isn't there, or has another type.
    static var missing: String? { firstMissing.withLock(\.self) }

    private static let firstMissing = Protected<String?>(nil)

    static func noteMissing(_ name: String) { firstMissing.withLock { $0 = $0 ?? name } }
  }

  /// The fields of URLSession's own classes that StubKit reads and sets: all of them, or none.
  ///
  /// Each part checks itself. If one is not as it expects, because Foundation has changed, none is used, and StubKit does
  /// what public API allows.
  final class URLSessionInternals: PlatformMechanism, Sendable {
    static let shared: URLSessionInternals? = {
      if let internals = URLSessionInternals() { return internals }
      announcePlainMode()
      return nil
    }()

    let task: TaskFields
    let taskBehaviours: TaskBehaviours
    let taskBody: TaskBody
    let loadProperties: LoadProperties
    let quietEnd: QuietEnd

    /// The variable of the environment that chooses the plain mode, to see whether a problem comes from these fields.
    static let variable = "STUBKIT_PLAIN"

    private init?() {
      guard ProcessInfo.processInfo.environment[Self.variable] ?? "" == "", let task = TaskFields(),
        let taskBehaviours = TaskBehaviours(), let taskBody = TaskBody(),
        let loadProperties = LoadProperties(), let quietEnd = QuietEnd()
      else { return nil }
      self.task = task
      self.taskBehaviours = taskBehaviours
      self.taskBody = taskBody
      self.loadProperties = loadProperties
      self.quietEnd = quietEnd
    }

    /// Says on standard error, once in a process, that the plain mode is on, so that it never begins in silence.
    private static func announcePlainMode() {
      let isChosen = ProcessInfo.processInfo.environment[variable] ?? "" != ""
      let reason =
        isChosen
        ? "\(variable) is set" : "this Foundation's \(FoundationInternal.missing ?? "layout") is not as StubKit expects"
      FileHandle.standardError.write(
        Data(
          """
          StubKit: plain mode, because \(reason) (compiled by Swift \(compilerVersion), \(foundation)). Bodies arrive in \
          one piece, downloads and upload bodies are missing, and delegates aren't asked about redirects and challenges: \
          see the guide Linux.\(isChosen ? "" : " Please report this line in an issue of StubKit's repository.")

          """.utf8))
    }

    private static var compilerVersion: String {
      #if compiler(>=6.4)
        "6.4 or later"
      #elseif compiler(>=6.3)
        "6.3"
      #elseif compiler(>=6.2)
        "6.2"
      #else
        "6.1"
      #endif
    }

    /// The file that URLSession comes from.
    private static var foundation: String {
      guard let file = fopen("/proc/self/maps", "re") else { return "FoundationNetworking" }
      defer { fclose(file) }
      var line: UnsafeMutablePointer<CChar>?
      defer { free(line) }
      var capacity = 0
      while getline(&line, &capacity, file) > 0 {
        guard let text = line.map({ String(cString: $0) }), text.contains("libFoundationNetworking") else { continue }
        return String(text.drop { $0 != "/" }.dropLast())
      }
      return "FoundationNetworking"
    }
  }
#endif
