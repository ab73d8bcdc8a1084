import StubKitFormats

#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The headers that URLSession's own loader adds when it sends a request.
  extension Platform {
    /// Returns the percent-decoded user and password of a URL, which libcurl sends unasked (RFC 7617), or `nil` for a
    /// URL without them.
    static func authorization(of request: URLRequest) -> String? {
      guard var string = request.url?.absoluteString,
        string.withUTF8({ $0.contains(UInt8(ascii: "@")) })
      else { return nil }
      let text = URLText(string)
      guard let userInfo = text.layout.userInfo, HTTPMessageHead.isSent(text) else { return nil }
      let parts = text.text(userInfo).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let (user, password) = (parts.first ?? "", parts.dropFirst().first ?? "")
      let pair = "\(String(user).percentDecoded):\(String(password).percentDecoded)"
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
#endif
