#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// What a recording takes besides what comes back.
  extension Platform {
    /// What has to be done before a task's body can be recorded: away from the queue, and then on the queue. Nil for nothing.
    static func prepare(
      _ recording: ExchangeRecording, of task: URLSessionTask, for request: URLRequest
    ) -> (@Sendable () async -> @Sendable () -> Void)? {
      guard let taskBody = mechanisms.taskBody else { return nil }
      switch taskBody.of(task) {
      case .file(let file):
        return {
          // Who sends the file finds out what is wrong with it.
          if let body = try? BodySpool.body(ofFile: file) { recording.setRequestBody(body.data) }
          return {}
        }
      case .stream(let stream):
        // Holds: only the loader reads it, which starts afterwards.
        nonisolated(unsafe) let recorded = RecordedStream(stream, recording)
        return {
          let donor = taskBody.makeDonor(of: recorded)
          return {
            _ = taskBody.set(recorded, from: donor, of: task)
            // A task that never starts would stay with its session. To cancel it is to wait for a queue of URLSession's.
            WorkerPool.errands.run { donor.cancel() }
          }
        }
      case nil, .some(.none), .data, .fromDelegate: return nil
      }
    }
  }
#endif
