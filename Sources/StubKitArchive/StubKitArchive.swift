#if canImport(FoundationNetworking)
  /// On Linux, URLRequest is in a module of its own. Importing StubKitArchive also imports it.
  @_exported import FoundationNetworking
#endif
