import Dispatch
import Foundation

/// A server that answers every request with the same bytes: a dispatch source and a serial queue for each connection,
/// and no parser. It is the floor for a server of stubs.
final class BareServer: Sendable {
  let port: Int
  private let listener: Int32

  init(body: String) throws {
    let socket = try LoopbackListener()
    (listener, port) = (socket.descriptor, Int(socket.port))
    let response = Array(
      ("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
        + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n\(body)").utf8)
    Thread.detachNewThread { [listener] in
      while case let connection = LoopbackListener.accept(on: listener), connection >= 0 {
        let source = DispatchSource.makeReadSource(
          fileDescriptor: connection, queue: DispatchQueue(label: "bare \(connection)"))
        source.setEventHandler {
          var bytes = [UInt8](repeating: 0, count: 4_096)
          let count = recv(connection, &bytes, bytes.count, 0)
          // The source holds itself until its client closes the connection.
          guard count > 0 else { return source.cancel() }
          // Each request arrives whole, because the client waits for its response.
          if bytes[count - 1] == 0x0A { _ = sendAll(connection, response) }
        }
        source.setCancelHandler { close(connection) }
        source.activate()
      }
      close(listener)
    }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}
