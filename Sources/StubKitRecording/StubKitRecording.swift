/// Importing StubKitRecording also imports what a test records, replays and stubs with.
@_exported import StubKitRecorder
@_exported import StubKitTesting
