#if canImport(Darwin)
  import Foundation

  /// The mechanisms that go beyond public API. Each is `nil` if its own check refused it.
  struct Mechanisms {
    var configurationGetter: ConfigurationGetterHook?
    var sessionFactories: SessionFactoryHook?
    var resume: ResumeHook?
    var handlers: HandlerHook?
    var sessionByKey: SessionByKey?

    var list: [StubKitCapabilities.Mechanism] {
      [
        .init(
          "configuration getter", configurationGetter,
          "every configuration contains StubKit's URLProtocol class",
          refused: "only URLSession.shared is intercepted, and the sessions that the next mechanism reaches"),
        .init(
          "session factories", sessionFactories,
          "every session is intercepted, and belongs to the scope that created it, on any queue",
          refused: "a session belongs to a scope only if it was created with StubRegistry.makeSession() or install(in:)"
        ),
        .init(
          "resume", resume,
          "the registry of the task that made a request answers it",
          refused: "a scope receives only the requests of sessions that were created in it or for it"),
        .init(
          "completion handlers", handlers,
          "a request from a completion handler belongs to the scope of the request before it",
          refused: "a request from a completion handler belongs to the only open scope, or fails"),
        .init(
          "session of task", sessionByKey,
          "cookies go to the session's own storage, and every clock knows a session's timeouts",
          refused: "cookies go to the shared storage, and a clock knows only a request's own timeout"),
      ]
    }
  }
#endif
