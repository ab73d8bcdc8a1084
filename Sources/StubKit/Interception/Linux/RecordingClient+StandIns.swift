#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The stand-ins that a session and a task have while the system's loader works. They receive what the loader doesn't
  /// tell its client.
  extension RecordingClient {
    func placeProxy() {
      guard ownDelegate == nil, session != nil, let field = Platform.internals?.ownDelegate else { return }
      let delegate = task.delegate
      ownDelegate = .some(field.of(task))
      field.set(TaskDelegateProxy(delegate, self, recording), of: task)
    }

    func removeProxy() {
      guard let own = ownDelegate, let field = Platform.internals?.ownDelegate else { return }
      if field.of(task) is TaskDelegateProxy { field.set(own, of: task) }
      ownDelegate = nil
    }

    /// Determines how the body will arrive. If the body would go nowhere, this makes it arrive here.
    func listen() {
      guard let session,
        let behaviour = Platform.internals?.taskBehaviours.behaviour(of: task, in: session)
      else {
        bodyWay =
          task is URLSessionDownloadTask
          ? .file : .unknown("has a body that went to a delegate, and can't be recorded on this system")
        return
      }
      hidesHead = false
      pieceTimes = nil
      switch behaviour {
      case .callDelegate: listen(inPlaceOf: session.delegate as? any URLSessionTaskDelegate, in: session)
      case .dataCompletionHandler(let handler), .dataCompletionHandlerWithTaskDelegate(let handler, nil):
        bodyWay = .client
        // The loader counts the bytes that it sends only if there is a listener.
        if !sendsBody { hearHead(handler) }
      case .dataCompletionHandlerWithTaskDelegate(let handler, let delegate?):
        bodyWay =
          hearsInOrder(session)
          ? .delegate(.dataCompletionHandlerWithTaskDelegate(handler, PieceListener(delegate, recording))) : .client
      case .downloadCompletionHandlerWithTaskDelegate(let handler, let delegate as any URLSessionDownloadDelegate):
        guard hearsInOrder(session) else {
          bodyWay = .unknown("is a download with its own delegate, whose file URLSession writes twice")
          return
        }
        bodyWay = .doubledFile
        put(.downloadCompletionHandlerWithTaskDelegate(handler, WrittenListener(delegate, recording)))
      case .downloadCompletionHandler, .downloadCompletionHandlerWithTaskDelegate: bodyWay = .file
      }
    }

    private func listen(inPlaceOf delegate: (any URLSessionTaskDelegate)?, in session: URLSession) {
      switch (task, delegate) {
      case (is URLSessionDownloadTask, .some(is any URLSessionDownloadDelegate)): bodyWay = .file
      case (is URLSessionDownloadTask, _):
        bodyWay = .file
        put(.downloadCompletionHandlerWithTaskDelegate({ _, _, _ in }, delegate))
      case (_, nil):
        bodyWay = .client
        if sendsBody { put(.dataCompletionHandler { _, _, _ in }) } else { hearHead { _, _, _ in } }
      case (_, let delegate?) where session.delegateQueue.maxConcurrentOperationCount == 1:
        bodyWay = .delegate(
          .dataCompletionHandlerWithTaskDelegate({ _, _, _ in }, PieceListener(delegate, recording)))
      case (_, .some):
        bodyWay = .unknown("has a body that went to a delegate queue that runs several operations at a time")
      }
    }

    /// Returns whether everything passes through the delegate queue, one operation at a time.
    private func hearsInOrder(_ session: URLSession) -> Bool {
      Platform.internals != nil && session.delegateQueue.maxConcurrentOperationCount == 1
    }

    private func hearHead(_ handler: @escaping TaskBehaviour.DataHandler) {
      hidesHead = true
      pieceTimes = session.map(hearsInOrder) == true ? PieceTimes(recording) : nil
      put(.dataCompletionHandlerWithTaskDelegate(handler, pieceTimes ?? HeadListener()))
    }

    func put(_ behaviour: TaskBehaviour) {
      guard replaced == nil, let session, let exchange = Platform.internals?.taskBehaviours else {
        return
      }
      replaced = exchange.behaviour(of: task, in: session)
      exchange.set(behaviour, of: task, in: session)
    }

    func putBack() {
      guard let replaced, let session else { return }
      Platform.internals?.taskBehaviours.set(replaced, of: task, in: session)
      self.replaced = nil
    }

    private var sendsBody: Bool {
      guard let body = Platform.internals?.taskBody.of(task) else {
        return task is URLSessionUploadTask || task.originalRequest?.httpBody != nil
          || task.originalRequest?.httpBodyStream != nil
      }
      if case .none = body { return false }
      return true
    }
  }
#endif
