// What only an Apple platform would refuse: the lines that end in "refused" or "newer", and no others (.ci/apple).
//
// The check knows nothing of conformances that are newer than their type, such as that of an EnumeratedSequence to
// Collection, of functions that capture something and get their @convention(c) from a typealias, nor of methods that
// only Foundation on Linux has.
import Darwin
import Foundation

// Functions whose types need a newer runtime where they are the arguments of a generic type.
struct Handlers {
  var typed: [() throws(CancellationError) -> Void] = []  // newer
  var byName: [String: @isolated(any) () -> Void] = [:]  // newer
  var one: () throws(CancellationError) -> Void = {}
  func add(_ handler: @isolated(any) @escaping () -> Void) {}
}

// What Darwin has not, or in another type.
func system(_ file: Int32, _ status: stat, _ microseconds: Int) {
  _ = posix_fallocate(file, 0, 1)  // refused
  _ = status.st_mtim  // refused
  _ = timeval(tv_sec: 1, tv_usec: microseconds)  // refused
  _ = timeval(tv_sec: 1, tv_usec: 0)
  _ = timeval(tv_sec: 1, tv_usec: numericCast(microseconds))
  var polled: [pollfd] = []
  let count = UInt(polled.count)
  _ = poll(&polled, count, 0)  // refused
  _ = poll(&polled, nfds_t(polled.count), 0)

  _ = MSG_NOSIGNAL  // refused
  _ = CLOCK_MONOTONIC_COARSE  // refused
  #if canImport(Glibc)
    _ = MSG_NOSIGNAL
  #endif
}
func start() throws { try Process().run() }  // refused

// Objective-C.
struct Value {}
class Member: NSObject {
  @objc func twin() {}  // refused
  @objc(other:) func takes(_ value: Value) {}  // refused
  let selector = #selector(getter: NSObject.description)  // refused
  let right = Selector(("description"))
}
typealias Block = @convention(block) (URLSession, Value) -> Void  // refused
typealias RightBlock = @convention(block) (URLSession, URLRequest, Data?) -> Void
typealias RightCode = @convention(c) (URLSession, Selector, URLRequest) -> Void
func captures(_ number: Int) -> @convention(c) (Int) -> Int { { $0 + number } }  // refused
func tells(_ delegate: any URLSessionTaskDelegate, _ session: URLSession, _ task: URLSessionTask) {
  delegate.urlSession(session, task: task, didCompleteWithError: nil)  // refused
  delegate.urlSession?(session, task: task, didCompleteWithError: nil)
}
