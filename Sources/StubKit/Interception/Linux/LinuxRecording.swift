#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The preparation of a recording: it also needs the body that a task sends.
  extension Platform {
    /// Returns the work that must precede the recording of a task's body, or `nil` if there is none. The outer closure
    /// runs away from the queue, and the closure that it returns runs on the queue.
    static func prepare(
      _ recording: any ExchangeRecording, of task: URLSessionTask, for request: URLRequest
    ) -> (@Sendable () async -> @Sendable () -> Void)? {
      guard let taskBody = internals?.taskBody else { return nil }
      switch taskBody.of(task) {
      case .file(let file):
        return {
          recording.setRequestBody(ofFile: file)
          return {}
        }
      case .stream where relaysRecordings: return nil
      case .stream(let stream):
        // Holds: only the loader reads the stream, and it starts afterwards.
        nonisolated(unsafe) let recorded = RecordedStream(stream, recording)
        return {
          let donor = taskBody.makeDonor(of: recorded)
          return {
            _ = taskBody.set(recorded, from: donor, of: task)
            // A task that never starts would stay with its session. Cancelling it waits for a queue of URLSession.
            WorkerPool.errands.run { donor.cancel() }
          }
        }
      case .data(let data):
        // The request shows no body that StubKit has read from a stream.
        recording.setRequestBody(data)
        return nil
      case nil, .some(.none), .fromDelegate: return nil
      }
    }
  }
#endif
