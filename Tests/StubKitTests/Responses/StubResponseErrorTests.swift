import Foundation
import Testing

@testable import StubKit

@Suite("A response's error")
struct StubResponseErrorTests {
  static let location = StubLocation(
    fileID: "UserTests/LoginTests.swift", filePath: "/src/UserTests/LoginTests.swift", line: 12, column: 3)

  @Test(
    "is a sentence that says what is wrong, and the cure",
    arguments: [
      (.invalidStatus(42), "answers with the status 42, which is no HTTP status. Write one from 100 to 999."),
      (
        .invalidHeaderName("A B"),
        #"answers with a header named "A B", which is no name of a header: "#
          + "write letters, digits and hyphens, without spaces or a colon."
      ),
      (
        .invalidHeaderValue("a\r\nb", name: "X"),
        #"answers with the value "a\r\nb" for its header "X", which has a line break or a NUL in it. "#
          + "Leave that out, and write .addingHeader for a second field of the same name."
      ),
      (
        .negativeDuration(.seconds(-1)),
        "answers with a delay or duration of -1.0 seconds, which is below zero. Write one of .zero or more."
      ),
      (
        .invalidTime(.infinity),
        "answers with a time of inf seconds, which is no time. Write a number of seconds, or .delay(…)."
      ),
      (
        .invalidPieceLength(0),
        "answers in pieces of 0 bytes, which no body can be cut into. Write .chunked(by: 1) or more."
      ),
      (
        .negativeByteCount(-1),
        "fails after -1 bytes, which is below zero. Write .failing(afterBytes: 0) for a failure right after the head."
      ),
      (
        .invalidRedirectStatus(200),
        "redirects with the status 200, which is no redirect. Write 301, 302, 303, 307 or 308."
      ),
      (
        .invalidRedirectTarget("http://"),
        #"redirects to "http://", which is no URL. Write a whole one, like https://example.com/new, or a path."#
      ),
      (
        .unencodableValue("User", "boom"),
        "answers with a value of type User, which does not encode as JSON: boom. "
          + "Put right what the encoder names, or write the body with .data or .text."
      ),
      (
        .invalidEntityTag("a b"),
        #"answers with the entity tag "a b", which no ETag can carry: "#
          + #"leave out quotation marks, spaces and control characters, as in .validated(etag: "v1")."#
      ),
      (
        .passedThroughWithCredential,
        "passes a request through to the network that carries a credential which was given for a stub's challenge. StubKit does not "
          + "send that to a real server: answer the request that has the credential, or pass the first one through too."
      ),
      (
        .jsonEncodedTwice("Data"),
        "answers with JSON made of a value of type Data, which would be encoded as a JSON string. Write .json(text: text) or "
          + #".data(bytes, headers: ["Content-Type": "application/json"]), or .json(JSONValue(text)) for a JSON string."#
      ),
      (
        .fixtureMissing("a.json", lookedIn: ["/x", "/y"], similar: [], isResource: false),
        #"answers with the fixture "a.json", which is not there. Looked in: /x, /y. "#
          + "Write the file's whole path; a relative one begins at the current directory."
      ),
      (
        .fixtureMissing("a.json", lookedIn: ["/x"], similar: ["b.json"], isResource: true),
        #"answers with the fixture "a.json", which is not there. Looked in: /x. Did you mean "b.json"? "#
          + "Write the file's whole name, the bundle that has it (in: .module for a package's test target), and the folder "
          + "(subdirectory:) if it is in one; or add the file to the target's resources."
      ),
      (
        .fixtureIsDirectory("/x"),
        #"answers with the fixture "/x", which is a directory. Write the path of a file in it."#
      ),
      (
        .fixtureNotAFileURL("http://x"),
        #"answers with the fixture "http://x", which is no file URL. Write URL(fileURLWithPath: …)."#
      ),
      (
        .fixtureUnreadable("/x", "Denied."),
        #"answers with the fixture "/x", which can't be read: Denied. Make sure that whoever runs the tests can read it."#
      ),
      (
        .fixtureIsNotRegular("/x", "a FIFO"),
        #"answers with the fixture "/x", which is a FIFO and not a regular file. Write the path of a regular file, "#
          + ".empty() for no body, or .stream { … } for bytes that come as they are made."
      ),
      (
        .fixtureBecameShorter("/x"),
        #"answers with the fixture "/x", which became shorter while it was sent. "#
          + "Replace the file as a whole (.atomic), or write to it when no request is being answered with it."
      ),
    ] as [(StubResponseError.Reason, String)])
  func sentences(reason: StubResponseError.Reason, expected: String) {
    #expect(reason.description == expected)
    let named = StubResponseError(stub: StubReference(name: "users", location: Self.location, id: 1), reason: reason)
    #expect(named.description == "The stub \"users\" (UserTests/LoginTests.swift:12) \(expected)")
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
