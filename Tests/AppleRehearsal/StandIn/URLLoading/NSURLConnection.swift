import Foundation

/// The older way to load, which has no tasks.
public enum NSURLConnection {
  public static func sendSynchronousRequest(
    _ request: URLRequest, returning response: UnsafeMutablePointer<URLResponse?>?
  ) throws -> Data {
    if !Fact.tasklessLoadsAskByRequest.holds { return try sendByATask(request) }
    for type in URLProtocol.registeredClasses where type.canInit(with: request) {
      violation("\(type) took a load that has no task, of which it can answer nothing")
    }
    let exchange = try Exchange(request, request.httpBody ?? Data())
    let head = try exchange.readHead()
    var body = Data()
    try exchange.readBody(of: head) { body += $0 }
    return body
  }

  private static func sendByATask(_ request: URLRequest) throws -> Data {
    let ended = DispatchSemaphore(value: 0)
    // Holds: written before the signal and read after it.
    nonisolated(unsafe) var result = Result<Data, any Error>.success(Data())
    URLSession.shared.dataTask(with: request) { data, _, error in
      result = error.map { .failure($0) } ?? .success(data ?? Data())
      ended.signal()
    }.resume()
    ended.wait()
    return try result.get()
  }
}
