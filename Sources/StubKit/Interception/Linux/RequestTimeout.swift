#if os(Linux)
  @_spi(Reflection) import Swift
  import Foundation
  import FoundationNetworking

  /// The flag that says whether a request has a timeout of its own. Such a timeout takes precedence over that of the
  /// session, even if it is the usual one.
  struct RequestTimeout: Sendable {
    private let offset: Int

    init?(named name: String = "isTimeoutIntervalSet") {
      var found: Int?
      _ = _forEachField(of: URLRequest.self) { field, offset, type, _ in
        guard String(cString: field) == name, type == Bool.self else { return true }
        found = offset
        return false
      }
      guard let found else { return nil }
      offset = found
    }

    func isSet(in request: URLRequest) -> Bool {
      // Holds: offset and type are those of the field itself.
      withUnsafeBytes(of: request) { $0.load(fromByteOffset: offset, as: Bool.self) }
    }
  }
#endif
