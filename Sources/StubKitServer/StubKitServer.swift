/// Importing StubKitServer also imports what it serves.
@_exported import StubKit
