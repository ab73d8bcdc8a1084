// Goes into StubKit's own copy: what the SDK declares of types that Foundation has here too, but without it.
import Foundation
import ObjectiveC

final class CFRunLoop {}
struct CFRunLoopMode {
  let rawValue: CFString
  static var commonModes: CFRunLoopMode { fatalError() }
}
final class CFString {}
typealias CFTypeRef = AnyObject
func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!) {}
func CFRunLoopWakeUp(_ rl: CFRunLoop!) {}
func CFRunLoopCopyCurrentMode(_ rl: CFRunLoop!) -> CFRunLoopMode? { nil }
func CFRunLoopGetCurrent() -> CFRunLoop! { nil }
func CFRunLoopGetMain() -> CFRunLoop! { nil }

extension NSObjectProtocol {
  func responds(to aSelector: Selector!) -> Bool { false }
  // Throws an Objective-C exception for a key that is not known.
  func value(forKey key: String) -> Any? { nil }
}
