import StubKit

/// OHHTTPStubs 8's name for ``/StubKit/HTTPStubs``.
public typealias OHHTTPStubs = HTTPStubs

/// OHHTTPStubs 8's name for ``/StubKit/StubResponse``.
public typealias OHHTTPStubsResponse = StubResponse

/// OHHTTPStubs 8's name for a stub.
public typealias OHHTTPStubsDescriptor = Stub

/// OHHTTPStubs 8's name for a condition that is a closure.
public typealias OHHTTPStubsTestBlock = HTTPStubsTestBlock

/// OHHTTPStubs 8's name for a closure that returns a response.
public typealias OHHTTPStubsResponseBlock = HTTPStubsResponseBlock
