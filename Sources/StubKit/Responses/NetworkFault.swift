import Foundation

/// A way in which a request fails: on its connection, at its server, in its body, or in time.
///
/// A fault is a value with a name, so a test can take all of them as its arguments:
///
/// ```swift
/// @Test(.stubbed(clock: .immediate), arguments: NetworkFault.all)
/// func survives(_ fault: NetworkFault) async {
///   stub(
///     .get, "https://api.example.com/users",
///     response: .json([["name": "Ann"]]).suffering(fault))
///   let users = try? await client.users()
///   // It either throws, or has the users.
///   #expect(users == nil || users?.map(\.name) == ["Ann"])
/// }
/// ```
///
/// A fault shows as if a server had caused it: with the system's own error, status, headers and bytes. The lists say
/// which faults no server can cause. Faults that keep the client waiting need its timeout, which
/// `.stubbed(clock: .immediate)` and a ``ManualClock`` skip.
///
/// Not every fault ends the request. A client receives a body that is slow, just in time, or has an unknown member.
///
/// Names are stable. To run a single fault again, write ``named(_:)``.
public struct NetworkFault: Sendable {
  /// The name without the prefix of ``once(_:)``.
  private let baseName: String
  /// Whether only the first request to a stub suffers.
  private let isOnce: Bool
  /// What is wrong with the fault itself, or `nil`.
  let mistake: StubResponseError.Reason?
  private let effect: Effect

  /// Returns what becomes of a response whose file is open, or `nil` if the fault doesn't apply to it.
  typealias Effect = @Sendable (StubResponse) -> StubResponse?

  init(_ name: String, _ effect: @escaping Effect) {
    self.init(baseName: name, isOnce: false, mistake: nil, effect)
  }

  private init(baseName: String, isOnce: Bool, mistake: StubResponseError.Reason?, _ effect: @escaping Effect) {
    self.baseName = baseName
    self.isOnce = isOnce
    self.mistake = mistake
    self.effect = effect
  }

  /// The name of the fault, such as `lost in mid-body`, or `once: lost in mid-body` for a fault of ``once(_:)``.
  ///
  /// Use it to leave faults out of a list:
  ///
  /// ```swift
  /// let faults = NetworkFault.ofConnection.filter {
  ///   !["TLS refused", "cancelled by the system"].contains($0.name)
  /// }
  /// ```
  public var name: String { isOnce ? Self.oncePrefix + baseName : baseName }

  /// All faults: those of the connection, of the server, of the body, and of time.
  ///
  /// A fault of the body changes a body that it fits. If yours is no JSON, or has no number, take ``all(for:)``.
  public static let all = ofConnection + ofServer + ofBody + ofTime

  /// Returns the faults that apply to a response.
  ///
  /// ```swift
  /// static let avatar = StubResponse.file("Fixtures/ann.png")
  ///
  /// @Test(.stubbed, arguments: NetworkFault.all(for: avatar))
  /// func showsAPlaceholder(_ fault: NetworkFault) async { … }
  /// ```
  ///
  /// The faults of the connection and of the server apply to every response, but for ``StubResponse/passThrough``, to
  /// which none applies. A fault of the body needs the bytes, so StubKit reads a file now. Of a stream, a
  /// ``StubResponse/controlled`` response, and a file of more than 64 MiB, only those apply that don't look into it. A
  /// response without a body, such as a failure or one with the status 204, has no faults of the body.
  public static func all(for response: StubResponse) -> [NetworkFault] {
    if response.isPassedThrough { return [] }
    var response = response
    // A file that can't be read fails the request, with every fault.
    response.body = (try? response.body.opened(by: nil).get()) ?? .empty
    return all.filter { $0.effect(response) != nil }
  }

  /// Returns the fault of which only the first request suffers that a stub answers. Later ones receive the response as
  /// it is, so this is the fault for a client that tries again.
  ///
  /// ```swift
  /// @Test(
  ///   .stubbed(clock: .immediate),
  ///   arguments: NetworkFault.ofConnection
  ///     .filter { $0.name != "cancelled by the system" }
  ///     .map(NetworkFault.once))
  /// func triesAgain(_ fault: NetworkFault) async throws {
  ///   let users = stub(
  ///     .get, "https://api.example.com/users",
  ///     response: .json([["name": "Ann"]]).suffering(fault))
  ///   #expect(try await client.users().map(\.name) == ["Ann"])
  ///   #expect(users.callCount == 2)
  /// }
  /// ```
  ///
  /// Its name begins with `once:`. The closure of a stub is called for each request, and only its first response
  /// suffers.
  public static func once(_ fault: NetworkFault) -> NetworkFault {
    NetworkFault(baseName: fault.baseName, isOnce: true, mistake: fault.mistake, fault.effect)
  }

  /// Returns the fault with a name, as a test prints it.
  ///
  /// ```swift
  /// let fault = NetworkFault.named("lost in mid-body")
  /// ```
  ///
  /// A response with a fault that doesn't exist fails its request with a ``StubResponseError``, which suggests a name.
  public static func named(_ name: String) -> NetworkFault {
    let isOnce = name.hasPrefix(oncePrefix)
    let wanted = isOnce ? String(name.dropFirst(oncePrefix.count)) : name
    if let fault = all.first(where: { $0.baseName == wanted }) { return isOnce ? once(fault) : fault }
    let distances = all.map { ($0.baseName, Array($0.baseName.utf8).editDistance(to: Array(wanted.lowercased().utf8))) }
    let nearest = distances.min { $0.1 < $1.1 }.flatMap { $0.1 <= max(1, wanted.utf8.count / 2) ? $0.0 : nil }
    return NetworkFault(baseName: wanted, isOnce: isOnce, mistake: .unknownFault(name, similar: nearest)) { $0 }
  }

  private static let oncePrefix = "once: "

  /// Whether each request to a stub suffers, and not only the first one.
  fileprivate var appliesToAll: Bool { !isOnce }

  /// Whether a request that suffers is redirected.
  var mayRedirect: Bool { effect(.ok)?.mayRedirect == true }

  /// Returns what a call of a stub receives of a response whose file is open.
  ///
  /// - Parameter callNumber: The number of the call, from 1.
  fileprivate func changed(_ response: StubResponse, callNumber: Int) throws(StubResponseError.Reason) -> StubResponse {
    if isOnce, callNumber > 1 { return response }
    guard let changed = effect(response) else { throw .inapplicableFault(name, to: response) }
    return changed
  }
}

extension ResponseOptions {
  /// Returns the faults from which a call of the stub suffers, or `nil` for none.
  ///
  /// - Parameter number: The number of the call, from 1.
  func faults(ofCall number: Int) -> [NetworkFault]? {
    faults.isEmpty ? nil : faults.filter { $0.appliesToAll || number == 1 }
  }
}

extension NetworkFault: Hashable, CustomStringConvertible {
  /// The ``name``.
  public var description: String { name }

  /// Two faults are equal if they have one name.
  public static func == (left: NetworkFault, right: NetworkFault) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension StubResponse {
  /// Returns the response with a fault: its requests fail as the fault says.
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/users",
  ///   response: .json(users).suffering(.named("lost in mid-body")))
  /// stub(.get, "https://api.example.com/film") { request in
  ///   .file("Fixtures/film.mp4").suffering(.once(fault))
  /// }
  /// ```
  ///
  /// The place of the modifier among others doesn't matter. A fault of the connection or of the server takes the place
  /// of the response, even of a failure. Its ``delay(_:)``, its ``network(_:)`` and its ``held(by:)`` stay. A fault of
  /// the body or of time changes the response. Several faults apply one after the other.
  ///
  /// A fault that doesn't apply, such as *a number for a text* to a picture, is a mistake: the request fails with a
  /// ``StubResponseError``, and so does the test, at the stub's line. ``NetworkFault/all(for:)`` has those that apply.
  /// Where nobody receives a body, as in response to HEAD, a fault of the body doesn't show.
  public func suffering(_ fault: NetworkFault) -> StubResponse {
    configured(problem: fault.mistake) { $0.faults.append(fault) }
  }

  /// A Boolean value that indicates whether the response must be opened before it is delivered.
  var isClosed: Bool { body.isClosed || options?.faults.isEmpty == false }

  /// Returns the response as a call of a stub receives it: with its file open, and with its faults. Call this on a
  /// queue that can wait.
  func opened(for call: CallRandomness) throws(StubResponseError) -> StubResponse {
    var response = self
    response.body = try body.opened(by: call.stub).get()
    do throws(StubResponseError.Reason) {
      for fault in options?.faults ?? [] { response = try fault.changed(response, callNumber: call.callNumber) }
      if let problem = response.problem { throw problem }
    } catch { throw StubResponseError(stub: call.stub, reason: error) }
    return response
  }
}
