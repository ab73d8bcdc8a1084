import Foundation

// Names that guides showed before 0.1.0. A call of one doesn't compile, and the message says what to write. An unavailable
// declaration loses to every other one that fits, such as one of the test's own. They go with the release after 0.1.0.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "StubJSON") @_documentation(visibility: internal)
public typealias JSONValue = StubJSON

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, renamed: "StubResponse.Event") @_documentation(visibility: internal)
public typealias ServerSentEvent = StubResponse.Event
