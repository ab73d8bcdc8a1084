/// OHHTTPStubs 8's name for ``HTTPStubs``.
public typealias OHHTTPStubs = HTTPStubs

/// OHHTTPStubs 8's name for ``StubResponse``.
public typealias OHHTTPStubsResponse = StubResponse

/// OHHTTPStubs 8's name for the handle of a stub.
public typealias OHHTTPStubsDescriptor = Stub

/// OHHTTPStubs 8's name for a condition that is a closure.
public typealias OHHTTPStubsTestBlock = HTTPStubsTestBlock

/// OHHTTPStubs 8's name for a closure that answers.
public typealias OHHTTPStubsResponseBlock = HTTPStubsResponseBlock
