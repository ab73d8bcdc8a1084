import Dispatch
import Foundation
import StubKit
import TestSupport

/// What the cancellation handler around an async call does.
enum CancelHandler: CaseIterable {
  case nothing
  case cancelsOthers
  case makesTask
}

/// Makes async calls on a few threads, and cancels each of them at a moment between its start and its usual end.
///
/// A thread that cancels, or a call, may be held up for ever. The run then ends without it.
final class CancelRun: Sendable {
  private let isOver = Latch()
  private let handler: CancelHandler
  private let session: URLSession
  private let state: Locked<State>

  private struct State {
    var left: Int
    var running = 0
    var answered = 0
    var cancelled = 0
    var faults: [String] = []

    var ended: Int { answered + cancelled + faults.count }
  }

  init(handler: CancelHandler, calls: Int) {
    self.handler = handler
    state = Locked(State(left: calls))
    let registry = StubRegistry()
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 3_600
    session = registry.makeSession(configuration: configuration)
    stub(condition: isPath("/constant"), response: .text("constant"), in: registry)
    stub(condition: isPath("/delayed"), response: .text("delayed").delay(.microseconds(100)), in: registry)
    stub(condition: isPath("/closure"), in: registry) { _ in .text("closure") }
    stub(condition: isPath("/failing"), response: .failure(.networkConnectionLost), in: registry)
    stub(condition: isPath("/silent"), response: .noAnswer, in: registry)
  }

  var faults: [String] { state.withLock { $0.faults } }
  var summary: String {
    state.withLock { "\($0.answered) answered, \($0.cancelled) cancelled, \($0.faults.count) faults" }
  }

  /// Starts the threads, and waits until the last one has ended, or no call has ended during a minute of pauses.
  func run(seed: UInt64, threads: Int = 4) async throws {
    state.withLock { $0.running = threads }
    for thread in 0..<threads {
      Thread.detachNewThread { [self] in
        var random = SplitMix64(seed: seed &+ UInt64(thread) &* 1_000_003)
        // The time that a call usually takes, in nanoseconds.
        var usual: UInt64 = 200_000
        while takesCall() { call(using: &random, usual: &usual) }
        let isLast = state.withLock { state in
          state.running -= 1
          return state.running == 0
        }
        guard isLast else { return }
        session.invalidateAndCancel()
        isOver.open()
      }
    }
    while !isOver.isOpen {
      let before = state.withLock(\.ended)
      let goesOn = try await holds(within: .seconds(60)) { isOver.isOpen || state.withLock(\.ended) != before }
      guard goesOn else { return state.withLock { $0.faults.append("no call has ended for a minute") } }
    }
  }

  private func takesCall() -> Bool {
    state.withLock { state in
      defer { state.left -= 1 }
      return state.left > 0
    }
  }

  private func call(using random: inout SplitMix64, usual: inout UInt64) {
    let path = ["constant", "constant", "constant", "delayed", "closure", "failing"].randomElement(using: &random)!
    let call = AsyncCall.possible.randomElement(using: &random)!
    let moment = UInt64.random(in: 0...usual * 3 / 2, using: &random)
    let isOver = DispatchSemaphore(value: 0)
    let onCancel = onCancel
    let start = DispatchTime.now().uptimeNanoseconds
    let task = Task { [self] in
      let result = await Result {
        try await withTaskCancellationHandler {
          try await call.text(of: "http://a.example/\(path)", in: session)
        } onCancel: {
          onCancel()
        }
      }
      note(result, of: path)
      isOver.signal()
    }
    while DispatchTime.now().uptimeNanoseconds - start < moment {}
    task.cancel()
    isOver.wait()
    let time = DispatchTime.now().uptimeNanoseconds - start
    usual = min(max((usual * 7 + time) / 8, 50_000), 2_000_000)
    // What it would have cancelled is to end too.
    if handler == .cancelsOthers { onCancel() }
  }

  private func note(_ result: Result<String, any Error>, of path: String) {
    state.withLock { state in
      switch result {
      case .success(path): state.answered += 1
      case .success(let text): state.faults.append("\(path): \(text)")
      case .failure(let error as URLError) where error.code == .networkConnectionLost && path == "failing":
        state.answered += 1
      case .failure(let error) where (error as? URLError)?.code == .cancelled || error is CancellationError:
        state.cancelled += 1
      case .failure(let error): state.faults.append("\(path): \(error)")
      }
    }
  }

  private var onCancel: @Sendable () -> Void {
    guard let url = URL(string: "http://a.example/silent") else { return {} }
    let session = session
    switch handler {
    case .nothing:
      return {}
    case .cancelsOthers:
      let task = session.dataTask(with: url) { _, _, _ in }
      task.resume()
      let call = Task { try await session.data(from: url) }
      return {
        task.cancel()
        call.cancel()
      }
    case .makesTask:
      return {
        let task = session.dataTask(with: url) { _, _, _ in }
        task.resume()
        task.cancel()
      }
    }
  }
}

/// The ways of making an async call.
private enum AsyncCall: CaseIterable {
  case data
  case dataOfURL
  case upload
  case download

  static let possible = allCases.filter { !PlainMode.isOn || $0 != .download }

  func text(of address: String, in session: URLSession) async throws -> String {
    guard let url = URL(string: address) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    if self == .upload { request.httpMethod = "POST" }
    switch self {
    case .data: return String(decoding: try await session.data(for: request).0, as: UTF8.self)
    case .dataOfURL: return String(decoding: try await session.data(from: url).0, as: UTF8.self)
    case .upload:
      return String(decoding: try await session.upload(for: request, from: Data("body".utf8)).0, as: UTF8.self)
    case .download:
      let (file, _) = try await session.download(for: request)
      defer { try? FileManager.default.removeItem(at: file) }
      return try String(contentsOf: file, encoding: .utf8)
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
