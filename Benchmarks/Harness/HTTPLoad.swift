import Foundation

/// A client with many connections on one thread. Each connection sends a request when it has received the response to
/// the one before.
struct HTTPLoad {
  struct Result {
    /// The requests per second.
    let rate: Double
    /// The microseconds of processor time that the rest of the process, which is the server, spent on a request.
    let processorTime: Double
  }

  let port: Int
  let connectionCount: Int
  /// Returns the target of a request by its number.
  let target: (Int) -> String
  /// The byte that ends a response, and is in none before.
  let lastByte: UInt8

  /// - Parameter count: The number of requests.
  func run(_ count: Int) throws -> Result {
    let connections = try (0..<connectionCount).map { _ in try connected() }
    defer { for connection in connections { close(connection) } }
    var polled = connections.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var (sent, answered) = (0, 0)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let (start, processorTime) = (Nanoseconds.now(), Self.processorTimeOfOthers)
    for index in connections.indices { send(&sent, on: connections[index]) }
    while answered < count {
      guard poll(&polled, nfds_t(polled.count), 10_000) > 0 else {
        throw Probe.Failure(description: "The server on port \(port) has not answered for 10 seconds.")
      }
      for index in polled.indices where polled[index].revents != 0 {
        let read = recv(connections[index], &buffer, buffer.count, 0)
        guard read > 0 else { throw Probe.Failure(description: "The server on port \(port) closed a connection.") }
        guard buffer[read - 1] == lastByte else { continue }
        answered += 1
        send(&sent, on: connections[index])
      }
    }
    let seconds = Nanoseconds.since(start) / 1_000_000_000
    let spent = Self.processorTimeOfOthers - processorTime
    return Result(rate: Double(answered) / seconds, processorTime: spent / Double(answered))
  }

  /// The microseconds of processor time that all threads but this one have spent.
  private static var processorTimeOfOthers: Double {
    let all = Nanoseconds.now(CLOCK_PROCESS_CPUTIME_ID)
    return (Double(all) - Double(Nanoseconds.now(CLOCK_THREAD_CPUTIME_ID))) / 1_000
  }

  private func send(_ number: inout Int, on connection: Int32) {
    let request = Array("GET \(target(number)) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: */*\r\n\r\n".utf8)
    number += 1
    _ = sendAll(connection, request)
  }

  private func connected() throws -> Int32 {
    let descriptor = socket(AF_INET, LoopbackListener.stream, 0)
    guard connectSocket(descriptor, to: sockaddr_in(loopbackPort: port)) else {
      throw Probe.Failure(description: "Nobody listens on port \(port).")
    }
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    return descriptor
  }
}
