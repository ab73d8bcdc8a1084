import Foundation

extension StubResponse {
  /// A response that lets the request reach the network, as if StubKit didn't exist.
  ///
  /// ```swift
  /// stub(condition: isHost("api.example.com"), response: .empty(status: 404))
  /// stub(
  ///   condition: isHost("api.example.com") && isPath("/health"),
  ///   response: .passThrough)
  /// stub(condition: isPath("/login")) { request in
  ///   request.stubBody?.isEmpty == false
  ///     ? .json(["token": "t"]) : .passThrough
  /// }
  /// ```
  ///
  /// The stub counts the call. The journal's entry names the stub, and has the outcome
  /// ``RecordedRequest/Outcome/passedThrough``. Modifiers such as ``delay(_:)`` have no effect. To let requests
  /// through that no stub matches, use ``UnmatchedPolicy/passThrough``.
  ///
  /// A closure can return this response after StubKit has read the body of the request. `URLSession` gets the body
  /// back and sends all of it. If that is not possible, the request fails with ``BodyAlreadyReadError``. If the scope
  /// has ended meanwhile, it fails with ``StubScopeEndedError``. StubKit doesn't send a credential for a stub's
  /// challenge to the network: such a request fails with a ``StubResponseError``.
  public static var passThrough: StubResponse { empty(status: 200).under { $0.isPassedThrough = true } }

  var isPassedThrough: Bool { circumstances?.isPassedThrough == true }
}
