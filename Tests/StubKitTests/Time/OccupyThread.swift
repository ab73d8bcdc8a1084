import Foundation

/// What a long computation does to its thread.
func occupyThread(milliseconds: Int) { Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000) }

/// Keeps the thread of a Swift task until the signal.
func occupyThread(until signal: DispatchSemaphore) { signal.wait() }
