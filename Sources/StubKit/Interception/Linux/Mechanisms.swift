#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The mechanisms that go beyond public API. Each is created and checked when it is first used, and is `nil` if its
  /// own check refused it.
  struct Mechanisms {
    /// What StubKit reads and sets of URLSession's own fields. Without it, StubKit is in its plain mode.
    @AtFirstUse var internals: URLSessionInternals?
    @AtFirstUse var currentQueue: CurrentQueue?
    /// Used first when the library is installed.
    @AtFirstUse var cacheLookup: CacheLookupHook?
    /// Used first when there is a registry besides the global one.
    @AtFirstUse var sessionMark: SessionMarkHook?
    /// Used first when there is a registry besides the global one.
    @AtFirstUse var callbacks: CallbackHook?
    /// Creates the configuration hook. If it throws, StubKit intercepts only the shared session.
    var makeConfigurationHook: () throws -> ConfigurationHook = { try ConfigurationHook() }

    func list(hook: ConfigurationHook?) -> [StubKitCapabilities.Mechanism] {
      [
        .init(
          "configuration hook", hook,
          "every session is intercepted",
          refused:
            "only URLSession.shared is intercepted, and sessions whose configuration was passed to HTTPStubs.setEnabled(true, for:)"
        ),
        .init(
          "session mark", sessionMark,
          "a session belongs to the scope that created it, on any queue",
          refused: "a session belongs to a scope only if it was created with StubRegistry.makeSession() or install(in:)"
        ),
        .init(
          "callback scope", callbacks,
          "completion handlers and delegate callbacks run in the scope of their request",
          refused: "a request from a completion handler belongs to its session's scope, or to the only open one"),
        .init(
          "cache look-up", cacheLookup,
          "a stubbed request does not wait for its session's cache",
          refused: "a stubbed request waits for a look-up in its session's cache, on a background queue"),
        .init(
          "current queue", currentQueue,
          "the registry of the task that made a request answers it",
          refused: "the registry that last took a request answers the next one"),
        .init(
          "URLSession internals", internals,
          "tasks have the states, the counts and the callbacks that they have with a server",
          refused:
            "plain mode, with public API only: bodies arrive in one piece, downloads and the bodies of uploads are missing, "
            + "tasks count no bytes, and an async call that is cancelled while it completes can hang. StubKit knows the "
            + "Foundation of Swift 6.3"),
      ]
    }
  }

  /// A mechanism that goes beyond public API and checks itself.
  protocol PlatformMechanism {
    /// The mechanism of this process, or `nil` if its check fails.
    static var shared: Self? { get }
  }

  /// A mechanism that its first reader creates, unless a test has replaced it.
  @propertyWrapper
  struct AtFirstUse<Mechanism: PlatformMechanism> {
    private var replacement: Mechanism?
    private var isReplaced = false

    var wrappedValue: Mechanism? {
      get { isReplaced ? replacement : Mechanism.shared }
      set {
        replacement = newValue
        isReplaced = true
      }
    }
  }
#endif
