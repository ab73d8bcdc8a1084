import Foundation

/// The older way to load, which has no tasks.
public enum NSURLConnection {
  public static func sendSynchronousRequest(
    _ request: URLRequest, returning response: UnsafeMutablePointer<URLResponse?>?
  ) throws -> Data {
    for type in URLProtocol.registeredClasses where type.canInit(with: request) {
      violation("\(type) took a load that has no task, of which it can answer nothing")
    }
    let exchange = try Exchange(request, request.httpBody ?? Data())
    let head = try exchange.readHead()
    var body = Data()
    try exchange.readBody(of: head) { body += $0 }
    return body
  }
}
