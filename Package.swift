// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "StubKit",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "StubKit", targets: ["StubKit"]),
    .library(name: "StubKitTesting", targets: ["StubKitTesting"]),
    .library(name: "StubKitOHHTTPStubs", targets: ["StubKitOHHTTPStubs"]),
    .executable(name: "StubKitTool", targets: ["StubKitTool"]),
    .plugin(name: "StubKitPlugin", targets: ["StubKitPlugin"]),
    .executable(name: "StubKitTour", targets: ["StubKitTour"]),
    .executable(name: "StubKitBenchmarks", targets: ["StubKitBenchmarks"]),
  ],
  targets: [
    .target(name: "StubKit"),
    .target(name: "StubKitTesting", dependencies: ["StubKit"]),
    .target(name: "StubKitOHHTTPStubs", dependencies: ["StubKit"]),
    .executableTarget(name: "StubKitTool", dependencies: ["StubKit"]),
    .plugin(
      name: "StubKitPlugin",
      capability: .command(
        intent: .custom(
          verb: "stubkit", description: "Looks into HTTP Archives: inspect, validate, redact, swift, prune."),
        permissions: [.writeToPackageDirectory(reason: "stubkit redact, swift and prune write files where you say.")]),
      dependencies: ["StubKitTool"]),
    .executableTarget(
      name: "StubKitTour", dependencies: ["StubKit"], path: "Documentation/Tour", resources: [.copy("Fixtures")]),
    .executableTarget(name: "StubKitBenchmarks", dependencies: ["StubKit"], path: "Benchmarks"),
    .target(name: "TestSupport", dependencies: ["StubKit"], path: "Tests/TestSupport"),
    .testTarget(
      name: "StubKitTests", dependencies: ["StubKit", "StubKitOHHTTPStubs", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "StubKitTestingTests", dependencies: ["StubKitTesting", "StubKitOHHTTPStubs", "TestSupport"],
      exclude: ["Recordings"]),
    .testTarget(
      name: "StubKitOHHTTPStubsTests", dependencies: ["StubKitOHHTTPStubs", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "StubKitToolTests", dependencies: ["StubKitTool", "TestSupport"], resources: [.copy("Archives")]),
    .testTarget(
      name: "ScenarioTests", dependencies: ["StubKit", "StubKitOHHTTPStubs", "TestSupport"],
      exclude: ["Guides/Recordings"],
      resources: [.copy("Fixtures")]),
    .testTarget(name: "StressTests", dependencies: ["StubKit", "TestSupport"]),
    .testTarget(name: "DifferentialTests", dependencies: ["StubKit", "TestSupport"]),
    .testTarget(
      name: "CallSiteTests", dependencies: ["StubKit", "StubKitTesting", "StubKitOHHTTPStubs", "TestSupport"]),
    .testTarget(
      name: "MainActorCallSiteTests", dependencies: ["StubKit", "StubKitTesting", "StubKitOHHTTPStubs", "TestSupport"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "Swift5CallSiteTests", dependencies: ["StubKit", "StubKitOHHTTPStubs", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)
