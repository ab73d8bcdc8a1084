import Foundation

/// Whether the thread sanitizer watches. Its code takes a multiple of the room on the stack, and its own list of calls
/// ends at 65,536. Some signals don't end a process that it watches.
package let isSanitized = ProcessInfo.processInfo.environment["STUBKIT_SANITIZER"] != nil
