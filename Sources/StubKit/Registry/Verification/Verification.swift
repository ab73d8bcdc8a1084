import Foundation

/// Verifies how many requests met a condition, whichever stub answered them, if any.
///
/// ```swift
/// try await client.signIn()
/// try verify(
///   isMethod(.post) && isPath("/login") && hasJSON(at: "user", equals: "ann"))
/// try verify(isPath("/ads"), called: .never)
/// ```
///
/// Each request of a chain of redirects counts by itself. The requests are those of the journal, so requests from
/// before it was cleared don't count. A closure in the condition runs for each request, as often as the condition has
/// it.
///
/// A request counts as soon as its task was resumed. The verification waits until the stub and the body of each such
/// request are known, for a second at most. It costs nothing if all are known. A request that URLSession refuses to
/// send, such as a GET with a body, doesn't count.
///
/// The verification fails and says so, whatever it expects, if it depends on something unknown: on requests that
/// the journal's limit has dropped or that can belong to any of several scopes, on a registry that isn't asked where
/// the code runs, on a body that the journal doesn't have, on the content of a compressed body, or on a header that
/// URLSession adds later. The journal doesn't have a body of more than a megabyte, unless
/// ``RequestJournal/keepsLargeBodies`` is set, and a stream that no stub needed. A closure may read the body, so
/// StubKit doesn't ask it without one. Combine it with matchers for the URL. A condition on a ``StubScenario`` is a
/// mistake here: verify the stub, whose condition asks it when the request arrives.
///
/// - Parameters:
///   - condition: The condition that a request must meet.
///   - count: The expected number of requests. Defaults to at least one.
///   - registry: The registry that received them. Defaults to ``StubRegistry/current``.
///   - location: The location of the verification, for a function of your own. Defaults to that of the call.
///   - fileID: The source file of the verification, for its error. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the verification.
///   - column: The column of the verification.
/// - Throws: ``VerificationError``, which lists the requests that were made, closest first.
public func verify(
  _ condition: RequestMatcher, called count: CallCount = .atLeast(1), in registry: StubRegistry = .current,
  at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let error = VerificationError(
    .condition(condition, in: registry), count, by: "verify(\(condition))",
    at: location ?? StubLocation(fileID, filePath, line, column))
  if let error { throw error }
}

/// Verifies how many requests a stub was chosen for.
///
/// ```swift
/// let login = stub(
///   .post, "https://api.example.com/login",
///   response: .json(["token": "t"]))
/// try await client.signIn()
/// try verify(login, called: .once)
/// ```
///
/// The stub counts its calls itself, so clearing or limiting the journal doesn't change the result. The verification
/// waits until the stub of each request that was resumed is known, for a second at most. If one takes longer and the
/// stub could still be chosen for it, the result is uncertain, and the verification fails.
///
/// - Parameters:
///   - stub: The stub.
///   - count: The expected number of calls. Defaults to at least one.
///   - location: The location of the verification, for a function of your own. Defaults to that of the call.
///   - fileID: The source file of the verification, for its error. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the verification.
///   - column: The column of the verification.
/// - Throws: ``VerificationError``, which lists the requests that were made, closest first.
public func verify(
  _ stub: Stub, called count: CallCount = .atLeast(1), at location: StubLocation? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let error = VerificationError(
    .stub(stub), count, by: "verify(\(stub))", at: location ?? StubLocation(fileID, filePath, line, column))
  if let error { throw error }
}
