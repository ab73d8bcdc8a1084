#if os(Linux)
  import Foundation
  import FoundationNetworking
  import TestSupport
  import Testing

  @testable import StubKit

  @Suite("A mechanism beyond public API", .inTurn)
  struct MechanismTests {
    @Test("is active here")
    func active() {
      let mechanisms = StubKitCapabilities.current.mechanisms
      #expect(mechanisms.count == 2)
      #expect(mechanisms.filter { !$0.isActive }.map(\.name) == [])
      #expect(StubKitCapabilities.current.description.split(separator: "\n").count == 2)
    }

    @Test("uses only what the guide lists")
    func guide() throws {
      let root = URL(fileURLWithPath: #filePath + "/../../../../..").standardized
      let guide = try String(
        contentsOf: root.appendingPathComponent("Sources/StubKit/StubKit.docc/Linux.md"), encoding: .utf8)
      let section = try #require(guide.components(separatedBy: "\n## What StubKit reads of Foundation\n").last)
      let listed = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("- ") }
      let name = /- `(?:.*\.)?(\w+(?:\(.*?\))?)`: \w/
      #expect(
        listed.compactMap { $0.firstMatch(of: name).map { String($0.1) } }
          == FoundationInternal.allCases.map(\.rawValue))
    }

    @Test("is given up in one line on standard error")
    func announcement() async throws {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let printed = try #require(
        await ChildProcess.run(
          "env", [executable, "--testing-library", "swift-testing", "--filter", "MechanismTests.active"],
          environment: ["STUBKIT_PLAIN": "1"]))
      let lines = printed.split(separator: "\n").filter { $0.hasPrefix("StubKit: plain mode") }
      #expect(lines.count == 1 && lines.first?.contains("because STUBKIT_PLAIN is set") == true, "\(printed)")
    }

    @Test("is refused where a field is another")
    func refusals() {
      #expect(throws: Never.self) { try StoredField<DispatchQueue>(.workQueue, of: URLSession.self) }
      let refused: [(String, () throws -> Any)] = [
        ("type", { try StoredField<Int>(.workQueue, of: URLSessionTask.self) }),
        ("class", { try StoredField<DispatchQueue>(.workQueue, of: URLProtocol.self) }),
        ("body", { try TaskBody(named: .session) }),
        ("loader", { try IdleLoader(named: .workQueue) }),
        ("properties", { try LoadProperties(named: .session) }),
        ("registry", { try TaskBehaviours(named: .workQueue) }),
        ("table", { try TaskBehaviours(behaviours: .session) }),
        ("behaviour", { try TaskBehaviours(type: "FoundationNetworking.URLSessionTask") }),
      ]
      for (name, look) in refused { #expect(throws: MissingInternal.self, "\(name)") { try look() } }
    }
  }
#endif
