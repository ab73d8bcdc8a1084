import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("A body at a redirect", .inTurn)
struct RedirectedBodyTests {
  enum Sending: String, CaseIterable, Sendable {
    case data, stream, upload, file

    func fetch(_ session: URLSession, _ request: URLRequest, _ file: URL) async throws -> String {
      var request = request
      let data: Data
      switch self {
      case .data:
        request.httpBody = RedirectedBodyTests.body
        data = try await session.data(for: request).0
      case .stream:
        request.httpBodyStream = InputStream(data: RedirectedBodyTests.body)
        data = try await session.data(for: request).0
      case .upload: data = try await session.upload(for: request, from: RedirectedBodyTests.body).0
      case .file: data = try await session.upload(for: request, fromFile: file).0
      }
      return String(decoding: data, as: UTF8.self)
    }
  }

  enum Answerer: String, CaseIterable, Sendable { case stubs, network, recording }

  struct Case: Sendable, CustomStringConvertible {
    let method: String
    let status: Int
    let sending: Sending
    let answerer: Answerer
    /// Whether the condition of a stub reads the body of the first request.
    let isRead: Bool

    var description: String { "\(method) \(status) \(sending) \(answerer)\(isRead ? " read" : "")" }

    static let all = ["POST", "PUT"].flatMap { method in
      [301, 302, 303, 307, 308].flatMap { status in
        Sending.allCases.flatMap { sending in
          Answerer.allCases.flatMap { answerer in
            [true, false].map {
              Case(method: method, status: status, sending: sending, answerer: answerer, isRead: $0)
            }
          }
        }
      }
    }
  }

  fileprivate static let body = Data("film".utf8)

  /// Redirects from /from to /to, and answers there with the method and the body.
  private func redirectingServer(_ status: Int) throws -> LoopbackServer {
    try LoopbackServer { request, connection in
      let isFirst = request.target == "/from"
      let body = isFirst ? Data() : Data("\(request.method) ".utf8) + request.body
      let head = isFirst ? "\(status) Moved\r\nLocation: /to" : "200 OK"
      return !connection.write(
        Data("HTTP/1.1 \(head)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n".utf8) + body)
    }
  }

  @Test("arrives with the next request, or not, as it does without StubKit", arguments: Case.all)
  func redirected(_ test: Case) async throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("body")
    try Self.body.write(to: file)
    let server = try redirectingServer(test.status)
    defer { server.stop() }
    var request = URLRequest(url: server.url("/from"))
    request.httpMethod = test.method
    let native = try await withStubs(registry: StubRegistry(isEnabled: false)) { [request] in
      try await test.sending.fetch(URLSession(configuration: .patient), request, file)
    }
    let recorder = ArchiveRecorder()
    let answer = try await withStubs { [request] in
      if test.isRead { stub(condition: hasBody(Data("other".utf8)), response: .text("other")) }
      switch test.answerer {
      case .stubs:
        stub(condition: isPath("/from"), response: .redirect(to: "/to", status: test.status))
        stub(condition: isPath("/to")) { request in
          .text("\(request.httpMethod ?? "") \(String(decoding: request.stubBody ?? Data(), as: UTF8.self))")
        }
      case .network: HTTPStubs.unmatched = .passThrough
      case .recording:
        HTTPStubs.unmatched = .passThrough
        StubRegistry.current.recorder = recorder
      }
      return try await test.sending.fetch(URLSession(configuration: .patient), request, file)
    }
    #expect(answer == native)
    if test.answerer == .recording {
      let entries = recorder.contents.entries
      #expect(entries.map(\.response?.status) == [test.status, 200])
      let sent = entries.map { String(decoding: $0.request.httpBody ?? Data(), as: UTF8.self) }
      #expect(sent == ["film", String(native.split(separator: " ", maxSplits: 1).dropFirst().first ?? "")])
    }
  }
}
