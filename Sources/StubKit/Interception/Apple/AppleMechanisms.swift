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
            ? "every configuration that is read has StubKit's class"
            : "only URLSession.shared is intercepted, and the sessions that the mechanism below reaches"),
        .init(
          name: "session factories", isActive: sessionFactories != nil,
          meaning: sessionFactories != nil
            ? "every session is intercepted, and one that is made in a scope belongs to it, from any queue"
            : "a session that is made in a scope belongs to it only where StubRegistry.makeSession() or install(in:) says so"
        ),
        .init(
          name: "resume", isActive: resume != nil,
          meaning: resume != nil
            ? "a request is answered by the registry of the task that made it"
            : "a scope reaches only the requests of sessions that were made in it or for it"),
        .init(
          name: "completion handlers", isActive: handlers != nil,
          meaning: handlers != nil
            ? "a request that is made in a completion handler belongs to the scope of the request before it"
            : "a request that is made in a completion handler belongs to the one scope that is open, or fails"),
        .init(
          name: "session of task", isActive: sessionByKey != nil,
          meaning: sessionByKey != nil
            ? "cookies go to the session's own storage, and a session's timeouts are known to every clock"
            : "cookies go to the shared storage, and of timeouts only a request's own are known to a clock"),
      ]
    }
  }
#endif
