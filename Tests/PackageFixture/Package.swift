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
      name: "LibraryTests", dependencies: ["Library", .stubKit("StubKitOHHTTPStubs"), .stubKit("StubKitMocker")]),
    .target(name: "SDKs"),
    .testTarget(name: "SDKTests", dependencies: ["SDKs", .stubKit("StubKitTesting")]),
  ]
    // The same files, which two links lead to.
    + [
      callSites("CallSiteTests", []),
      callSites("Swift5CallSiteTests", [.swiftLanguageMode(.v5)]),
      callSites("MainActorCallSiteTests", [.defaultIsolation(MainActor.self)]),
    ],
  swiftLanguageModes: [.v6]
)

func callSites(_ name: String, _ settings: [SwiftSetting]) -> Target {
  .testTarget(
    name: name,
    dependencies: [.stubKit("StubKitRecording"), .stubKit("StubKitTranscripts"), .stubKit("StubKitOHHTTPStubs")],
    swiftSettings: settings)
}

extension Target.Dependency {
  static func stubKit(_ product: String) -> Target.Dependency { .product(name: product, package: "StubKit") }
}
