import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request that somebody wants to hear of, from the moment its stub was chosen, or none.
///
/// Its members call the user's code: neither under a lock nor on a queue of URLSession's.
final class StubObservation: Sendable {
  private final class Subject: Sendable {
    let observers: StubObservers
    let request: URLRequest
    let stub: Stub?
    let response: StubResponse?

    init(_ observers: StubObservers, _ request: URLRequest, _ stub: Stub?, _ response: StubResponse?) {
      self.observers = observers
      self.request = request
      self.stub = stub
      self.response = response
    }
  }

  // Holds: retained by init, and released once, on behalf of deinit.
  private let subject: Unmanaged<Subject>

  /// - Parameter stub: Nil for a request that no stub matches.
  init(_ observers: StubObservers, request: URLRequest, stub: Stub?, response: StubResponse?) {
    subject = .passRetained(Subject(observers, request, stub, response))
  }

  /// May end on URLSession's own queue. What stub, response and callbacks hold is the user's and may use URLSession when it
  /// goes, which traps there.
  deinit {
    DispatchQueue.global().async { [subject] in subject.release() }
  }

  func begin() { tell { $0.stub == nil ? .missing : .activation } }

  func redirect(to request: URLRequest) { tell(redirected: request) { _ in .redirect } }

  /// Nothing, if there is no stub whose answer could end.
  func end(_ error: (any Error)?) { tell(error: error) { $0.stub == nil ? nil : .finish } }

  private func tell(
    redirected: URLRequest? = nil, error: (any Error)? = nil, _ kind: (Subject) -> StubEvent.Kind?
  ) {
    let subject = subject.takeUnretainedValue()
    guard let kind = kind(subject) else { return }
    subject.observers.tell(
      StubEvent(
        kind: kind, request: subject.request, stub: subject.stub, response: subject.response,
        redirected: redirected, error: error))
  }
}
