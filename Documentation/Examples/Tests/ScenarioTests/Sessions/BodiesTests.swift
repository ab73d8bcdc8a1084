import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Bodies that are empty, missing or short", .inTurn)
struct BodiesTests {
  private let url = URL(string: "https://bodies.invalid/")!

  private func load() async throws -> (Data, HTTPURLResponse) {
    let (data, response) = try await URLSession.shared.data(from: url)
    return (data, try #require(response as? HTTPURLResponse))
  }

  @Test(
    "come as no bytes, with their status",
    arguments: [
      StubResponse.data(Data(), status: 501), .status(501), .text("", status: 501),
      fixture(named: "empty.txt", in: .module, subdirectory: "Fixtures", status: 501),
    ])
  func empty(response: StubResponse) async throws {
    let (data, head) = try await withStubs {
      stub(condition: .anything, response: response)
      return try await load()
    }
    #expect(data.isEmpty)
    #expect(head.statusCode == 501)
    #expect(head.value(forHTTPHeaderField: "Content-Length") == "0")
  }

  @Test("of a file that is not there, or is no file, are an error that names the stub")
  func missingFile() async {
    let missing: [StubResponse] = [
      .file("/no/such/file.json"), .file(URL(string: "https://bodies.invalid/file.json")!),
      fixture(filePath: "/no/such/file.json"), fixture(named: "no-such.json", in: .module),
    ]
    for response in missing {
      await withStubs {
        let stub = stub(condition: .anything, response: response, name: "avatar")
        let error = await #expect(throws: StubResponseError.self) { try await load() }
        #expect(error?.stub?.name == "avatar")
        #expect(error?.stub?.location == stub.location)
        #expect(error?.localizedDescription.contains(#"The stub "avatar" (ScenarioTests/BodiesTests.swift:"#) == true)
      }
    }
  }

  @Test("get a Content-Length where they have none, and keep the one they have")
  func contentLength() async throws {
    let lengths = try await withStubs {
      stub(
        condition: .anything,
        responses: [.text("éa"), .text("éa", headers: ["content-length": "2"]), .json(["id": 1])])
      var lengths: [String?] = []
      for _ in 1...3 { lengths.append(try await load().1.value(forHTTPHeaderField: "Content-Length")) }
      return lengths
    }
    #expect(lengths == ["3", "2", "8"])
  }
}
