import StubKit

// What this file does at the start of a test process needs a Swift compiler that places a value in a section of the
// binary: 6.3. With an older one, StubKit begins with the first trait, the first StubbedTestCase or the first stub.
#if compiler(>=6.3)
  #if os(Linux)
    /// The dynamic linker calls what this section contains when it has loaded the process, before `main`.
    @section(".init_array") @used
    private let loaded: @convention(c) @Sendable () -> Void = { TestsOfSwiftTesting.beginWithProcess() }
  #elseif canImport(Darwin)
    /// dyld calls what this section contains when it has loaded the test bundle.
    @section("__DATA,__mod_init_func") @used
    private let loaded: @convention(c) @Sendable () -> Void = { TestsOfSwiftTesting.beginWithProcess() }
  #endif
#endif
