/// Importing StubKitTranscripts also imports what a test stubs with.
@_exported import StubKitTesting
