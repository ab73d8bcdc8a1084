/// Importing StubKitTesting also imports StubKit, so a test needs one line.
@_exported import StubKit
