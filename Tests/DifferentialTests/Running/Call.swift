import Foundation
import StubKit

/// One request made as its cell says, whose end goes to the log.
final class Call: Sendable {
  /// The task, where the caller holds it.
  let task: URLSessionTask?
  /// What an async call came to. It is told on another queue than the delegate's, so it has no place among the
  /// delegate's calls.
  let outcome = EventLog()
  private let begin: @Sendable () async -> Void
  private let running = Protected<Task<Void, Never>?>(nil)

  init(
    cell: Cell, session: URLSession, request: URLRequest, body: RequestBody, delegate: RecordingDelegate?, log: EventLog
  ) {
    switch cell.style {
    case .sessionDelegate:
      begin = {}
      task =
        switch cell.kind {
        case .data: session.dataTask(with: request)
        case .uploadOfData: session.uploadTask(with: request, from: body.data)
        case .uploadOfFile: session.uploadTask(with: request, fromFile: body.file)
        case .streamedUpload: session.uploadTask(withStreamedRequest: request)
        case .download: session.downloadTask(with: request)
        }
    case .completionHandler, .completionHandlerBesideDelegate:
      begin = {}
      @Sendable func complete(_ received: String, _ response: URLResponse?, _ error: (any Error)?) {
        log.note("completion: \(received), \(Describing.error(error))")
        log.note("  \(Describing.response(response))")
        log.isOver.open()
      }
      let dataHandler = { @Sendable in complete(($0 as Data?)?.readable ?? "no data", $1, $2) }
      task =
        switch cell.kind {
        case .data: session.dataTask(with: request, completionHandler: dataHandler)
        case .uploadOfData: session.uploadTask(with: request, from: body.data, completionHandler: dataHandler)
        case .uploadOfFile: session.uploadTask(with: request, fromFile: body.file, completionHandler: dataHandler)
        case .streamedUpload: preconditionFailure("A streamed upload has no completion handler.")
        case .download:
          session.downloadTask(with: request) { complete("file \(Describing.file($0))", $1, $2) }
        }
    case .asyncCall, .asyncCallWithDelegate:
      task = nil
      begin = { [outcome] in
        do {
          func note(_ received: String, _ response: URLResponse) {
            outcome.note("returns \(received)")
            outcome.note("  \(Describing.response(response))")
          }
          func note(_ answer: (data: Data, head: URLResponse)) { note(answer.data.readable, answer.head) }
          switch cell.kind {
          case .data: note(try await session.data(for: request, delegate: delegate))
          case .uploadOfData: note(try await session.upload(for: request, from: body.data, delegate: delegate))
          case .uploadOfFile: note(try await session.upload(for: request, fromFile: body.file, delegate: delegate))
          case .download:
            let (file, head) = try await session.download(for: request, delegate: delegate)
            note("file \(Describing.file(file))", head)
          case .streamedUpload: preconditionFailure("A streamed upload has no async call.")
          }
        } catch {
          outcome.note("throws \(Describing.error(error))")
        }
        log.isOver.open()
      }
    }
  }

  func start() {
    if let task { return task.resume() }
    running.withLock { $0 = Task { await begin() } }
  }

  func cancel() {
    if let task { return task.cancel() }
    running.withLock { $0 }?.cancel()
  }
}

/// The body that an upload sends, as bytes and as a file.
struct RequestBody: Sendable {
  let data: Data
  let file: URL

  init(_ cell: Cell) {
    data = Data(cell.exchange.requestBody.utf8)
    file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
    if cell.kind == .uploadOfFile { try? data.write(to: file) }
  }

  func remove() { try? FileManager.default.removeItem(at: file) }
}
