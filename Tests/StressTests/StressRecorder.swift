import Foundation
import StubKit
import TestSupport

/// Records what a worker receives from the network, one request after the other.
final class StressRecorder: NetworkTap {
  /// What the last request received. The task of an earlier one, which was cancelled, can end later.
  private let last = Locked(Locked<String?>(nil))

  func begin(_ request: URLRequest) -> any NetworkRecorder {
    let recorded = Locked<String?>(nil)
    last.withLock { $0 = recorded }
    return Recording(recorded)
  }

  /// What is wrong with the recording of an exchange that ended so, nil if nothing is. The recording is complete when
  /// the exchange ends.
  func fault(of ending: Ending) -> String? {
    guard case .body(let text) = ending else { return nil }
    let recorded = last.withLock { $0 }.withLock { $0 }
    return recorded == text ? nil : "recorded \(recorded ?? "nothing") of \"\(text)\""
  }

  private final class Recording: NetworkRecorder {
    private let recorded: Locked<String?>
    private let body = Locked(Data())

    init(_ recorded: Locked<String?>) { self.recorded = recorded }

    func pieceArrived(_ piece: Data, asPiece: Bool) { body.withLock { $0 += piece } }

    func end(error: (any Error)?) {
      let text = body.withLock { $0.text }
      recorded.withLock { $0 = error == nil ? text : nil }
    }

    func setRequestBody(_ body: Data) {}
    func headArrived(_ response: HTTPURLResponse) {}
    func leads(to target: URL) {}
  }
}
