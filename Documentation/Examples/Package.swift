// swift-tools-version: 6.1
import PackageDescription

/// What the guides show, compiled and run, and whole clients with their tests.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  // A package's identity is the last part of its path, which for this one is wherever it was cloned to.
  dependencies: [.package(name: "StubKit", path: "../..")],
  targets: [
    // A link to the support of StubKit's own tests.
    .target(name: "TestSupport", dependencies: [.stubKit("StubKit")], path: "Tests/TestSupport"),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        .stubKit("StubKitRecorder"), .stubKit("StubKitServer"), .stubKit("StubKitOHHTTPStubs"),
        .stubKit("StubKitMocker"), "TestSupport",
      ],
      exclude: ["Guides/Recordings"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "TestingExamples",
      dependencies: [.stubKit("StubKitRecording"), .stubKit("StubKitOHHTTPStubs"), "TestSupport"],
      exclude: ["Recording/Recordings"]),
    .testTarget(
      name: "ServerExamples",
      dependencies: [
        .stubKit("StubKitServer"), .stubKit("StubKitRecorder"), .stubKit("StubKitTesting"), "TestSupport",
      ],
      exclude: ["Recordings"]),
  ],
  swiftLanguageModes: [.v6]
)

extension Target.Dependency {
  static func stubKit(_ product: String) -> Target.Dependency { .product(name: product, package: "StubKit") }
}
