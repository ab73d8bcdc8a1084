import Foundation
import StubKit
import Testing

/// How a body is given to a task.
enum Sending: String, CaseIterable, Sendable {
  case data, stream, upload, file, streamed

  func task(in session: URLSession, _ request: URLRequest, _ body: Data, _ file: URL) -> URLSessionTask {
    var request = request
    switch self {
    case .data:
      request.httpBody = body
      return session.dataTask(with: request)
    case .stream:
      request.httpBodyStream = InputStream(data: body)
      return session.dataTask(with: request)
    case .upload: return session.uploadTask(with: request, from: body)
    case .file: return session.uploadTask(with: request, fromFile: file)
    case .streamed: return session.uploadTask(withStreamedRequest: request)
    }
  }
}

/// A redirect of a request with a body.
struct BodyCase: Sendable, CustomStringConvertible {
  enum Answerer: String, CaseIterable, Sendable { case stubs, network }

  let answerer: Answerer
  let method: String
  let status: Int
  let sending: Sending
  /// Whether the condition of a stub reads the body of the first request.
  let isRead: Bool

  var description: String { "\(method) \(status) \(sending) \(answerer)\(isRead ? " read" : "")" }

  /// RFC 9110, section 15.4, as URLSession understands it.
  var becomesGET: Bool { status == 303 || status < 303 && method == "POST" }
  var outcome: String { becomesGET ? "GET " : "\(method) film" }

  static let all = Answerer.allCases.flatMap { answerer in
    ["POST", "PUT"].flatMap { method in
      [301, 302, 303, 307, 308].flatMap { status in
        Sending.allCases.flatMap { sending in
          [true, false].map {
            BodyCase(answerer: answerer, method: method, status: status, sending: sending, isRead: $0)
          }
        }
      }
    }
  }
}

@Suite("A body on Apple platforms", .inEachLoader, .timeLimit(.minutes(1)))
struct BodyStories {
  private static let body = Data("film".utf8)

  private func withFile<R>(_ body: (URL) async throws -> R) async throws -> R {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Self.body.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file)
  }

  @Test("goes on with a redirect, or ends with it", arguments: BodyCase.all)
  func redirected(_ test: BodyCase) async throws {
    let server = try Server { request in
      request.line.hasSuffix(" /from")
        ? .init(status: test.status, headers: ["Location": "/to"])
        : .init(body: Data("\(request.line.split(separator: " ")[0]) ".utf8) + request.body)
    }
    let watcher = Watcher(body: Self.body)
    try await withFile { file in
      await withStubs {
        if test.isRead { stub(condition: hasBody(Data("other".utf8)), response: .text("other")) }
        switch test.answerer {
        case .stubs:
          stub(condition: isPath("/from"), response: .redirect(to: "/to", status: test.status))
          stub(condition: isPath("/to")) { request in
            .text("\(request.httpMethod ?? "") \(String(decoding: request.stubBody ?? Data(), as: UTF8.self))")
          }
        case .network: HTTPStubs.unmatched = .passThrough
        }
        let request = request(test.method, server.url("/from"))
        await watcher.run { test.sending.task(in: $0, request, Self.body, file) }
      }
    }
    #expect(
      watcher.text == test.outcome && watcher.error == nil, "\(watcher.events) \(String(describing: watcher.error))")
  }

  /// A method, and the type that URLSession gives a body whose request says none.
  private static let addedTypes: [(method: String, type: String?)] = [
    ("POST", "application/x-www-form-urlencoded"), ("PUT", nil),
  ]

  @Test("that says no type reaches a server as a form if it is that of a POST", arguments: Sending.allCases, addedTypes)
  func untypedForServer(sending: Sending, row: (method: String, type: String?)) async throws {
    let (server, watcher) = (try Server(), Watcher(body: Self.body))
    try await withFile { file in
      await withStubs {
        HTTPStubs.unmatched = .passThrough
        let request = request(row.method, server.url("/real"))
        await watcher.run { sending.task(in: $0, request, Self.body, file) }
      }
    }
    #expect(server.requests.map { $0.headers["content-type"] } == [row.type])
  }

  @Test("that says no type is a form for a stub if it is that of a POST", arguments: Sending.allCases, addedTypes)
  func untypedForStub(sending: Sending, row: (method: String, type: String?)) async throws {
    let watcher = Watcher(body: Self.body)
    try await withFile { file in
      await withStubs {
        let hasType = row.type.map { hasHeader("Content-Type", $0) } ?? !hasHeader("Content-Type")
        stub(condition: hasType, response: .text("has the type"))
        let request = request(row.method, URL(string: "http://a.example/")!)
        await watcher.run { sending.task(in: $0, request, Self.body, file) }
      }
    }
    #expect(watcher.text == "has the type", "\(watcher.events)")
  }

  @Test(
    "that is let through is sent again for a credential and after a lost connection", arguments: Sending.allCases,
    [true, false])
  func sentAgain(sending: Sending, isRead: Bool) async throws {
    let count = Locked(0)
    let server = try Server { request in
      if count.adding(1) == 1 { return .init(isLost: true) }
      return request.headers["authorization"] == nil ? .demand : .init(body: request.body)
    }
    let watcher = Watcher(credential: URLCredential(user: "ann", password: "pw", persistence: .none), body: Self.body)
    try await withFile { file in
      await withStubs {
        HTTPStubs.unmatched = .passThrough
        if isRead {
          stub(condition: hasBody(Data("other".utf8)), response: .text("other"))
          stub(condition: { request in request.stubBody == Data("song".utf8) }, response: .text("other"))
        }
        let request = request("PUT", server.url("/up"))
        await watcher.run { sending.task(in: $0, request, Self.body, file) }
      }
    }
    #expect(watcher.text == "film", "\(watcher.events) \(String(describing: watcher.error))")
    #expect(server.requests.map(\.body) == [Self.body, Self.body, Self.body])
  }
}
