#if os(Linux)
  // Only this compiler places what makes the process call StubKitTesting.
  #if compiler(>=6.3)
    import Foundation
    import FoundationNetworking
    import StubKitTesting
    import TestSupport
    import Testing
    import XCTest

    /// Runs tests without a scope in a process of their own, in which nothing of StubKit runs before their requests but
    /// what the loaded process calls by itself.
    @Suite("A process of tests without a scope", .startsProcess)
    struct UnscopedProcessTests {
      /// The tests, as the command line names them.
      enum Selection: String, CaseIterable {
        case xcTestAlone = "StubKitTestingTests.UnscopedCase/testRequest"
        case xcTestWithOthers =
          "StubKitTestingTests.QuietCase,StubKitTestingTests.UnscopedCase,StubKitTestingTests.ScopedCase"
        case swiftTestingAlone = "UnscopedSuite/request"
        case swiftTestingWithOthers = "UnscopedSuite"

        var arguments: [String] {
          switch self {
          case .xcTestAlone, .xcTestWithOthers: [rawValue]
          case .swiftTestingAlone, .swiftTestingWithOthers:
            ["--testing-library", "swift-testing", "--filter", rawValue]
          }
        }

        var test: String {
          switch self {
          case .xcTestAlone, .xcTestWithOthers: "UnscopedCase.testRequest"
          case .swiftTestingAlone, .swiftTestingWithOthers: "request()"
          }
        }
      }

      @Test(
        "is told of a request that goes to the network, and blocks it by STUBKIT_NETWORK=off",
        arguments: Selection.allCases, [false, true])
      func unscoped(selection: Selection, isOff: Bool) async throws {
        // A proxy sees what leaves.
        let proxy = try LoopbackServer()
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let output = try #require(
          await ChildProcess.run(
            "env", [executable] + selection.arguments,
            environment: [
              UnscopedRequest.variable: "1", "http_proxy": "http://127.0.0.1:\(proxy.port)",
              "STUBKIT_NETWORK": isOff ? "off" : "",
            ]))
        let sentence =
          isOff
          ? "made outside of every scope, in \(selection.test), and STUBKIT_NETWORK=off keeps it from the network"
          : "GET http://other.example/x goes to the network, because \(selection.test) has no scope"
        #expect(output.contains(sentence), "\(output)")
        #expect(proxy.requests == (isOff ? [] : ["GET http://other.example/x"]))
        #expect(output.contains(UnscopedRequest.end), "\(output)")
      }
    }

    /// The request of the tests in that process.
    private enum UnscopedRequest {
      static let variable = "UNSCOPED_REQUEST"
      static let end = "The request is over."
      static let isExpected = ProcessInfo.processInfo.environment[variable] != nil

      static func make() async {
        _ = try? await URLSession.shared.data(from: url("http://other.example/x"))
        print(end)
      }
    }

    final class UnscopedCase: XCTestCase {
      func testRequest() async throws {
        try XCTSkipUnless(UnscopedRequest.isExpected)
        await UnscopedRequest.make()
      }
    }

    final class QuietCase: XCTestCase {
      func testNothing() throws { try XCTSkipUnless(UnscopedRequest.isExpected) }
    }

    final class ScopedCase: StubbedTestCase {
      func testStub() async throws {
        try XCTSkipUnless(UnscopedRequest.isExpected)
        stub(.get, "/x", response: .ok)
        _ = try await URLSession.shared.data(from: url("http://other.example/x"))
      }
    }

    @Suite("In that process", .enabled(if: UnscopedRequest.isExpected))
    struct UnscopedSuite {
      @Test func request() async { await UnscopedRequest.make() }

      @Test(.stubbed) func scoped() async throws {
        stub(.get, "/x", response: .ok)
        _ = try await URLSession.shared.data(from: url("http://other.example/x"))
      }
    }
  #endif
#endif
