// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "StubKit",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "StubKit", targets: ["StubKit"]),
    .library(name: "StubKitTesting", targets: ["StubKitTesting"]),
    .library(name: "StubKitTranscripts", targets: ["StubKitTranscripts"]),
    .library(name: "StubKitRecorder", targets: ["StubKitRecorder"]),
    .library(name: "StubKitRecording", targets: ["StubKitRecording"]),
    .library(name: "StubKitOHHTTPStubs", targets: ["StubKitOHHTTPStubs"]),
    .library(name: "StubKitMocker", targets: ["StubKitMocker"]),
    .library(name: "StubKitServer", targets: ["StubKitServer"]),
    // Not "stubkit", which is "StubKit" on a disk that doesn't tell case apart.
    .executable(name: "stubkit-har", targets: ["StubKitCommands"]),
  ],
  targets: [
    .target(name: "StubKit", exclude: ["Interception/Linux/Foundation.md"]),
    .target(name: "StubKitTesting", dependencies: ["StubKit"]),
    .target(name: "StubKitArchive", dependencies: ["StubKit"]),
    .target(name: "StubKitTranscripts", dependencies: ["StubKitTesting", "StubKitArchive"]),
    .target(name: "StubKitRecorder", dependencies: ["StubKit", "StubKitArchive"]),
    .target(name: "StubKitRecording", dependencies: ["StubKitTesting", "StubKitRecorder"]),
    .target(name: "StubKitOHHTTPStubs", dependencies: ["StubKit"]),
    .target(name: "StubKitMockerCore", dependencies: ["StubKit"]),
    .target(name: "StubKitMocker", dependencies: ["StubKitMockerCore", "StubKitTesting"]),
    .target(name: "StubKitServer", dependencies: ["StubKit"]),
    .executableTarget(name: "StubKitCommands", dependencies: ["StubKitRecorder", "StubKitServer"]),
    .executableTarget(
      name: "StubKitTour", dependencies: ["StubKitRecorder", "StubKitServer"], path: "Documentation/Tour",
      resources: [.copy("Fixtures")]),
    .executableTarget(
      name: "StubKitBenchmarks", dependencies: ["StubKitRecorder", "StubKitServer"],
      path: "Benchmarks"),
    .target(name: "TestSupport", dependencies: ["StubKit"], path: "Tests/TestSupport"),
    .testTarget(
      name: "StubKitTests", dependencies: ["StubKitRecorder", "StubKitOHHTTPStubs", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "StubKitTestingTests", dependencies: ["StubKitRecording", "StubKitTranscripts", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "StubKitRecorderTests", dependencies: ["StubKitRecording", "TestSupport"], resources: [.copy("Fixtures")]),
    .testTarget(
      name: "MigrationTests", dependencies: ["StubKitOHHTTPStubs", "StubKitMocker", "TestSupport"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "StubKitServerTests",
      dependencies: ["StubKitServer", "StubKitRecorder", "StubKitTranscripts", "TestSupport"],
      // What libFuzzer calls.
      exclude: ["Fuzzing/Fuzzer.swift", "Fuzzing/Dictionary.txt", "Fuzzing/Seeds"],
      resources: [.copy("Clients"), .copy("Fixtures")]),
    .testTarget(
      name: "StubKitCommandsTests", dependencies: ["StubKitCommands", "StubKitRecorder", "TestSupport"],
      resources: [.copy("Archives")]),
    .testTarget(name: "BenchmarkTests", dependencies: ["StubKitBenchmarks"]),
    .testTarget(name: "StressTests", dependencies: ["StubKit", "TestSupport"]),
    .testTarget(name: "DifferentialTests", dependencies: ["StubKitRecorder", "StubKitServer", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
