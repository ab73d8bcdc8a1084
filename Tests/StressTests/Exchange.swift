import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a stress run, made at random, and how it must end.
struct Exchange: Sendable {
  enum Style: CaseIterable { case async, completionHandler, delegate }

  enum Disturbance {
    case none
    case cancel(afterMilliseconds: Int)
    case cancelBeforeResume
    case suspendAndResume(afterMilliseconds: Int)
    case suspendBeforeResume
    case resumeAgain(afterMilliseconds: Int)
    case suspendAndCancel(afterMilliseconds: Int)
  }

  let kind: StressStubs.Kind
  let style: Style
  let disturbance: Disturbance
  let number: Int
  let session: Int

  init(number: Int, sessions: Int, using random: inout SplitMix64) {
    self.number = number
    kind = StressStubs.Kind.allCases.randomElement(using: &random)!
    style = Style.allCases.randomElement(using: &random)!
    session = Int.random(in: 0..<sessions, using: &random)
    let moment = Int.random(in: 0...20, using: &random)
    disturbance =
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1: .cancel(afterMilliseconds: moment)
      case 2: .cancelBeforeResume
      case 3, 4: .suspendAndResume(afterMilliseconds: moment)
      case 5: .suspendBeforeResume
      case 6: .resumeAgain(afterMilliseconds: moment)
      case 7: .suspendAndCancel(afterMilliseconds: moment)
      default: .none
      }
  }

  var mayBeCancelled: Bool {
    switch disturbance {
    case .cancel, .cancelBeforeResume, .suspendAndCancel: true
    case .none, .suspendAndResume, .suspendBeforeResume, .resumeAgain: false
    }
  }

  func url(worker: Int) -> URL { URL(string: "http://stress.example/\(kind)/\(worker)/\(number)")! }

  /// Starts the task and disturbs it as this exchange says.
  func run(_ task: URLSessionTask) {
    switch disturbance {
    case .none: task.resume()
    case .cancelBeforeResume:
      task.cancel()
      task.resume()
    case .suspendBeforeResume:
      task.suspend()
      task.resume()
      task.resume()
    case .cancel(let moment):
      task.resume()
      Self.after(moment) { task.cancel() }
    case .suspendAndResume(let moment):
      task.resume()
      Self.after(moment) {
        task.suspend()
        Self.after(moment / 2) { task.resume() }
      }
    case .resumeAgain(let moment):
      task.resume()
      Self.after(moment) {
        task.resume()
        task.resume()
      }
    case .suspendAndCancel(let moment):
      task.resume()
      Self.after(moment) {
        task.suspend()
        task.cancel()
      }
    }
  }

  private static let queue = DispatchQueue(label: "stress.disturbances", attributes: .concurrent)

  static func after(_ milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    if milliseconds == 0 {
      work()
    } else {
      queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
    }
  }
}

/// How a request ended.
enum Ending: Sendable {
  case body(String)
  case error(any Error)

  init(_ data: Data?, _ error: (any Error)?) {
    self = if let error { .error(error) } else { .body(String(decoding: data ?? Data(), as: UTF8.self)) }
  }
}
