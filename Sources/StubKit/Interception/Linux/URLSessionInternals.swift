#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Everything beyond public API that StubKit reads of Foundation and the Swift runtime. The raw values are the
  /// names by which it is looked up. The guide Linux says what each is for.
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
    case taskRegistry, behaviours, properties
    // Words of method tables, which are found by comparison.
    case protocolClasses, urlCache
    case copy = "copy(with:)"
    case addOperation = "addOperation(_:)"
    // SPI.
    case forEachField = "_forEachField"
  }

  /// Why StubKit can't use something beyond public API.
  struct MissingInternal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
    init(_ name: FoundationInternal) { reason = "this Foundation's \(name.rawValue) is not as StubKit expects" }
  }

  /// What StubKit uses of URLSession beyond public API: all of it, or none.
  ///
  /// Each part checks itself. If one is not as it expects, because Foundation has changed, none is used, and StubKit does
  /// what public API allows.
  final class URLSessionInternals: Sendable {
    let task: TaskFields
    let taskBehaviours: TaskBehaviours
    let taskBody: TaskBody
    let loadProperties: LoadProperties
    let idleLoader: IdleLoader

    /// The variable of the environment that chooses the plain mode, to see whether a problem comes from here.
    static let variable = "STUBKIT_PLAIN"

    private init() throws(MissingInternal) {
      task = try TaskFields()
      taskBehaviours = try TaskBehaviours()
      taskBody = try TaskBody()
      loadProperties = try LoadProperties()
      idleLoader = try IdleLoader()
      _ = try CacheLookupHook()
      _ = try CallbackHook()
      _ = try SessionMarkHook()
    }

    /// Returns `nil` for the plain mode, and says why on standard error, so that it never begins in silence.
    static func orPlainMode() -> URLSessionInternals? {
      let isChosen = ProcessInfo.processInfo.environment[variable] ?? "" != ""
      do throws(MissingInternal) {
        if isChosen { throw MissingInternal("\(variable) is set") }
        return try URLSessionInternals()
      } catch {
        FileHandle.standardError.write(
          Data(
            """
            StubKit: plain mode, because \(error.reason). Bodies arrive in one piece, downloads and upload bodies are \
            missing, and delegates aren't asked about redirects and challenges: see the guide Linux.\
            \(isChosen ? "" : " Please report this line in an issue of StubKit's repository, with the version of Swift.")

            """.utf8))
        return nil
      }
    }
  }
#endif
