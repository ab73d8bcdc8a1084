// What the check of Apple platforms must find: the lines that end in "newer", and no others (.ci/apple).
import Foundation
import Synchronization

func newerInitialiser(_ bytes: [UInt8]) -> String? {
  String(validating: bytes, as: UTF8.self)  // newer
}

let lock = Mutex(0)  // newer

final class Counter: Sendable {
  let count = Atomic<Int>(0)  // newer
}

func newerMember(_ style: Duration.UnitsFormatStyle) -> Duration? {
  style.discreteInput(before: .seconds(1))  // newer
}

func newerArray() -> Int {
  let numbers: InlineArray<2, Int> = [1, 2]  // newer
  return numbers[0]  // newer
}

func newerExecutor(_ executor: any TaskExecutor) {  // newer
  Task(executorPreference: executor) {}  // newer
}

func newerSession() {
  URLSessionConfiguration.default.usesClassicLoadingMode = true  // newer
}

// What stands under a condition or a declaration that says so is right, and so is what has always been there.

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct Guarded: ~Copyable {
  let lock = Mutex(0)
  func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
struct GuardedTooLow<each Element> {
  func text(_ bytes: [UInt8]) -> String? {
    String(validating: bytes, as: UTF8.self)  // newer
  }
}

func guarded(_ bytes: [UInt8], _ executor: any Executor) -> String? {
  if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let executor = executor as? any TaskExecutor {
    Task(executorPreference: executor) {}
  } else {
    _ = String(validating: bytes, as: UTF8.self)  // newer
  }
  if #unavailable(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2) {
    _ = String(validating: bytes, as: UTF8.self)  // newer
  } else {
    _ = String(validating: bytes, as: UTF8.self)
  }
  guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
  return String(validating: bytes, as: UTF8.self)
}

func ofOld(_ events: AsyncStream<Int>) async -> Data? {
  for await event in events { print(event &* 2) }
  return "text".data(using: .utf8)
}
