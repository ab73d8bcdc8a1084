import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response that can't be sent", .inTurn)
struct BadInputTests {
  private static let directory = FileManager.default.temporaryDirectory.path

  /// What is wrong, and words of the report that the request's error must hold.
  static let cases: [(response: StubResponse, words: [String])] = [
    (.text("x").header("a\nb", "c"), ["header", "a\\nb"]),
    (.text("x").header("Name", "one\r\ntwo"), ["header", "Name"]),
    (.text("x", status: 99), ["status", "99"]),
    (.text("x", status: 1_000), ["status", "1000"]),
    (.text("x").delay(.seconds(-1)), ["delay"]),
    (.text("x").bodyDuration(.milliseconds(-1)), ["duration"]),
    (.file(directory), [directory, "directory"]),
    (.file("/nowhere/users.json"), ["/nowhere", "users.json"]),
    (fixture(named: "none.json"), ["none.json"]),
    (.json(["number": Double.nan]), ["JSON"]),
  ]

  @Test(
    "fails its request with an error that names the stub, its file and line, and the fault", arguments: cases.indices)
  func fails(index: Int) async throws {
    let (response, words) = Self.cases[index]
    let line = #line + 2
    let error = await withStubs {
      stub(condition: .anything, response: response, name: "faulty")
      return await URLSession.shared.failure(of: "http://a.example/")
    }
    let report = try #require(error as? StubResponseError)
    #expect(report.stub?.name == "faulty" && report.stub?.location.line == line)
    #expect(report.localizedDescription.contains("\"faulty\" (StubKitTests/BadInputTests.swift:\(line))"))
    for word in words { #expect(report.description.contains(word), "\(report.description)") }
  }

  @Test("fails its request just so when a closure made it", arguments: cases.indices)
  func failsFromClosure(index: Int) async throws {
    let (response, _) = Self.cases[index]
    let error = await withStubs {
      stub(condition: .anything) { _ in response }
      return await URLSession.shared.failure(of: "http://a.example/")
    }
    #expect(error is StubResponseError)
  }

  @Test("fails its request just so when a policy made it")
  func failsFromPolicy() async throws {
    let error = await withStubs {
      HTTPStubs.unmatched = .respond { _ in .empty(status: 1_000) }
      return await URLSession.shared.failure(of: "http://a.example/")
    }
    let report = try #require(error as? StubResponseError)
    #expect(report.stub == nil)
  }

  @Test("is in the journal with its fault, and the stub's call counts")
  func journal() async {
    await withStubs {
      let stub = stub(condition: .anything, response: .empty(status: 0))
      _ = await URLSession.shared.failure(of: "http://a.example/")
      #expect(stub.callCount == 1 && stub.requests.count == 1)
      #expect(stub.requests.first?.outcome.error is StubResponseError)
    }
  }
}
