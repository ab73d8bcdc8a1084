#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Notes a request's scope on the thread whenever the request's loader calls URLSession.
  final class ScopedClient: ForwardingClient, @unchecked Sendable {
    // @unchecked holds because nothing in it changes.
    let scope: CallbackScope
    private let hook: CallbackHook

    init(_ client: any URLProtocolClient, _ scope: CallbackScope, _ hook: CallbackHook) {
      self.scope = scope
      self.hook = hook
      super.init(client)
    }

    override func tell(_ call: (any URLProtocolClient) -> Void) { hook.adding(in: scope) { super.tell(call) } }
  }
#endif
