import Foundation
import StubKitRecording
import TestSupport
import Testing

@Suite("A function around stub", .inTurn)
struct StubLocationTests {
  private func stubUser(_ id: Int, sourceLocation: SourceLocation = #_sourceLocation) -> [Stub] {
    stubUser(id, at: .init(sourceLocation)) + replay(Self.archive(of: id), sourceLocation: sourceLocation)
  }

  private static func archive(of id: Int) -> HTTPArchive {
    HTTPArchive(entries: [.init(request: URLRequest(url: URL(string: "http://a.com/users/\(id)")!))])
  }

  private func stubUser(_ id: Int, at location: StubLocation) -> [Stub] {
    [
      stub(condition: isPath("/users/\(id)"), response: .json(["id": id]), at: location),
      stub(condition: isPath("/users/\(id)"), at: location) { _ in .status(204) },
      stub(condition: isPath("/users/\(id)"), at: location) { _, match in .text("\(match.callNumber)") },
      stub(condition: isPath("/users/\(id)"), responses: [.status(204), .text("2")], at: location),
      stub(.get, "/users/\(id)", response: .json(["id": id]), at: location),
      stub(.get, "/users/\(id)", at: location) { _ in .status(204) },
      stub(.get, "/users/{id}", at: location) { _, match in try .text(match("id")) },
      stub(.get, "/users/\(id)", responses: [.status(204), .text("2")], at: location),
    ] + replay(Self.archive(of: id), at: location)
  }

  @Test("gives its stubs the place of its own call if it forwards one argument", .stubbed)
  func locations() throws {
    let line = #line
    let stubs = stubUser(1) + stubUser(2, at: StubLocation())
    // Ten of the first user, who has a replay more, and nine of the second.
    #expect(stubs.map(\.location.line) == Array(repeating: line + 1, count: 19))
    #expect(Set(stubs.map(\.location.fileID)) == [#fileID])
    #expect(Set(stubs.map(\.location.filePath)) == [#filePath])
  }
}
