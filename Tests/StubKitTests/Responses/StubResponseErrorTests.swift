import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response's error", .inTurn)
struct StubResponseErrorTests {
  static let location = StubLocation(
    fileID: "UserTests/LoginTests.swift", filePath: "/src/UserTests/LoginTests.swift", line: 12, column: 3)

  @Test("is a sentence that says what is wrong, and the cure")
  func sentences() {
    for (reason, expected) in [
      (.invalidStatus(42), "answers with the status 42, which is not a valid HTTP status. Write one from 100 to 999."),
      (
        .invalidHeaderName("A B"),
        #"answers with a header named "A B", which is not a valid header name. "#
          + "Write letters, digits and hyphens, without spaces or a colon."
      ),
      (
        .invalidHeaderValue("a\r\nb", name: "X"),
        #"answers with the value "a\r\nb" for its header "X", which contains a line break or a NUL. "#
          + "Remove it. For a second field of the same name, write .addingHeader."
      ),
      (
        .negativeDuration(.seconds(-1)),
        "answers with a delay or duration of -1.0 seconds, which is below zero. Write .zero or more."
      ),
      (
        .invalidTime(.infinity),
        "answers with a time of inf seconds, which is not a valid time. Write a number of seconds, or .delay(…)."
      ),
      (
        .invalidPieceLength(0),
        "answers in pieces of 0 bytes. A piece has at least one byte: write .chunked(by: 1) or more."
      ),
      (
        .negativeByteCount(-1),
        "fails after -1 bytes, which is negative. To fail right after the head, write .failing(afterBytes: 0)."
      ),
      (
        .invalidRedirectStatus(200),
        "redirects with the status 200, which is not a redirect status. Write 301, 302, 303, 307 or 308."
      ),
      (
        .invalidRedirectTarget("http://"),
        #"redirects to "http://", which is not a valid URL. Write an absolute URL, such as https://example.com/new, or a path."#
      ),
      (
        .unencodableValue("User", "boom"),
        "answers with a value of type User, which can't be encoded as JSON: boom. "
          + "Fix what the encoder reports, or write the body with .data or .text."
      ),
      (
        .invalidEntityTag("a b"),
        #"answers with the entity tag "a b", which is not a valid ETag. "#
          + #"Leave out quotation marks, spaces and control characters, as in .validated(etag: "v1")."#
      ),
      (
        .passedThroughWithCredential,
        "passes through a request that carries the credential for a stub's challenge. StubKit doesn't send such a credential to "
          + "a real server. Answer the request that has the credential with a stub, or pass the first request through too."
      ),
      (
        .jsonEncodedTwice("Data"),
        "passes a value of type Data to .json, which would encode it as a JSON string. If it contains JSON, write "
          + #".json(text: text) or .data(bytes, headers: ["Content-Type": "application/json"]). For a JSON string, write "#
          + #".json(JSONValue(text)), and .json(text: "\(JSONValue(text))") if the string contains JSON itself."#
      ),
      (
        .fixtureMissing("a.json", lookedIn: ["/x", "/y"], similar: [], isResource: false),
        #"answers with the fixture "a.json", which doesn't exist. StubKit looked in /x, /y. "#
          + "Write the full path. A relative path starts at the current directory."
      ),
      (
        .fixtureMissing("a.json", lookedIn: ["/x"], similar: ["b.json"], isResource: true),
        #"answers with the fixture "a.json", which doesn't exist. StubKit looked in /x. Did you mean "b.json"? "#
          + "Write the full file name, the bundle that contains it (in: .module for a package's test target), and the folder "
          + "(subdirectory:) if it is in one. Or add the file to the target's resources."
      ),
      (
        .fixtureIsDirectory("/x"),
        #"answers with the fixture "/x", which is a directory. Write the path of a file in it."#
      ),
      (
        .fixtureNotAFileURL("http://x"),
        #"answers with the fixture "http://x", which is not a file URL. Write URL(fileURLWithPath: …)."#
      ),
      (
        .fixtureUnreadable("/x", "Denied."),
        #"answers with the fixture "/x", which can't be read: Denied. Make sure that the user who runs the tests can read it."#
      ),
      (
        .fixtureIsNotRegular("/x", "a FIFO"),
        #"answers with the fixture "/x", which is a FIFO, not a regular file. Write the path of a regular file. "#
          + "For no body, write .empty(). For bytes that are produced over time, write .stream { … }."
      ),
      (
        .fixtureBecameShorter("/x"),
        #"answers with the fixture "/x", which became shorter while StubKit sent it. "#
          + "Replace the file atomically (.atomic), or write to it only while no response uses it."
      ),
    ] as [(StubResponseError.Reason, String)] {
      #expect(reason.description == expected, "\(expected)")
      let named = StubResponseError(stub: StubReference(name: "users", location: Self.location, id: 1), reason: reason)
      #expect(named.description == "The stub \"users\" (UserTests/LoginTests.swift:12) \(expected)", "\(expected)")
    }
  }

  @Test("names a stub without a name by its place, and a policy as such")
  func subjects() {
    let unnamed = StubResponseError(
      stub: StubReference(name: nil, location: Self.location, id: 1), reason: .invalidStatus(1))
    #expect(unnamed.description.hasPrefix("The stub at UserTests/LoginTests.swift:12 answers with"))
    let policy = StubResponseError(stub: nil, reason: .invalidStatus(1))
    #expect(policy.description.hasPrefix("The response to an unmatched request answers with"))
  }

  @Test("carries its sentence in localizedDescription, also as any Error and as NSError")
  func localizedDescription() {
    let error = StubResponseError(stub: nil, reason: .invalidStatus(1))
    #expect(error.localizedDescription == error.description)
    #expect((error as any Error).localizedDescription == error.description)
    #expect((error as NSError).localizedDescription == error.description)
  }
}
