import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("A fault as the argument of a test", .inTurn)
struct NetworkFaultArgumentTests {
  static let users = StubResponse.json([["id": 7, "name": "Ann"]])

  @Test("causes no issue by itself", .stubbed(clock: .immediate), arguments: NetworkFault.all(for: users))
  func argument(fault: NetworkFault) async throws {
    let stub = stub(.get, "https://api.example.com/users", response: Self.users.suffering(fault))
    let answer = try? await URLSession.shared.fetch("https://api.example.com/users")
    #expect(answer?.status != 0)
    expectCalls(to: stub, .once)
  }

  @Test("is printed and encoded as its name")
  func name() throws {
    for fault in NetworkFault.all + [.once(.named("no network"))] {
      #expect(String(describingForTest: fault) == "\(fault)")
      #expect(try JSONEncoder().encode(Argument(fault: fault)).text == "\"\(fault)\"")
    }
  }

  /// An argument as Swift Testing encodes it.
  private struct Argument: Encodable {
    let fault: NetworkFault

    func encode(to encoder: any Encoder) throws { try fault.encodeTestArgument(to: encoder) }
  }
}
