// swift-tools-version: 6.2
import PackageDescription

// The stories of what StubKit does on Apple platforms.
//
// On a Mac they run against the real thing: swift test --package-path Tests/AppleRehearsal
// On Linux they run against a stand-in of Apple's URL loading system, with StubKit's sources as an Apple platform would
// compile them: Tests/AppleRehearsal/rehearse
#if os(Linux)
  let package = Package(
    name: "AppleRehearsal",
    targets: [
      .target(name: "ObjectiveCRuntime", path: "StandIn/ObjectiveCRuntime"),
      .target(name: "URLLoading", dependencies: ["ObjectiveCRuntime"], path: "StandIn/URLLoading"),
      .target(name: "StubKit", dependencies: ["URLLoading"], path: ".rewritten/StubKit"),
      .target(name: "StubKitTesting", dependencies: ["StubKit"], path: ".rewritten/StubKitTesting"),
      .testTarget(name: "Stories", dependencies: ["StubKitTesting", "URLLoading"], path: "Stories"),
    ],
    swiftLanguageModes: [.v6]
  )
#else
  let package = Package(
    name: "AppleRehearsal",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "StubKit", path: "../..")],
    targets: [
      .testTarget(
        name: "Stories", dependencies: [.product(name: "StubKitTesting", package: "StubKit")], path: "Stories")
    ],
    swiftLanguageModes: [.v6]
  )
#endif
