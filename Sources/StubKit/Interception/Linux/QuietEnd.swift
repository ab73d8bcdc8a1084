#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Keeps a task quiet between its last client call and the moment when its owner learns of it.
  ///
  /// URLSession forgets a task's loader with the last client call, but marks the task as completed only after the
  /// delegate queue has run. A `resume()` in between finds a running task without a loader. URLSession then treats it
  /// as an unsupported URL and completes it a second time, or crashes because the task is gone from the session's
  /// registry. This gives the task a loader again, which does nothing and holds nothing.
  struct QuietEnd {
    private let field: any LoaderField

    /// Creates a session and a task to learn what a task with a loader looks like, so don't call this on a queue of
    /// URLSession.
    init?(named name: String = "_protocolStorage") {
      var type: Any.Type = Void.self
      let isLoaderState = { (found: Any.Type) in
        type = found
        return _typeName(found).hasSuffix(".ProtocolState")
      }
      guard let offset = offsetOfField(name, of: URLSessionTask.self, where: isLoaderState) else { return nil }

      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [QuietLoader.self]
      configuration.urlCache = nil
      let task = URLSession(configuration: configuration).dataTask(with: QuietLoader.url)
      task.resume()

      func open<State>(_: State.Type) -> (any LoaderField)? { TypedLoaderField<State>(offset: offset, sample: task) }
      guard let field = _openExistential(type, do: open) else { return nil }
      self.field = field
    }

    /// Call this on the task's work queue, right after the last client call.
    func begin(for task: URLSessionTask) { field.setQuietLoader(of: task) }

    /// Returns the loader that has the task now. Call this on the task's work queue.
    func loader(of task: URLSessionTask) -> URLProtocol? { field.loader(of: task) }
  }

  private protocol LoaderField {
    func setQuietLoader(of task: URLSessionTask)
    func loader(of task: URLSessionTask) -> URLProtocol?
  }

  /// The field that contains a task's loader, and a value of its type that contains the quiet loader. The type can't
  /// be named here.
  private struct TypedLoaderField<State>: LoaderField {
    let offset: Int
    let quiet: State

    init?(offset: Int, sample task: URLSessionTask) {
      self.offset = offset
      // Holds, here and below: offset and type are those of the field itself, and URLSession changes it on the task's
      // work queue only, once the loader exists.
      quiet = Self.address(in: task, offset).pointee
      guard let (label, loader) = Mirror(reflecting: quiet).children.first, label == "existing",
        let loader = loader as? QuietLoader
      else { return nil }
      loader.task = nil
      loader.client = nil
    }

    func setQuietLoader(of task: URLSessionTask) { Self.address(in: task, offset).pointee = quiet }

    func loader(of task: URLSessionTask) -> URLProtocol? {
      Mirror(reflecting: Self.address(in: task, offset).pointee).children.first?.value as? URLProtocol
    }

    private static func address(in task: URLSessionTask, _ offset: Int) -> UnsafeMutablePointer<State> {
      (Unmanaged.passUnretained(task).toOpaque() + offset).assumingMemoryBound(to: State.self)
    }
  }

  private final class QuietLoader: URLProtocol {
    static let url = URL(string: "stubkit-quiet:")!

    override class func canInit(with request: URLRequest) -> Bool { request.url == url }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
  }
#endif
