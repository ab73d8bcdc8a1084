import Foundation

extension StubResponse {
  /// No response of the stub's: the request goes to the network, as if StubKit were not there.
  ///
  /// ```swift
  /// stub(condition: isHost("api.example.com"), response: .empty(status: 404))
  /// stub(condition: isHost("api.example.com") && isPath("/health"), response: .passThrough)
  /// stub(condition: isPath("/login")) { request in
  ///   request.stubBody?.isEmpty == false ? .json(["token": "t"]) : .passThrough
  /// }
  /// ```
  ///
  /// The stub counts the call, and the journal's entry names the stub with the outcome ``RecordedRequest/Outcome/passedThrough``.
  /// Modifiers such as ``delay(_:)`` have no effect. To let requests through that no stub matches, use
  /// ``UnmatchedPolicy/passThrough``.
  ///
  /// A closure decides when it returns. By then its request's body was read; `URLSession` gets it back and sends it whole. Where that
  /// is not possible, the request fails with ``BodyAlreadyReadError``; if the scope has ended meanwhile, with
  /// ``StubScopeEndedError``. A credential that was given for a stub's challenge is not sent to the network: such a request fails with
  /// a ``StubResponseError``.
  public static var passThrough: StubResponse { empty(status: 200).under { $0.isPassedThrough = true } }

  var isPassedThrough: Bool { circumstances?.isPassedThrough == true }
}
