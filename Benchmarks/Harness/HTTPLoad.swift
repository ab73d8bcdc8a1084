import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A client with many connections on one thread. Each connection sends a request when it has received the response to the
/// one before.
struct HTTPLoad {
  struct Result {
    /// The requests per second.
    let rate: Double
    /// The microseconds of processor time that the rest of the process, which is the server, spent on a request.
    let processorTime: Double
    /// The milliseconds that each request took, sorted.
    let milliseconds: [Double]
  }

  let port: Int
  let connectionCount: Int
  /// Returns the target of a request by its number.
  let target: (Int) -> String

  /// - Parameter count: The number of requests.
  func run(_ count: Int) throws -> Result {
    let connections = try (0..<connectionCount).map { _ in try Loopback.connect(port: port) }
    defer { for connection in connections { close(connection) } }
    let length = try responseLength(on: connections[0])
    var polled = connections.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var received = [Int](repeating: 0, count: connectionCount)
    var starts = [UInt64](repeating: 0, count: connectionCount)
    var (sent, finished) = (0, 0)
    var times: [Double] = []
    times.reserveCapacity(count)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let (start, processorTime) = (Nanoseconds.now(), Self.processorTimeOfOthers)
    for index in connections.indices { send(&sent, &starts[index], on: connections[index]) }
    while finished < count {
      guard poll(&polled, nfds_t(polled.count), 10_000) > 0 else {
        throw Probe.Failure(description: "The server on port \(port) has not answered for 10 seconds.")
      }
      for index in polled.indices where polled[index].revents != 0 {
        let read = recv(connections[index], &buffer, buffer.count, 0)
        guard read > 0 else { throw Probe.Failure(description: "The server on port \(port) closed a connection.") }
        received[index] += read
        guard received[index] >= length else { continue }
        received[index] = 0
        times.append(Nanoseconds.since(starts[index]) / 1_000_000)
        finished += 1
        send(&sent, &starts[index], on: connections[index])
      }
    }
    let seconds = Nanoseconds.since(start) / 1_000_000_000
    return Result(
      rate: Double(finished) / seconds, processorTime: (Self.processorTimeOfOthers - processorTime) / Double(finished),
      milliseconds: times.sorted())
  }

  /// The microseconds of processor time that all threads but this one have spent.
  private static var processorTimeOfOthers: Double {
    func microseconds(_ clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
    }
    return microseconds(CLOCK_PROCESS_CPUTIME_ID) - microseconds(CLOCK_THREAD_CPUTIME_ID)
  }

  private func send(_ number: inout Int, _ start: inout UInt64, on connection: Int32) {
    let request = Array("GET \(target(number)) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: */*\r\n\r\n".utf8)
    number += 1
    start = Nanoseconds.now()
    _ = request.withUnsafeBytes { systemSend(connection, $0) }
  }

  /// The length of a response, head and all. It is the same for all.
  private func responseLength(on connection: Int32) throws -> Int {
    var (number, start) = (0, UInt64(0))
    send(&number, &start, on: connection)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { throw Probe.Failure(description: "The server on port \(port) closed a connection.") }
      bytes += buffer[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n"),
        let length = text.firstMatch(of: #/Content-Length: (\d+)/#).flatMap({ Int($0.1) })
      else { continue }
      let whole = text.utf8.distance(from: text.startIndex, to: end.upperBound) + length
      if bytes.count >= whole { return whole }
    }
  }
}

/// The system call, which has the name of a member above.
private func systemSend(_ connection: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  send(connection, bytes.baseAddress, bytes.count, Loopback.withoutSignal)
}
