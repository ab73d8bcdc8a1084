// swift-tools-version: 6.2
import PackageDescription

/// A package of somebody else's: it has StubKit as a dependency, in its tests only.
let package = Package(
  name: "PackageFixture",
  platforms: [.macOS(.v13)],
  // A package's identity is the last part of its path, which for this one is wherever it was cloned to.
  dependencies: [.package(name: "StubKit", path: "../..")],
  targets: [
    .target(name: "Library"),
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        "Library", .product(name: "StubKit", package: "StubKit"), .product(name: "StubKitTesting", package: "StubKit"),
        .product(name: "StubKitOHHTTPStubs", package: "StubKit"), .product(name: "StubKitMocker", package: "StubKit"),
      ]),
    .testTarget(
      name: "OptimizedTests",
      dependencies: [
        .product(name: "StubKit", package: "StubKit"), .product(name: "StubKitOHHTTPStubs", package: "StubKit"),
      ]),
    // The call sites of CallSiteTests, under main-actor isolation by default. StubKit's own manifest needs no tools
    // that know of it.
    .testTarget(
      name: "MainActorCallSiteTests",
      dependencies: [
        .product(name: "StubKitRecording", package: "StubKit"),
        .product(name: "StubKitOHHTTPStubs", package: "StubKit"),
      ],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)
