#if canImport(FoundationNetworking)
  /// On Linux, URLSession is in a module of its own. Importing StubKit also imports it, so a test needs no `#if`.
  @_exported import FoundationNetworking
#endif
