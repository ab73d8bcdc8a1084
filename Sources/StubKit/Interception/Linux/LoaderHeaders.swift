import StubKitFormats

#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Glibc

  /// The headers that URLSession's own loader adds when it sends a request.
  extension Platform {
    /// Returns the percent-decoded user and password of a URL, which libcurl sends unasked (RFC 7617), or `nil` for a
    /// URL without them.
    static func authorization(of request: URLRequest) -> String? {
      // Looked for first, because nearly no URL has it.
      guard let url = request.url, url.absoluteString.utf8.contains(UInt8(ascii: "@")), HTTPMessageHead.isSent(url),
        let user = HTTPMessageHead.authority(of: url)?.user
      else { return nil }
      let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let (name, password) = (parts.first ?? "", parts.dropFirst().first ?? "")
      let pair = "\(String(name).percentDecoded):\(String(password).percentDecoded)"
      return "Basic \(Data(pair.utf8).base64EncodedString())"
    }

    /// Returns the headers that a server receives and the request doesn't show, except for those of its session.
    static func loaderHeaders(of request: URLRequest) -> [String: String] {
      var headers = HTTPMessageHead.headers(of: request)
      headers["Authorization"] = authorization(of: request)
      headers["Accept"] = "*/*"
      headers["Accept-Language"] = Locale.current.language.languageCode?.identifier
      headers["Connection"] = "keep-alive"
      if let curl = internals?.curlVersion {
        headers["User-Agent"] = "\(ProcessInfo.processInfo.processName) (unknown version) curl/\(curl.number)"
        if !curl.encodings.isEmpty { headers["Accept-Encoding"] = curl.encodings }
      }
      return headers
    }
  }

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
    init?(symbol: String = FoundationInternal.curlVersion.rawValue) {
      guard let address = dlsym(nil, symbol) else { return nil }
      // Safe because libcurl keeps the signature it has had since its first release.
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
