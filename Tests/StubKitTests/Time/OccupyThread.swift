import Foundation

/// What a long computation does to its thread.
func occupyThread(milliseconds: Int) { Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000) }
