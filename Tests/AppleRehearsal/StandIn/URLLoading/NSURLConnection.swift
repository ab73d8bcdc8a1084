import Foundation

/// The older way to load, which has no tasks.
public enum NSURLConnection {
  public static func sendSynchronousRequest(
    _ request: URLRequest, returning response: UnsafeMutablePointer<URLResponse?>?
  ) throws -> Data {
    let type =
      Fact.taskless.holds
      ? URLProtocol.registeredClasses.lazy.compactMap { $0 as? URLProtocol.Type }.first { $0.canInit(with: request) }
      : nil
    if type != nil { violation("a class took a load that has no task, of which it can answer nothing") }
    let exchange = try Exchange(request, request.httpBody ?? Data()) { _ in true }
    defer { exchange.end() }
    let head = try exchange.readHead()
    response?.pointee = head
    var body = Data()
    try exchange.readBody { body += $0 }
    return body
  }
}
