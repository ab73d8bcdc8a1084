import Foundation
import StubKit
import TestSupport

/// The sessions that all workers share: with and without a cache, and with a delegate.
final class StressSessions: Sendable {
  let plain: [URLSession]
  private let delegated: [(session: URLSession, recorder: EventRecorder)]

  init() {
    plain = [.shared, URLSession(configuration: .default), URLSession(configuration: .ephemeral)]
    delegated = [URLSessionConfiguration.default, .ephemeral, .ephemeral].map { configuration in
      let recorder = EventRecorder()
      return (URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil), recorder)
    }
  }

  var count: Int { plain.count }
  var faults: [String] { delegated.flatMap(\.recorder.faults) }

  func delegatedTask(
    _ exchange: Exchange, _ request: URLRequest, payload: URL, _ end: @escaping @Sendable (Ending) -> Void
  ) -> URLSessionTask {
    let (session, recorder) = delegated[exchange.session]
    let task: URLSessionTask =
      switch exchange.taskKind {
      case .data: session.dataTask(with: request)
      case .upload: session.uploadTask(with: request, from: StressStubs.payload)
      case .uploadFromFile: session.uploadTask(with: request, fromFile: payload)
      case .download: session.downloadTask(with: request)
      }
    recorder.expect(task, heads: exchange.kind == .challenge ? 2 : 1, end)
    return task
  }

  func plainTask(
    _ exchange: Exchange, _ request: URLRequest, payload: URL, _ end: @escaping @Sendable (Ending) -> Void
  ) -> URLSessionTask {
    let session = plain[exchange.session]
    let endWithData = { @Sendable (data: Data?, _: URLResponse?, error: (any Error)?) in end(Ending(data, error)) }
    return switch exchange.taskKind {
    case .data:
      session.dataTask(with: request, completionHandler: endWithData)
    case .upload:
      session.uploadTask(with: request, from: StressStubs.payload, completionHandler: endWithData)
    case .uploadFromFile:
      session.uploadTask(with: request, fromFile: payload, completionHandler: endWithData)
    case .download:
      session.downloadTask(with: request) { file, _, error in end(Ending(file: file, error)) }
    }
  }

  func invalidate() {
    for (session, _) in delegated { session.finishTasksAndInvalidate() }
  }
}

/// What is outside of the process's memory: a fixture, a file to upload, and a server.
struct StressPlace: Sendable {
  private let folder: TestFolder
  let server: LoopbackServer
  var fixture: URL { folder.file("fixture.txt") }
  var payload: URL { folder.file("payload") }

  init() throws {
    (folder, server) = (try TestFolder(), try LoopbackServer())
    try Data("the fixture".utf8).write(to: fixture)
    try StressStubs.payload.write(to: payload)
  }
}

/// Makes one request after another in a scope of its own, and checks how each ends.
struct StressWorker {
  let number: Int
  let sessions: StressSessions
  let progress: StressProgress
  let place: StressPlace
  private let registry = StubRegistry()
  /// For the tasks that cancellation handlers cancel and make, on threads that no scope is known on.
  private let others: URLSession

  init(number: Int, sessions: StressSessions, progress: StressProgress, place: StressPlace) {
    (self.number, self.sessions, self.progress, self.place) = (number, sessions, progress, place)
    others = registry.makeSession()
  }

  func run(requests: Int, using random: inout SplitMix64) async {
    var generator = random
    let recorder = number % 3 == 1 && !PlainMode.isOn ? StressRecorder() : nil
    defer { others.invalidateAndCancel() }
    await withStubs(in: registry) {
      _ = StubRegistry.current.begin(RecordingInUse(recorder, isOfTest: true))
      StressStubs.register(worker: number, fixture: place.fixture, server: place.server, using: &generator)
      for request in 0..<requests where !progress.isGivenUp {
        let exchange = Exchange(
          number: request, sessions: sessions.count, isRecorded: recorder != nil, using: &generator)
        let ending = await perform(exchange)
        let fault =
          StressStubs.fault(in: ending, of: exchange, worker: number)
          ?? (exchange.kind.isOnTheNetwork ? recorder?.fault(of: ending) : nil)
        progress.complete(exchange, worker: number, fault: fault.map { "\(exchange): \($0)" })
      }
    }
  }

  private func perform(_ exchange: Exchange) async -> Ending {
    let request = exchange.request(worker: number, server: place.server)
    return await withCheckedContinuation { continuation in
      let once = Once(progress) { continuation.resume(returning: $0) }
      progress.begin(exchange, worker: number) { once.call(.error(GivenUp())) }
      switch exchange.style {
      case .async: performAsync(exchange, request) { once.call($0) }
      case .completionHandler:
        exchange.run(sessions.plainTask(exchange, request, payload: place.payload) { once.call($0) })
      case .delegate:
        exchange.run(sessions.delegatedTask(exchange, request, payload: place.payload) { once.call($0) })
      }
    }
  }

  /// There is no task to suspend here: the Swift task is cancelled, at once or after a while.
  private func performAsync(
    _ exchange: Exchange, _ urlRequest: URLRequest, _ end: @escaping @Sendable (Ending) -> Void
  ) {
    let session = sessions.plain[exchange.session]
    let payload = place.payload
    let (onCancel, endOther) = cancelHandler(of: exchange)
    let request = Task {
      do {
        let ending = try await withTaskCancellationHandler {
          switch exchange.taskKind {
          case .data: Ending(try await session.data(for: urlRequest).0, nil)
          case .upload: Ending(try await session.upload(for: urlRequest, from: StressStubs.payload).0, nil)
          case .uploadFromFile: Ending(try await session.upload(for: urlRequest, fromFile: payload).0, nil)
          case .download: Ending(file: try await session.download(for: urlRequest).0, nil)
          }
        } onCancel: {
          onCancel()
        }
        end(ending)
      } catch {
        end(Ending(nil, error))
      }
      endOther()
    }
    switch exchange.disturbance {
    case .cancelBeforeResume: request.cancel()
    case .cancel(let moment), .suspendAndCancel(let moment): Exchange.after(moment) { request.cancel() }
    case .none, .suspendAndResume, .suspendBeforeResume, .resumeAgain: break
    }
  }

  /// Returns what is done when an async call is cancelled, and what is done after its end.
  private func cancelHandler(of exchange: Exchange) -> (onCancel: @Sendable () -> Void, afterEnd: @Sendable () -> Void)
  {
    let makeTask: @Sendable () -> URLSessionTask = { [others] in
      let task = others.dataTask(with: url("http://stress.example/other")) { _, _, _ in }
      task.resume()
      return task
    }
    switch exchange.cancelHandler {
    case .nothing: return ({}, {})
    case .cancelsOther:
      let task = makeTask()
      return ({ task.cancel() }, { task.cancel() })
    case .makesTask: return ({ makeTask().cancel() }, {})
    }
  }
}

/// How a request ends that nobody waits for any more.
private struct GivenUp: Error {}

/// Passes on the first call and reports every further one.
private final class Once: Sendable {
  private let calls = Locked(0)
  private let progress: StressProgress
  private let onFirst: @Sendable (Ending) -> Void

  init(_ progress: StressProgress, onFirst: @escaping @Sendable (Ending) -> Void) {
    (self.progress, self.onFirst) = (progress, onFirst)
  }

  func call(_ ending: Ending) {
    if calls.adding(1) == 1 { onFirst(ending) } else { progress.report("a second completion: \(ending)") }
  }
}
