import Foundation
import TestSupport
import Testing

@testable import StubKit

/// A group of 16 conditions or more shares its nodes with the groups that it grew from.
@Suite("A long flat condition", .inTurn)
struct LongGroupTests {
  private static func paths(_ range: Range<Int>) -> [RequestMatcher] { range.map { isPath("/\($0)") } }

  private static func text(_ range: Range<Int>) -> String {
    range.map { "isPath(\"/\($0)\")" }.joined(separator: " || ")
  }

  enum Build: CaseIterable {
    case alternatives, conjuncts, fromTheFirst

    func callAsFunction(_ count: Int) -> RequestMatcher {
      let paths = LongGroupTests.paths(0..<count)
      return switch self {
      case .alternatives: paths.reduce(.nothing, ||)
      case .conjuncts: paths.reduce(.anything, &&)
      case .fromTheFirst: paths.dropFirst().reduce(paths[0]) { $0 || $1 }
      }
    }

    /// The CPU time of the thread that builds the condition, in nanoseconds.
    func time(_ count: Int) -> Double {
      onSmallStack {
        var (start, end) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        let condition = self(count)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return withExtendedLifetime(condition) {
          Double(end.tv_sec - start.tv_sec) * 1e9 + Double(end.tv_nsec - start.tv_nsec)
        }
      }
    }
  }

  @Test("is built in linear time by reduce", arguments: Build.allCases)
  func linear(build: Build) {
    let ratio = (0..<3).map { _ in build.time(16_000) / build.time(1_000) }.min()!
    // Linear time makes 16 of it, and quadratic time 256.
    #expect(ratio < 64)
  }

  @Test("is the same as a short one, whatever its length", arguments: [1, 2, 15, 16, 17, 33, 100])
  func same(count: Int) {
    let condition = Self.paths(0..<count).dropFirst().reduce(isPath("/0"), ||)
    #expect(condition.description == Self.text(0..<count))
    #expect(condition.matches(request("http://a/\(count - 1)")) && !condition.matches(request("http://a/\(count)")))
    #expect((!condition).matches(request("http://a/\(count)")))
    #expect((condition && isHost("a")).matches(request("http://a/0")))
    let registry = StubRegistry()
    let stub = stub(condition: condition, response: .empty(), in: registry)
    #expect(registry.stub(matching: request("http://a/0")) === stub)
    #expect(stub.condition.description == condition.description)
  }

  @Test("stays what it is when others grow from it, at one time too")
  func branches() async {
    let trunk = Self.paths(0..<20).reduce(.nothing, ||)
    let twigs = await withTaskGroup(of: (Int, RequestMatcher).self) { group in
      for number in 0..<8 {
        group.addTask { (number, Self.paths(100 * number..<100 * number + 50).reduce(trunk, ||)) }
      }
      return await group.reduce(into: [Int: RequestMatcher]()) { $0[$1.0] = $1.1 }
    }
    let start = ".nothing || \(Self.text(0..<20))"
    #expect(trunk.description == start)
    for (number, twig) in twigs {
      #expect(twig.description == "\(start) || \(Self.text(100 * number..<100 * number + 50))")
    }
    #expect((trunk || trunk).description == "\(start) || \(start)")
    #expect((trunk && trunk).description == "(\(start)) && (\(start))")
  }

  @Test("is one level, and knows its tests")
  func depth() {
    let all = (0..<100).reduce(RequestMatcher.anything) { $0 && (isPath("/\($1)") || hasBody(Data())) }
    #expect(all.stages == [.head, .body])
    let deepest = (0..<RequestMatcher.deepest - 1).reduce(isHost("a")) {
      $1.isMultiple(of: 2) ? $0 && isPort(1) : $0 || isPort(1)
    }
    let group = (0..<100).reduce(deepest && isPort(2)) { $0 && isPort($1) }
    #expect(group.stages == .head)
  }
}
