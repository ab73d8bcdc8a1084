#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The system's own loaders, as they were before StubKit was installed.
  enum NativeLoader {
    /// The classes of a default configuration: HTTP, FTP, WebSocket. Must be read before the configuration hook is
    /// installed.
    static let classes = (URLSessionConfiguration.default.protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }

    /// Returns the class that loads a request, or `nil` for a scheme that the system doesn't load.
    static func of(_ request: URLRequest) -> URLProtocol.Type? { classes.first { $0.canInit(with: request) } }
  }

  /// Keeps a task quiet between its last client call and the moment when its owner learns of it.
  ///
  /// URLSession forgets a task's loader with the last client call, but marks the task as completed only after the
  /// delegate queue has run. A `resume()` in between finds a running task without a loader. URLSession then treats it
  /// as an unsupported URL and completes it a second time, or crashes because the task is gone from the session's
  /// registry. This gives the task a loader again, which does nothing and holds nothing.
  ///
  /// The type of the field that contains the loader can't be named here. This recognises it by its size and by its case:
  /// `LoaderState.existing`, reinterpreted as a value of the field's type, must show the same label and the same loader.
  struct IdleLoader: @unchecked Sendable {
    // Safe because neither changes, and the loader does nothing.
    private let field: FoundField
    private let idle: LoaderState

    init(named name: FoundationInternal = .protocolStorage) throws(MissingInternal) {
      field = try FoundField(name, of: URLSessionTask.self) { _typeName($0).hasSuffix(".ProtocolState") }
      let request = URLRequest(url: URL(string: "stubkit-idle:")!)
      let loader = Unstubbed(request: request, cachedResponse: nil, client: nil)
      // URLSession gives every loader a client, and calls that of a task that is cancelled.
      loader.client = nil
      let idle = LoaderState.existing(loader)
      func isShown<State>(by _: State.Type) -> Bool {
        guard MemoryLayout<State>.size == MemoryLayout<LoaderState>.size,
          MemoryLayout<State>.stride == MemoryLayout<LoaderState>.stride,
          MemoryLayout<State>.alignment == MemoryLayout<LoaderState>.alignment
        else { return false }
        // Safe because the sizes are equal, and both cases with a payload hold one reference, so it can be retained
        // whichever case it shows.
        let shown = Mirror(reflecting: unsafeBitCast(idle, to: State.self)).children.first
        return shown?.label == "existing" && shown?.value as? Unstubbed === loader
      }
      guard _openExistential(field.type, do: isShown) else { throw MissingInternal(name) }
      self.idle = idle
    }

    /// Call this on the task's work queue, right after the last client call.
    func install(in task: URLSessionTask) {
      // Safe because the layouts are equal, and URLSession changes the field on the task's work queue only, once the loader
      // exists.
      field.address(in: task).assumingMemoryBound(to: LoaderState.self).pointee = idle
    }
  }

  /// Where a task's loader is. The cases, their payloads and their order are those of the task's own type.
  private enum LoaderState {
    case toBeCreated
    case awaitingCacheReply(AnyObject)
    case existing(URLProtocol)
    case invalidated
  }

  /// The values that completion handlers and download tasks receive at the end.
  ///
  /// A defect of swift-corelibs-foundation: URLSession reads both from `URLProtocol.properties`, an internal dictionary
  /// that only its own loaders write. Of any other loader, a completion handler gets the last piece of the body, and a
  /// download task gets nothing. This writes the same keys.
  struct LoadProperties: Sendable {
    private let dictionary: any LoadPropertyDictionary.Type
    private let field: FoundField

    init(named name: FoundationInternal = .properties) throws(MissingInternal) {
      field = try FoundField(name, of: URLProtocol.self) { $0 is any LoadPropertyDictionary.Type }
      guard let dictionary = field.type as? any LoadPropertyDictionary.Type,
        LoadProperty.allCases.allSatisfy(dictionary.accepts)
      else { throw MissingInternal(name) }
      self.dictionary = dictionary
    }

    func set(_ property: LoadProperty, to value: Any, of loader: URLProtocol) {
      // Safe because offset and dictionary type are those of the field itself, and only the load's own queue touches it.
      dictionary.set(property, to: value, at: field.address(in: loader))
    }
  }

  enum LoadProperty: String, CaseIterable { case responseData, temporaryFileURL }

  /// The type of the internal dictionary. Its key type can't be named here, so it is recognised by its shape.
  private protocol LoadPropertyDictionary: SendableMetatype {
    static func accepts(_ property: LoadProperty) -> Bool
    static func set(_ property: LoadProperty, to value: Any, at address: UnsafeMutableRawPointer)
  }

  extension Dictionary: LoadPropertyDictionary where Key: RawRepresentable, Key.RawValue == String, Value == Any {
    fileprivate static func accepts(_ property: LoadProperty) -> Bool { Key(rawValue: property.rawValue) != nil }

    fileprivate static func set(_ property: LoadProperty, to value: Any, at address: UnsafeMutableRawPointer) {
      guard let key = Key(rawValue: property.rawValue) else { return }
      address.assumingMemoryBound(to: Self.self).pointee[key] = value
    }
  }

  /// Passing a task's request to the system's own loader.
  extension TaskClient {
    /// Returns `true`: the system's loader takes the task.
    func passNatively(_ exchange: Exchange) -> Bool {
      // It has to be created with what the session's cache contains, because StubKit has skipped the look-up.
      guard Platform.internals != nil, task is URLSessionDataTask, let request = task.currentRequest,
        let cache = Platform.configuration(of: task)?.urlCache
      else {
        pass(of: exchange)
        return true
      }
      guard exchange.wait() else { return true }
      queue.away {
        cache.cachedResponse(for: request)
      } then: { [self] cached in
        if exchange.state.isUndecided { pass(of: exchange, cached: cached) }
      }
      return true
    }

    private func pass(of exchange: Exchange, cached: CachedURLResponse? = nil) {
      counts.resetForSystemLoader()
      // The system decides when it completes the task.
      Platform.internals?.task.completeOnDelegateQueue(task)
      guard let native = task.currentRequest.flatMap(NativeLoader.of) else {
        return exchange.fail(with: URLError.unsupported(loader.request))
      }
      exchange.pass(
        to: NativeLoad(
          native.init(
            task: task, cachedResponse: cached ?? loader.cachedResponse, client: loader.client as? ObservedClient)))
    }
  }

  /// A task that the system's own loader has. Use it only on the task's queue.
  final class NativeLoad: NetworkLoad {
    private let loader: URLProtocol
    private var isRunning = false

    init(_ loader: URLProtocol) { self.loader = loader }

    func start() {
      guard !isRunning else { return }
      isRunning = true
      loader.startLoading()
    }

    func pause() {
      isRunning = false
      loader.stopLoading()
    }

    /// The loader can't be stopped for a cancellation before the task's error is set, because it traps then.
    func leave() -> Bool {
      guard let task = loader.task, task.state == .canceling else { return true }
      guard task.error != nil else { return false }
      loader.stopLoading()
      return true
    }
  }
#endif
