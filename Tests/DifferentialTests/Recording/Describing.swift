import Foundation
import StubKit

/// How what a client is told is written down: with what matters of it, and nothing that is different in each run.
enum Describing {
  /// What the transport says about itself, and StubKit does not pretend to.
  private static let transportHeaders: Set = ["connection", "transfer-encoding", "date"]

  static func response(_ response: URLResponse?) -> String {
    guard let response else { return "no response" }
    var parts = [(response as? HTTPURLResponse).map { "\($0.statusCode)" } ?? "no HTTP response"]
    parts.append(url(response.url))
    if let response = response as? HTTPURLResponse {
      let headers = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        .filter { !transportHeaders.contains($0.0.lowercased()) }
        .sorted { $0.0 < $1.0 }
      parts.append("[" + headers.map { "\($0): \($1)" }.joined(separator: "; ") + "]")
    }
    parts.append("expects \(response.expectedContentLength)")
    parts.append("type \(response.mimeType ?? "none")")
    return parts.joined(separator: " ")
  }

  static func request(_ request: URLRequest?) -> String {
    guard let request else { return "no request" }
    let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { "\($0): \($1)" }
    let body = request.httpBody.map(\.readable) ?? (request.httpBodyStream == nil ? "no body" : "a stream")
    return "\(request.httpMethod ?? "none") \(url(request.url)) [\(headers.joined(separator: "; "))] \(body)"
  }

  static func error(_ error: (any Error)?) -> String {
    guard let error else { return "no error" }
    let bridged = error as NSError
    var parts = [error is URLError ? "URLError" : bridged.domain, "\(bridged.code)"]
    if bridged.domain != NSURLErrorDomain { parts.append("(\(bridged.domain))") }
    parts.append((bridged.userInfo[NSURLErrorFailingURLErrorKey] as? URL).map { "for \(url($0))" } ?? "for no URL")
    if let text = bridged.userInfo["NSErrorFailingURLStringKey"] as? String {
      parts.append("(\(url(URL(string: text))))")
    }
    return parts.joined(separator: " ")
  }

  static func challenge(_ challenge: URLAuthenticationChallenge) -> String {
    let space = challenge.protectionSpace
    return [
      "\(space.authenticationMethod) for \(space.realm ?? "no realm") at \(space.protocol ?? "none")://\(space.host)",
      "port \(port(space.port))", "proxy \(space.isProxy())", "failures before \(challenge.previousFailureCount)",
      "proposed \(challenge.proposedCredential?.user ?? "none")",
      "response \((challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 0)", error(challenge.error),
    ].joined(separator: ", ")
  }

  static func received(_ request: ReceivedRequest) -> String {
    let headers = request.headersThatMatter.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    return "\(request.method) \(request.target) [\(headers)] \(request.body.readable)"
  }

  /// The header fields that `stubHeaders` adds.
  static func wholeHeaders(_ request: ReceivedRequest) -> [String] {
    request.wholeHeaders.filter { ["host", "content-length", "authorization"].contains($0.name.lowercased()) }.map {
      name, value in
      let value = name.lowercased() == "host" ? value.replacing(/:\d+$/, with: ":PORT") : value
      return "with \(name.lowercased()): \(value)"
    }.sorted()
  }

  /// All cells talk to 127.0.0.1; each has a port of its own.
  private static func url(_ url: URL?) -> String {
    url.map { $0.absoluteString.replacing(/127\.0\.0\.1:\d+/, with: "HOST:PORT") } ?? "no URL"
  }

  private static func port(_ port: Int) -> String { port > 1_024 ? "PORT" : "\(port)" }
}
