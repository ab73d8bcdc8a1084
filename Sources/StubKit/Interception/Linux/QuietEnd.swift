#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Keeps a task quiet between its last client call and the moment when its owner learns of it.
  ///
  /// URLSession forgets a task's loader with the last client call, but marks the task as completed only after the
  /// delegate queue has run. A `resume()` in between finds a running task without a loader. URLSession then treats it
  /// as an unsupported URL and completes it a second time, or crashes because the task is gone from the session's
  /// registry. This gives the task a loader again, which does nothing and holds nothing.
  struct QuietEnd: Sendable {
    private let field: any LoaderField
    /// The lock that URLSession holds while it creates a loader.
    private let lock: StoredField<NSLock>

    init?(named name: String = "_protocolStorage", lock lockName: String = "_protocolLock") {
      var type: Any.Type = Void.self
      let isLoaderState = { (found: Any.Type) in
        type = found
        return _typeName(found).hasSuffix(".ProtocolState")
      }
      guard let offset = offsetOfField(name, of: URLSessionTask.self, where: isLoaderState),
        let lock = StoredField<NSLock>(lockName, of: URLSessionTask.self)
      else { return nil }
      func open<State>(_: State.Type) -> (any LoaderField)? { TypedLoaderField<State>(offset: offset) }
      guard let field = _openExistential(type, do: open) else { return nil }
      self.field = field
      self.lock = lock
    }

    /// Call this on the task's work queue, right after the last client call.
    func begin(for task: URLSessionTask) { field.setQuietLoader(of: task) }

    /// Returns the loader that has the task now. Call this on the task's work queue.
    func loader(of task: URLSessionTask) -> URLProtocol? { field.payload(of: task) as? URLProtocol }

    /// Returns `true` if the task waits for its session's cache before it gets a loader.
    func isLookingIntoCache(_ task: URLSessionTask) -> Bool {
      lock.load(from: task).withLock { field.payload(of: task) }.map { !($0 is URLProtocol) } ?? false
    }
  }

  /// Where a task's loader is. The cases, their payloads and their order are those of the task's own type.
  private enum LoaderState {
    case toBeCreated
    case awaitingCacheReply(Replies)
    case existing(URLProtocol)
    case invalidated

    final class Replies {}
  }

  private protocol LoaderField: Sendable {
    func setQuietLoader(of task: URLSessionTask)
    /// What the case has that is in the field.
    func payload(of task: URLSessionTask) -> Any?
  }

  /// The field that contains a task's loader, and a value of its type that contains the quiet loader.
  ///
  /// The type can't be named here. This recognises it by its size and by its case: `existing` of ours, reinterpreted as
  /// a value of the field's type, must show the same label and the same loader.
  private struct TypedLoaderField<State>: LoaderField, @unchecked Sendable {
    // @unchecked holds because the values never change, and the loader in them does nothing.
    let offset: Int
    let quiet: State

    init?(offset: Int) {
      guard MemoryLayout<State>.size == MemoryLayout<LoaderState>.size,
        MemoryLayout<State>.stride == MemoryLayout<LoaderState>.stride,
        MemoryLayout<State>.alignment == MemoryLayout<LoaderState>.alignment
      else { return nil }
      let loader = QuietLoader(request: URLRequest(url: QuietLoader.url), cachedResponse: nil, client: nil)
      // URLSession gives every loader a client, and calls that of a task that is cancelled.
      loader.client = nil
      self.offset = offset
      // Holds: the sizes are equal, and both cases with a payload hold one reference, so it can be retained whichever
      // case it shows.
      quiet = unsafeBitCast(LoaderState.existing(loader), to: State.self)
      guard let (label, payload) = Mirror(reflecting: quiet).children.first, label == "existing",
        payload as? QuietLoader === loader
      else { return nil }
    }

    // Holds, here and below: offset and type are those of the field itself, and URLSession changes it on the task's
    // work queue only, once the loader exists.
    func setQuietLoader(of task: URLSessionTask) { Self.address(in: task, offset).pointee = quiet }

    func payload(of task: URLSessionTask) -> Any? {
      Mirror(reflecting: Self.address(in: task, offset).pointee).children.first?.value
    }

    private static func address(in task: URLSessionTask, _ offset: Int) -> UnsafeMutablePointer<State> {
      (Unmanaged.passUnretained(task).toOpaque() + offset).assumingMemoryBound(to: State.self)
    }
  }

  private final class QuietLoader: URLProtocol {
    static let url = URL(string: "stubkit-quiet:")!

    override func startLoading() {}
    override func stopLoading() {}
  }
#endif
