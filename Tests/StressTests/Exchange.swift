import Foundation
import StubKit
import TestSupport

/// One request of a stress run, made at random, and how it must end.
struct Exchange: Sendable {
  enum Style: CaseIterable { case async, completionHandler, delegate }
  enum TaskKind: CaseIterable { case data, upload, uploadFromFile, download }

  enum Disturbance {
    case none
    case cancel(after: Duration)
    case cancelBeforeResume
    case suspendAndResume(after: Duration)
    case suspendBeforeResume
    case resumeAgain(after: Duration)
    case suspendAndCancel(after: Duration)
  }

  /// What the cancellation handler around an async call does.
  enum CancelHandler: CaseIterable { case nothing, cancelsOther, makesTask }

  let kind: StressStubs.Kind
  let taskKind: TaskKind
  let style: Style
  let disturbance: Disturbance
  let cancelHandler: CancelHandler
  let number: Int
  let session: Int

  /// - Parameter isRecorded: Whether what comes from the network is recorded.
  init(number: Int, sessions: Int, isRecorded: Bool, using random: inout SplitMix64) {
    self.number = number
    // Few of them go to the network: each takes a port of this machine for a minute.
    kind =
      Int.random(in: 0..<50, using: &random) == 0
      ? StressStubs.Kind.onTheNetwork.randomElement(using: &random)!
      : StressStubs.Kind.stubbed.randomElement(using: &random)!
    let isNative = kind.isOnTheNetwork && !isRecorded
    taskKind = isNative ? .data : TaskKind.allCases.randomElement(using: &random)!
    style = Style.allCases.randomElement(using: &random)!
    session = Int.random(in: 0..<sessions, using: &random)
    cancelHandler = CancelHandler.allCases.randomElement(using: &random)!
    // An answer without a delay takes some hundred microseconds.
    let most = [0, 300, 20_000].randomElement(using: &random)!
    let moment = Duration.microseconds(Int.random(in: 0...most, using: &random))
    // The system's own loader does not survive every suspension, nor a resumption in the moment of its end.
    let disturbances = isNative ? 4..<12 : 0..<12
    disturbance =
      switch Int.random(in: disturbances, using: &random) {
      case 0, 1: .suspendAndResume(after: moment)
      case 2: .suspendAndCancel(after: moment)
      case 3: .resumeAgain(after: moment)
      case 4: .suspendBeforeResume
      case 5, 6: .cancel(after: moment)
      case 7: .cancelBeforeResume
      default: .none
      }
  }

  var mayBeCancelled: Bool {
    switch disturbance {
    case .cancel, .cancelBeforeResume, .suspendAndCancel: true
    case .none, .suspendAndResume, .suspendBeforeResume, .resumeAgain: false
    }
  }

  var hasBody: Bool { taskKind == .upload || taskKind == .uploadFromFile }

  var method: String { hasBody ? "PUT" : "GET" }

  func request(worker: Int, server: LoopbackServer) -> URLRequest {
    let path = "/\(kind)/\(worker)/\(number)"
    let url = kind == .passedThrough ? server.url(path) : URL(string: "http://stress.example\(path)")!
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.timeoutInterval = kind == .silent ? 0.03 : 600
    return request
  }

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

  static func after(_ moment: Duration, _ work: @escaping @Sendable () -> Void) {
    guard moment > .zero else { return work() }
    queue.asyncAfter(deadline: .now() + .microseconds(Int(moment / .microseconds(1))), execute: work)
  }
}

/// How a request ended.
enum Ending: Sendable {
  case body(String)
  case error(any Error)

  init(_ data: Data?, _ error: (any Error)?) {
    self = if let error { .error(error) } else { .body((data ?? Data()).text) }
  }

  /// The end of a download, whose file is removed.
  init(file: URL?, _ error: (any Error)?) {
    self.init(file.flatMap { try? Data(contentsOf: $0) }, error)
    if let file { try? FileManager.default.removeItem(at: file) }
  }
}
