#if os(Linux)
  import Glibc

  /// The description of the libcurl that URLSession uses, such as `libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …`.
  ///
  /// URLSession sends its version as the `User-Agent`, and accepts the encodings that it was built with.
  struct CurlVersion: Sendable {
    private typealias Function = @convention(c) () -> UnsafePointer<CChar>?

    /// The version, such as `7.88.1`.
    let number: String
    /// The encodings that it decodes, as the `Accept-Encoding` header lists them, or empty for none.
    let encodings: String

    /// Returns `nil` if the process has no such function, for example because libcurl is linked statically and
    /// stripped.
    init?(symbol: String = "curl_version") {
      guard let address = dlsym(nil, symbol) else { return nil }
      // Holds while libcurl keeps the signature it has had since its first release.
      guard let text = unsafeBitCast(address, to: Function.self)() else { return nil }
      self.init(String(cString: text))
    }

    /// - Parameter text: The description. The result is `nil` if it doesn't begin with the version of libcurl.
    init?(_ text: String) {
      let parts = text.split(separator: " ")
      guard let curl = parts.first, curl.hasPrefix("libcurl/") else { return nil }
      // Digits and dots. The builds of a distribution can have more after them.
      number = String(curl.dropFirst("libcurl/".count).prefix { $0 == "." || $0.isASCII && $0.isNumber })
      func has(_ library: String) -> Bool { parts.contains { $0.hasPrefix(library + "/") } }
      // In the order in which libcurl names them.
      encodings =
        ((has("zlib") ? ["deflate", "gzip"] : []) + (has("brotli") ? ["br"] : []) + (has("zstd") ? ["zstd"] : []))
        .joined(separator: ", ")
    }
  }
#endif
