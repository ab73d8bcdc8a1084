import Foundation
import TestSupport
import Testing
import XCTest

@testable import StubKit
@testable import StubKitTesting

// What the stories of RequestWarningTests are made of.

#if compiler(>=6.3)
  extension RequestWarningTests.Story {
    /// A framework that runs a test without a scope.
    final class PlainTest: QuietFramework {
      static var knowsTest: Bool { true }
      static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool {
        RequestWarnings.write("\(location?.fileID ?? "nowhere"), a warning: \(isWarning). \(sentence)")
        return true
      }
    }

    #if os(Linux)
      /// A framework that runs a test without a scope, whose name it knows.
      final class NamedTest: QuietFramework {
        static var knowsTest: Bool { true }
        static var testName: String? { "aTest()" }
      }

      /// Runs a test without a scope from now on. A proxy sees what leaves.
      static func proxy(_ framework: any TestFramework.Type) throws -> LoopbackServer {
        let proxy = try LoopbackServer()
        setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        SessionInstallation.activateScopes()
        RunningTest.use(framework)
        return proxy
      }
    #endif

    /// A client with a session and a queue of its own, which the first test that uses it creates.
    enum StaticClient {
      private static let session = URLSession(configuration: .patient)
      private static let queue = DispatchQueue(label: "client")

      static func load(_ path: String) async throws {
        try await untilResumed { (end: Resumption<Void>) in
          load(path) { error in end.resume(with: error.map { .failure($0) } ?? .success(())) }
        }
      }

      static func load(_ path: String, _ completion: @escaping @Sendable ((any Error)?) -> Void) {
        // Made here, and used there.
        let session = session
        queue.async {
          session.dataTask(with: url("http://miss.example/\(path)")) { _, _, error in completion(error) }.resume()
        }
      }
    }

    #if os(Linux)
      final class Failures: NSObject, XCTestObservation {
        var texts: [String] = []

        func testCase(
          _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
          atLine lineNumber: Int
        ) { texts.append(description) }
      }
    #endif
  }

  extension RequestWarningTests.Story {
    /// Returns the warnings from now on, which are printed too.
    func receiveWarnings() -> Locked<[String]> {
      let told = Locked<[String]>([])
      RunningTest.listener.withLock {
        $0 = Closure { text in
          told.withLock { $0.append(text) }
          FileHandle.standardError.write(Data("StubKit: warning: \(text)\n".utf8))
        }
      }
      return told
    }

    /// Runs a test with which nothing is wrong.
    func inScope(
      _ options: ScopeOptions = ScopeOptions(), _ body: @Sendable () async throws -> Void
    ) async throws {
      let findings = try await findings(options, body)
      guard findings.isEmpty else { fatalError("\(findings)") }
    }

    /// Runs a test with a stub for `/right`, and returns what is wrong with it.
    func findings(
      _ options: ScopeOptions = ScopeOptions(), _ body: @Sendable () async throws -> Void
    ) async throws -> [Finding] {
      let (findings, error) = await TestScope(options, of: "aTest()").run {
        stubAtLine(1, isPath("/right") || containsQuery("right"))
        try await body()
      }
      if let error { throw error }
      return findings
    }

    /// Runs the body while the scope of another test is open.
    func withOtherScope(_ body: @Sendable () async throws -> Void) async throws {
      let (isOpen, isOver) = (Latch(), Latch())
      let scope = Task.detached {
        try await withStubs {
          stub(condition: isPath("/right"), response: .status(204))
          isOpen.open()
          try await until("the body has run") { isOver.isOpen }
        }
      }
      try await until("the scope is open") { isOpen.isOpen }
      defer { isOver.open() }
      try await body()
      isOver.open()
      try await scope.value
    }

    /// Makes a request on a plain queue, through a session that says nothing.
    func onQueue(_ session: URLSession, _ address: String = "http://miss.example/typo") async throws {
      try await untilResumed { continuation in
        DispatchQueue(label: "plain").async {
          session.dataTask(with: url(address)) { _, _, _ in continuation.resume() }.resume()
        }
      }
    }
  }
#endif
