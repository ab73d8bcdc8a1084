import Foundation
import StubKitServer
import TestSupport
import Testing

/// The table in the guide "Serving other clients", made anew.
@Suite("A failure at a client that used its connection before", .inTurn)
struct FailureAtClientsTests {
  /// A client, and a program that asks `BASE/ok`, then `BASE/PATH` over the same connection, and prints what it sees.
  struct Client: Decodable, Sendable {
    let name: String
    /// The program in the folder Clients.
    let file: String
    /// What it prints for the paths `lost`, `bad`, `broken` and `silent`.
    let seen: [String]
    /// Whether it takes seconds to start.
    let isSlow: Bool

    /// The row of the guide.
    var row: String { "| \(name) | " + seen.map { $0.isEmpty ? "–" : "`\($0)`" }.joined(separator: " | ") + " |" }

    func run(_ base: URL, _ path: String) async throws -> String? {
      let text = try clientFile(file).replacing("BASE", with: base.absoluteString).replacing("PATH", with: path)
      let program = file.hasSuffix(".py") ? ["python3", "-c"] : file.hasSuffix(".js") ? ["node", "-e"] : ["sh", "-c"]
      return try await ChildProcess.run(program[0], [program[1], text])
    }
  }

  static let paths = ["lost", "bad", "broken", "silent"]

  /// The virtual time of Chromium stands still while a request waits, so it has nothing to print for `silent`.
  static let clients: [Client] = (try? fixture("clients")) ?? []

  private static func withFailures(
    _ body: (StubServer, _ failures: [String: Stub]) async throws -> Void
  ) async throws {
    try await withStubServer { server in
      stub(condition: isPath("/ok"), response: .text("ok"))
      stub(condition: isPath(template: "/page/{path}")) { _, match in
        let page = try clientFile("page.html").replacing("PATH", with: match["path"] ?? "")
        return .text(page, headers: ["Content-Type": "text/html"])
      }
      stub(condition: isPath("/favicon.ico"), response: .status(404))
      // A client that repeats its request in silence gets an answer, and prints it.
      let failures = [
        "lost": StubResponse.failure(.networkConnectionLost), "bad": .failure(.badServerResponse),
        "broken": .text("0123456789").failing(afterBytes: 3), "silent": .failure(.timedOut),
      ].map { path, failure in
        (path, stub(condition: isPath("/\(path)"), responses: [failure, .text("repeated")]))
      }
      try await body(server, Dictionary(uniqueKeysWithValues: failures))
    }
  }

  @Test(
    "is seen by the client as the guide says, and the client doesn't repeat the request", arguments: clients.indices)
  func client(index: Int) async throws {
    let client = Self.clients[index]
    guard !client.isSlow || TestSize.of(1, inPart: 0) == 1 else { return }
    try await Self.withFailures { server, failures in
      for (path, expected) in zip(Self.paths, client.seen) where !expected.isEmpty {
        let lines = try await client.run(server.url, path)?.split(separator: "\n").map(String.init) ?? []
        guard failures[path]!.callCount > 0 else {
          return print("\(client.name) is not installed: its row of the guide was not made.", lines)
        }
        #expect(lines.last == expected, "\(client.name), \(path): \(lines)")
        #expect(failures[path]!.callCount == 1, "\(client.name) repeated \(path)")
      }
    }
  }

  @Test("is an error of URLSession")
  func urlSession() async throws {
    #if os(Linux)
      // Those of `paths`. Foundation on Linux has no code of its own for the second one.
      let codes: [URLError.Code] = [.networkConnectionLost, .unknown, .networkConnectionLost, .timedOut]
      try await Self.withFailures { server, failures in
        let configuration = URLSessionConfiguration.ephemeral
        SessionInstallation.leaveAlone(configuration)
        let session = URLSession(configuration: configuration)
        for (path, code) in zip(Self.paths, codes) {
          _ = try await session.data(from: server.url.appending(path: "ok"))
          let request = request(server.url.appending(path: path), timeout: 2)
          await #expect("\(path)") {
            _ = try await session.data(for: request)
          } throws: { ($0 as? URLError)?.code == code }
          #expect(failures[path]!.callCount == 1, "\(path)")
        }
      }
    #endif
  }

  @Test("has a row in the guide for each client")
  func rows() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
    let guide = sources.appending(path: "StubKit/StubKit.docc/ServingOtherClients.md")
    let text = try String(contentsOf: guide, encoding: .utf8)
    // Without the file, there would be no client.
    #expect(Self.clients.count == 7)
    for client in Self.clients { #expect(text.contains(client.row), "\(client.name)") }
  }
}

/// The text of a program in the folder Clients.
func clientFile(_ name: String) throws -> String {
  try String(contentsOf: try #require(Bundle.module.resourceURL).appending(path: "Clients/\(name)"), encoding: .utf8)
}
