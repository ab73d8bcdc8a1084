import Foundation

/// An error that says why a response can't be sent. The request fails with it.
///
/// A client can keep its errors to itself. With StubKitTesting, the sentence is therefore an issue of the test too, at
/// the line of the stub, once for all of its requests.
///
/// Its description is a sentence that names the stub with its file and line, says what is wrong, and tells you what
/// to write.
///
/// ```swift
/// do {
///   _ = try await URLSession.shared.data(from: url)
/// } catch {
///   // The stub "users" (UserTests/LoginTests.swift:12) answers with the
///   // fixture "user.json", which …
///   print(StubResponseError(from: error)?.description ?? "\(error)")
/// }
/// ```
public struct StubResponseError: StubKitError {
  /// The stub that answered, or `nil` if the response came from a policy.
  public let stub: StubReference?
  /// What is wrong with the response.
  let reason: Reason

  /// The sentence.
  public var description: String {
    let subject = stub.map { "The stub \($0)" } ?? "The response to an unmatched request"
    return "\(subject) \(reason)"
  }

  /// What is wrong with a response.
  package struct Reason: Error, Equatable, CustomStringConvertible {
    /// What is wrong, as the rest of a sentence that begins with "The stub …": `answers with the status 42, which …`.
    package let description: String

    static func invalidStatus(_ status: Int) -> Reason {
      let problem =
        (100...199).contains(status)
        ? "is an interim status, after which a client waits for the final one (RFC 9110, section 15.2)"
        : "is not a valid HTTP status"
      return Reason("answers with the status \(status), which \(problem). Write one from 200 to 999.")
    }

    /// A reason phrase contains a control character other than a tab (RFC 9112, section 4).
    static func invalidReasonPhrase(_ reason: String) -> Reason {
      Reason(
        "answers with the reason phrase \(reason.quoted), which contains a line break or another control character. "
          + "Write one line.")
    }

    /// The name of a header field is not a token (RFC 9110, section 5.6.2).
    static func invalidHeaderName(_ name: String) -> Reason {
      Reason(
        "answers with a header named \(name.quoted), which is not a valid header name. "
          + "Write letters, digits and hyphens, without spaces or a colon.")
    }

    static func invalidHeaderValue(_ value: String, name: String) -> Reason {
      Reason(
        "answers with the value \(value.quoted) for its header \(name.quoted), which contains a line break or a NUL. "
          + "Remove it. For a second field of the same name, write .addingHeader.")
    }

    static func invalidTransferEncoding(_ value: String) -> Reason {
      Reason(
        "answers with the Transfer-Encoding \(value.quoted). StubKit sends bodies as they are, and knows only chunked. "
          + "Leave the field out, or write \"chunked\" for a body without a Content-Length.")
    }

    /// An entity tag contains a quotation mark, a space or a control character (RFC 9110, section 8.8.3).
    static func invalidEntityTag(_ tag: String) -> Reason {
      Reason(
        "answers with the entity tag \(tag.quoted), which is not a valid ETag. "
          + "Leave out quotation marks, spaces and control characters, as in .conditional(etag: \"v1\").")
    }

    static let passedThroughWithCredential = Reason(
      "passes through a request that carries the credential for a stub's challenge. StubKit doesn't send such a credential to "
        + "a real server. Answer the request that has the credential with a stub, or pass the first request through too."
    )

    static let modifiedPassThrough = Reason(
      "passes its request through with a modifier such as .delay or .network, which has no effect on a real server. Leave it "
        + "out. To let the request wait, write a closure that sleeps and returns .passThrough.")

    static func negativeDuration(_ duration: Duration) -> Reason {
      Reason("answers with a delay or duration of \(duration), which is below zero. Write .zero or more.")
    }

    static func invalidConditions(_ text: String) -> Reason { Reason("has impossible conditions: \(text)") }

    package static func invalidTime(_ seconds: TimeInterval) -> Reason {
      Reason(
        "answers with a time of \(seconds) seconds, which is not a valid time. Write a number of seconds, or .delay(…)."
      )
    }

    static func invalidPieceLength(_ count: Int) -> Reason {
      Reason("answers in pieces of \(count) bytes. A piece has at least one byte: write .chunked(by: 1) or more.")
    }

    static func negativeUploadLength(_ count: Int) -> Reason {
      Reason(
        "loses the upload after \(count) bytes, which is negative. To fail before the first byte, write "
          + ".failing(afterUploadedBytes: 0).")
    }

    static func negativeByteCount(_ count: Int) -> Reason {
      Reason(
        "fails after \(count) bytes, which is negative. To fail right after the head, write .failing(afterBytes: 0).")
    }

    static func unknownFault(_ name: String, similar: String?) -> Reason {
      let hint = similar.map { " Did you mean \($0.quoted)?" } ?? ""
      return Reason(
        "suffers from the fault \(name.quoted), which doesn't exist.\(hint) NetworkFault.all has all faults.")
    }

    static func inapplicableFault(_ name: String, to response: StubResponse) -> Reason {
      Reason(
        "suffers from the fault \(name.quoted), which doesn't apply to its response: \(response). "
          + "Write NetworkFault.all(for: response) for the faults that do.")
    }

    /// A field of a server-sent event contains a line break, or its id contains a NUL (WHATWG HTML, section 9.2.5).
    static func invalidEventField(_ field: String, _ value: String) -> Reason {
      Reason(
        "answers with a server-sent event whose \(field) is \(value.quoted). It contains a line break or a NUL, which an "
          + "event stream can't carry there. Write it on one line, or put it into the event's data.")
    }

    static func invalidRedirectStatus(_ status: Int) -> Reason {
      Reason("redirects with the status \(status), which is not a redirect status. Write 301, 302, 303, 307 or 308.")
    }

    static func invalidRedirectTarget(_ location: String) -> Reason {
      Reason(
        "redirects to \(location.quoted), which is not a valid URL. Write an absolute URL, such as https://example.com/new, or a path."
      )
    }

    static let controlledWithoutStub = Reason(
      "is .controlled, but only the calls of a stub can be taken with nextCall(). Register a stub for the request: "
        + "stub(condition: .anything, response: .controlled).")

    static let streamAlreadyUsed = Reason(
      "answers with a stream that an earlier request has already read. Write .stream { … } with a closure that creates a new "
        + "sequence for each request.")

    package static func unencodableValue(_ type: String, _ error: String) -> Reason {
      Reason(
        "answers with a value of type \(type), which can't be encoded as JSON: \(error.asSentence) "
          + "Fix what the encoder reports, or write the body with .data or .text.")
    }

    static func jsonEncodedTwice(_ type: String) -> Reason {
      Reason(
        "passes a value of type \(type) to .json, which would encode it as a JSON string. If it contains JSON, write "
          + ".json(text: text) or .data(bytes, headers: [\"Content-Type\": \"application/json\"]). For a JSON string, write "
          + ".json(StubJSON(text)), and .json(text: \"\\(StubJSON(text))\") if the string contains JSON itself.")
    }

    static func fixtureMissing(
      _ name: String, lookedIn directories: [String], similar: [String], isResource: Bool
    ) -> Reason {
      let places = directories.listed
      let hint = similar.isEmpty ? "" : " Did you mean \(similar.map(\.quoted).joined(separator: " or "))?"
      let cure =
        isResource
        ? "Write the folder, if it is in one, the full file name, and the bundle that contains it (in: .module for a "
          + "package's test target). Or add the file to the target's resources."
        : "Write the full path. A relative path starts at the current directory."
      return Reason(
        "answers with the fixture \(name.quoted), which doesn't exist. StubKit looked in \(places).\(hint) \(cure)")
    }

    static func fixture(_ path: String, _ problem: RegularFile.Problem) -> Reason {
      Reason("answers with the fixture \(path.quoted), which \(problem.description)")
    }

    static func fixtureNotAFileURL(_ url: String) -> Reason {
      Reason("answers with the fixture \(url.quoted), which is not a file URL. Write URL(fileURLWithPath: …).")
    }

    package static func invalidMessage(_ file: String?, line: Int, _ text: String) -> Reason {
      Reason(
        "answers with \(file.map { "the HTTP message \($0.quoted)" } ?? "an HTTP message"), in which line \(line), "
          + "\(text.quoted), is not a header field. Write \"Name: value\", and a blank line before the body.")
    }

    private init(_ description: String) { self.description = description }
  }
}

extension String {
  /// The text in quotation marks, on one line.
  fileprivate var quoted: String {
    "\""
      + replacing("\r\n", with: #"\r\n"#).replacing("\r", with: #"\r"#).replacing("\n", with: #"\n"#)
      .replacing("\0", with: #"\0"#) + "\""
  }

  /// The text with a full stop at its end.
  package var asSentence: String { hasSuffix(".") ? self : self + "." }
}
