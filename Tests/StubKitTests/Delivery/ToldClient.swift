import Foundation
import Testing

@testable import StubKit

/// Writes down what it is told. Used from one thread.
final class ToldClient: DeliveryClient {
  var isListening = true
  var takesPieces = true
  var arrives = true
  var preparesToFinish = false
  private(set) var told: [String] = []
  private(set) var preparing: CancellationFlag?
  private(set) var finishPreparation: (@Sendable ((any Error)?) -> Void)?
  private(set) var arrival: (@Sendable () -> Void)?
  private var body = Data()

  func receive(_ response: URLResponse) { told.append("head") }
  func didSend(_ byteCount: Int) { told.append("sent \(byteCount)") }
  func receive(_ piece: Data, isWhole: Bool) {
    // What a receiver may take for granted.
    #expect(piece.startIndex == 0)
    told.append("\"\(String(decoding: piece, as: UTF8.self))\"")
  }
  func receive(byteCount: Int) { told.append("length \(byteCount)") }
  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool {
    arrival = completion
    return !arrives
  }
  func prepareToFinish(
    with body: ResponseBody, unless flag: CancellationFlag, completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> Bool {
    preparing = flag
    finishPreparation = completion
    self.body = (try? body.piece(0..<body.count)) ?? Data()
    return preparesToFinish
  }
  func finish() { told.append("finish(\(String(decoding: body, as: UTF8.self)))") }
  func fail(_ error: any Error) { told.append("fail(\((error as? URLError)?.code.rawValue ?? 0))") }
}
