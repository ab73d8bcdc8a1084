#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// The body that a task will send.
  ///
  /// URLSession keeps the body apart from the request, so the request doesn't show the body of an upload. The body is
  /// in a field whose type can't be named here. Reflection distinguishes the field's cases, which takes microseconds.
  /// To write the field, StubKit copies that of another task.
  struct TaskBody: Sendable {
    enum Content {
      case none
      case data(Data)
      case file(URL)
      case stream(InputStream)
      /// The delegate will be asked for a stream.
      case fromDelegate
    }

    private let field: any BodyField

    init?(named name: String = "knownBody") {
      var type: Any.Type = Void.self
      let isBody = { (found: Any.Type) in
        type = found
        return _typeName(found) == "Swift.Optional<FoundationNetworking.URLSessionTask._Body>"
      }
      guard let offset = offsetOfField(name, of: URLSessionTask.self, where: isBody) else { return nil }
      func open<Value>(_: Value.Type) -> any BodyField { TypedBodyField<Value>(offset: offset) }
      field = _openExistential(type, do: open)
    }

    /// Returns `nil` for an unknown kind of body.
    func of(_ task: URLSessionTask) -> Content? {
      guard let body = Mirror(reflecting: field.value(of: task)).children.first?.value else { return .fromDelegate }
      guard let (label, payload) = Mirror(reflecting: body).children.first else { return Content.none }
      switch (label, payload) {
      case ("data", let data as DispatchData): return .data(data.bytes)
      case ("file", let file as URL): return .file(file)
      case ("stream", let stream as InputStream): return .stream(stream)
      default: return nil
      }
    }

    /// Replaces the body that a task will send. `data` is `nil` for none. Returns `false` if that isn't possible.
    ///
    /// It creates a task to copy from, so don't call this on a queue of URLSession.
    func set(_ data: Data?, of task: URLSessionTask, on queue: DispatchQueue) async -> Bool {
      let donor =
        data.map { Self.donors.uploadTask(with: URLRequest(url: DonorLoader.url), from: $0) }
        ?? Self.donors.dataTask(with: DonorLoader.url)
      // A task that never starts would stay with its session.
      defer { donor.cancel() }
      switch (of(donor), data) {
      case (.data(let donated), let data?): guard donated.count == data.count else { return false }
      case (.some(.none), nil): break
      default: return false
      }
      await withCheckedContinuation { continuation in
        queue.async {
          field.copy(from: donor, to: task)
          continuation.resume()
        }
      }
      return true
    }

    /// Makes a task send no body. Returns `false` if that isn't possible. Call this on the task's work queue.
    func drop(of task: URLSessionTask) -> Bool {
      if case .some(.none) = of(task) { return true }
      // A task of nobody, without a session. It can be created anywhere.
      let donor = URLSessionTask()
      guard case .some(.none) = of(donor) else { return false }
      field.copy(from: donor, to: task)
      return true
    }

    private static let donors: URLSession = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [DonorLoader.self]
      configuration.urlCache = nil
      return URLSession(configuration: configuration)
    }()
  }

  private protocol BodyField: Sendable {
    func value(of task: URLSessionTask) -> Any
    func copy(from donor: URLSessionTask, to task: URLSessionTask)
  }

  private struct TypedBodyField<Value>: BodyField {
    let offset: Int

    func value(of task: URLSessionTask) -> Any { address(in: task).pointee }

    /// Call this on the task's work queue.
    func copy(from donor: URLSessionTask, to task: URLSessionTask) {
      address(in: task).pointee = address(in: donor).pointee
    }

    // Holds: offset and type are those of the field itself. URLSession reads it on the task's work queue, and writes
    // it only once its own loader has the task.
    private func address(in task: URLSessionTask) -> UnsafeMutablePointer<Value> {
      (Unmanaged.passUnretained(task).toOpaque() + offset).assumingMemoryBound(to: Value.self)
    }
  }

  extension DispatchData {
    /// The bytes, which aren't copied if they are in one piece.
    fileprivate var bytes: Data {
      guard count > 0 else { return Data() }
      guard regions.count == 1 else { return withUnsafeBytes { Data(bytes: $0, count: count) } }
      // Holds: one piece stays in place as long as its owner lives, and the deallocator keeps the owner.
      let start: UnsafePointer<UInt8> = withUnsafeBytes { $0 }
      return Data(
        bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: count,
        deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
    }
  }

  private final class DonorLoader: URLProtocol {
    static let url = URL(string: "stubkit-body:")!

    override class func canInit(with request: URLRequest) -> Bool { request.url == url }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {}
    override func stopLoading() {}
  }
#endif
