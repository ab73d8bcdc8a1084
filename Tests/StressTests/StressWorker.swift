import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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

  func delegatedTask(_ index: Int, _ url: URL, _ end: @escaping @Sendable (Ending) -> Void) -> URLSessionTask {
    let (session, recorder) = delegated[index]
    let task = session.dataTask(with: url)
    recorder.expect(task, end)
    return task
  }

  func invalidate() {
    for (session, _) in delegated { session.finishTasksAndInvalidate() }
  }
}

/// Makes one request after another in a scope of its own, and checks how each ends.
struct StressWorker {
  let number: Int
  let sessions: StressSessions
  let progress: StressProgress

  func run(requests: Int, fixture: URL, using random: inout SplitMix64) async {
    var generator = random
    await withStubs {
      StressStubs.register(worker: number, fixture: fixture, using: &generator)
      for request in 0..<requests {
        let exchange = Exchange(number: request, sessions: sessions.count, using: &generator)
        progress.begin(exchange, worker: number)
        let ending = await perform(exchange)
        progress.complete(
          exchange, worker: number,
          fault: StressStubs.fault(in: ending, of: exchange, worker: number).map { "\(exchange): \($0)" })
      }
    }
  }

  private func perform(_ exchange: Exchange) async -> Ending {
    let url = exchange.url(worker: number)
    switch exchange.style {
    case .async: return await performAsync(exchange, url)
    case .completionHandler, .delegate:
      let once = Once(progress)
      return await withCheckedContinuation { continuation in
        once.onFirst = { continuation.resume(returning: $0) }
        let task: URLSessionTask =
          exchange.style == .delegate
          ? sessions.delegatedTask(exchange.session, url) { once.call($0) }
          : sessions.plain[exchange.session].dataTask(with: url) { data, _, error in once.call(Ending(data, error)) }
        exchange.run(task)
      }
    }
  }

  /// There is no task to suspend here: the Swift task is cancelled, at once or after a while.
  private func performAsync(_ exchange: Exchange, _ url: URL) async -> Ending {
    let session = sessions.plain[exchange.session]
    let request = Task {
      do { return Ending(try await session.data(from: url).0, nil) } catch { return Ending(nil, error) }
    }
    switch exchange.disturbance {
    case .cancelBeforeResume: request.cancel()
    case .cancel(let moment), .suspendAndCancel(let moment): Exchange.after(moment) { request.cancel() }
    case .none, .suspendAndResume, .suspendBeforeResume, .resumeAgain: break
    }
    return await request.value
  }
}

/// Passes on the first call and reports every further one.
final class Once: @unchecked Sendable {
  // @unchecked holds because `onFirst` is set before the task that calls is started.
  var onFirst: @Sendable (Ending) -> Void = { _ in }
  private let calls = Locked(0)
  private let progress: StressProgress

  init(_ progress: StressProgress) { self.progress = progress }

  func call(_ ending: Ending) {
    let number = calls.withLock {
      $0 += 1
      return $0
    }
    if number == 1 { onFirst(ending) } else { progress.report("a second completion: \(ending)") }
  }
}
