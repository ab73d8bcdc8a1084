/// Importing StubKitTesting imports StubKit: a test needs one line.
@_exported import StubKit
