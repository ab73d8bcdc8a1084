import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("An expectation in a responder", .inTurn, .stubbed)
struct ResponderIssueTests {
  @Test(
    "belongs to the test that made the request",
    .issues(ExpectedIssue("said by a responder", at: "App/Users.swift:1:1")))
  func failing() async throws {
    stub(condition: isHost("issue.example")) { _ in
      Issue.record(
        "said by a responder",
        sourceLocation: SourceLocation(fileID: "App/Users.swift", filePath: "/app/Users.swift", line: 1, column: 1))
      return .empty()
    }
    _ = try await fetch("http://issue.example/")
  }

  @Test("runs in the test that made the request, by whatever call", arguments: Call.allCases)
  func current(call: Call) async throws {
    let name = Test.current?.name
    let checked = stub(condition: isHost("current.example")) { _ in
      #expect(Test.current?.name == name)
      #expect(Test.Case.current?.isParameterized == true)
      return .text("\(name ?? "")")
    }
    let text = try await call.fetch("http://current.example/")
    #expect(text == name && name?.hasPrefix("current") == true)
    #expect(checked.callCount == 1)
  }

  enum Call: CaseIterable {
    case async
    case completionHandler
    case task
    case taskGroup

    func fetch(_ url: String) async throws -> String {
      switch self {
      case .async:
        return try await StubKitTestingTests.fetch(url)
      case .completionHandler:
        return try await untilResumed { continuation in
          URLSession.shared.dataTask(with: URL(string: url)!) { data, _, _ in
            continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
          }.resume()
        }
      case .task:
        return try await Task { try await StubKitTestingTests.fetch(url) }.value
      case .taskGroup:
        return try await withThrowingTaskGroup(of: String.self) { group in
          group.addTask { try await StubKitTestingTests.fetch(url) }
          return try await group.next() ?? ""
        }
      }
    }
  }
}
