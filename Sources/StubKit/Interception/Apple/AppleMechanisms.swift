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
          name: "configuration getter", isActive: configurationGetter != nil,
          meaning: configurationGetter != nil
            ? "every configuration contains StubKit's URLProtocol class"
            : "only URLSession.shared is intercepted, and the sessions that the next mechanism reaches"),
        .init(
          name: "session factories", isActive: sessionFactories != nil,
          meaning: sessionFactories != nil
            ? "every session is intercepted, and belongs to the scope that created it, on any queue"
            : "a session belongs to a scope only if it was created with StubRegistry.makeSession() or install(in:)"
        ),
        .init(
          name: "resume", isActive: resume != nil,
          meaning: resume != nil
            ? "the registry of the task that made a request answers it"
            : "a scope receives only the requests of sessions that were created in it or for it"),
        .init(
          name: "completion handlers", isActive: handlers != nil,
          meaning: handlers != nil
            ? "a request from a completion handler belongs to the scope of the request before it"
            : "a request from a completion handler belongs to the only open scope, or fails"),
        .init(
          name: "session of task", isActive: sessionByKey != nil,
          meaning: sessionByKey != nil
            ? "cookies go to the session's own storage, and every clock knows a session's timeouts"
            : "cookies go to the shared storage, and a clock knows only a request's own timeout"),
      ]
    }
  }
#endif
