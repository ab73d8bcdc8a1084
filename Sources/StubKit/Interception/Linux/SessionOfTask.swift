#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The session that owns a task.
  struct SessionOfTask: Sendable {
    private let offset: Int

    init?(named name: String = "session") {
      let isSession = { (type: Any.Type) in _typeName(type) == "Swift.Optional<FoundationNetworking.URLSessionProtocol>"
      }
      guard let offset = offsetOfField(name, of: URLSessionTask.self, where: isSession) else { return nil }
      self.offset = offset
    }

    func of(_ task: URLSessionTask) -> URLSession? {
      // Holds: an existential of a class-bound protocol begins with the reference to the object, nil where there is
      // none.
      let word = (Unmanaged.passUnretained(task).toOpaque() + offset).load(as: UnsafeRawPointer?.self)
      return word.flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? URLSession }
    }
  }
#endif
