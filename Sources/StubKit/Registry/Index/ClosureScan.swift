import Foundation

extension [Stub?] {
  /// Asks the closures of stubs that are nothing but a closure, newest first, until one of them matches.
  ///
  /// - Parameters:
  ///   - end: The number of stubs that have not been asked. Those are oldest first, and removed ones left holes.
  ///   - ordinal: The rank of the newest stub that doesn't count any more.
  /// - Returns: The number of stubs that are left, and whether the closure of the last of them matches.
  func ask(
    _ request: URLRequest, before end: Int, newerThan ordinal: UInt64
  ) -> (left: Int, matches: Bool) {
    withUnsafeBufferPointer { stubs in
      UnsafeRawBufferPointer(stubs).withMemoryRebound(to: Unmanaged<Stub>?.self) { stubs in
        // Holds: both kinds of reference are a pointer or nothing, and this array keeps the stubs meanwhile. Counting
        // references would take longer than everything else.
        for position in (0..<end).reversed() {
          guard let stub = stubs[position] else { continue }
          switch stub._withUnsafeGuaranteedRef({ $0.answerOfOnlyClosure(request, newerThan: ordinal) }) {
          case nil: return (position + 1, false)
          case true?: return (position + 1, true)
          case false?: continue
          }
        }
        return (0, false)
      }
    }
  }
}

extension Stub {
  /// Returns whether the closure matches, or `nil` for a stub that isn't just a closure, or that doesn't count.
  @inline(__always)
  fileprivate func answerOfOnlyClosure(_ request: URLRequest, newerThan ordinal: UInt64) -> Bool? {
    guard let onlyClosure, limit == nil, ordinal == 0 || self.ordinal >= ordinal else { return nil }
    return Unmanaged.passUnretained(onlyClosure)._withUnsafeGuaranteedRef { $0.test(request) }
  }
}
