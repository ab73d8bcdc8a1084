#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The values that completion handlers and download tasks receive at the end.
  ///
  /// URLSession gives a completion handler only the last piece of a body, and a download task nothing. It reads both
  /// from an internal dictionary of the `URLProtocol`, and only its own loaders fill that dictionary. `LoadProperties`
  /// fills it too.
  struct LoadProperties: Sendable {
    private let dictionary: any LoadPropertyDictionary.Type
    private let offset: Int

    init?(named name: String = "properties") {
      var dictionary: (any LoadPropertyDictionary.Type)?
      let offset = offsetOfField(name, of: URLProtocol.self) { type in
        dictionary = type as? any LoadPropertyDictionary.Type
        return dictionary != nil
      }
      guard let offset, let dictionary, dictionary.accepts(.responseData), dictionary.accepts(.temporaryFileURL) else {
        return nil
      }
      self.offset = offset
      self.dictionary = dictionary
    }

    func setBody(_ body: Data, of loader: URLProtocol) { set(.responseData, to: body, of: loader) }
    func setDownloadedFile(_ file: URL, of loader: URLProtocol) { set(.temporaryFileURL, to: file, of: loader) }

    private func set(_ key: LoadPropertyKey, to value: Any, of loader: URLProtocol) {
      // Holds: offset and dictionary type are those of the field itself, and only the load's own queue touches it.
      dictionary.set(key, to: value, at: Unmanaged.passUnretained(loader).toOpaque() + offset)
    }
  }

  private enum LoadPropertyKey: String {
    case responseData
    case temporaryFileURL
  }

  /// The type of the internal dictionary. Its key type can't be named here, so it is recognised by its shape.
  private protocol LoadPropertyDictionary: SendableMetatype {
    static func accepts(_ key: LoadPropertyKey) -> Bool
    static func set(_ key: LoadPropertyKey, to value: Any, at address: UnsafeMutableRawPointer)
  }

  extension Dictionary: LoadPropertyDictionary where Key: RawRepresentable, Key.RawValue == String, Value == Any {
    fileprivate static func accepts(_ key: LoadPropertyKey) -> Bool { Key(rawValue: key.rawValue) != nil }

    fileprivate static func set(_ key: LoadPropertyKey, to value: Any, at address: UnsafeMutableRawPointer) {
      guard let key = Key(rawValue: key.rawValue) else { return }
      address.assumingMemoryBound(to: Self.self).pointee[key] = value
    }
  }
#endif
