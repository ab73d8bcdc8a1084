import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The stubs of a stress worker: every way in which an answer can be made, each answer naming the worker.
enum StressStubs {
  enum Kind: String, CaseIterable {
    case constant
    case delayed
    case paced
    case file
    case closure
    case asyncClosure
    case closureCondition
    case failing
    case throwing
    case unmatched
  }

  enum Boom: Error { case boom }

  /// Registers the stubs in the current registry.
  static func register(worker: Int, fixture: URL, using random: inout SplitMix64) {
    func condition(_ kind: Kind) -> RequestMatcher { isPath(template: "/\(kind)/{worker}/{number}") }
    func milliseconds() -> Duration { .milliseconds(Int.random(in: 0...20, using: &random)) }
    stub(condition: condition(.constant), response: .text(body(of: .constant, worker: worker)))
    stub(condition: condition(.delayed), response: .text(body(of: .delayed, worker: worker)).delay(milliseconds()))
    stub(
      condition: condition(.paced),
      response: .text(body(of: .paced, worker: worker)).delay(milliseconds()).bodyDuration(.milliseconds(50)))
    stub(condition: condition(.file), response: .file(fixture))
    stub(condition: condition(.closure)) { _, match in .text("closure \(worker) \(match["number"] ?? "")") }
    let pause = milliseconds()
    stub(condition: condition(.asyncClosure)) { _, match in
      try await Task.sleep(for: pause)
      return .text("asyncClosure \(worker) \(match["number"] ?? "")")
    }
    stub(
      condition: condition(.closureCondition) && { $0.timeoutInterval > 0 },
      response: .text(body(of: .closureCondition, worker: worker)))
    stub(condition: condition(.failing), response: .failure(.networkConnectionLost).delay(milliseconds()))
    stub(condition: condition(.throwing)) { _ in throw Boom.boom }
  }

  private static func body(of kind: Kind, worker: Int) -> String { "\(kind) \(worker)" }

  /// What is wrong with an ending, nil for one that is as it must be.
  static func fault(in ending: Ending, of exchange: Exchange, worker: Int) -> String? {
    switch (exchange.kind, ending) {
    case (_, .error(let error)) where exchange.mayBeCancelled && isCancellation(error): nil
    case (.closure, .body("closure \(worker) \(exchange.number)")): nil
    case (.asyncClosure, .body("asyncClosure \(worker) \(exchange.number)")): nil
    case (.file, .body("the fixture")): nil
    case (.constant, .body(let text)), (.delayed, .body(let text)), (.paced, .body(let text)),
      (.closureCondition, .body(let text)):
      text == body(of: exchange.kind, worker: worker) ? nil : "wrong body \"\(text)\""
    case (.failing, .error(let error as URLError)) where error.code == .networkConnectionLost: nil
    case (.throwing, .error(Boom.boom)): nil
    case (.unmatched, .error(is UnmatchedRequestError)): nil
    default: "wrong ending \(ending)"
    }
  }

  private static func isCancellation(_ error: any Error) -> Bool {
    (error as? URLError)?.code == .cancelled || error is CancellationError
  }
}
