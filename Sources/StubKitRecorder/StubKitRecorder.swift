/// Importing StubKitRecorder also imports what it records and replays with.
@_exported import StubKit
@_exported import StubKitArchive
