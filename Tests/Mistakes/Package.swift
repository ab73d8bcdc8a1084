// swift-tools-version: 6.1
import PackageDescription

/// A client that can make mistakes, and its tests: .ci/mistakes
let package = Package(
  name: "Mistakes",
  platforms: [.macOS(.v13)],
  // A package's identity is the last part of its path, which for this one is wherever it was cloned to.
  dependencies: [.package(name: "StubKit", path: "../..")],
  targets: [
    .target(name: "Shop"),
    .testTarget(
      name: "ShopTests", dependencies: ["Shop", .product(name: "StubKitTesting", package: "StubKit")]),
  ],
  swiftLanguageModes: [.v6]
)
