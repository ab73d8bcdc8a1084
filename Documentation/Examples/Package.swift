// swift-tools-version: 6.2
import PackageDescription

let support: [SwiftSetting] = [.unsafeFlags(["-module-alias", "TestSupport=ExampleSupport"])]

/// What the guides show, compiled and run, and whole clients with their tests.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  // A package's identity is the last part of its path, which for this one is wherever it was cloned to.
  dependencies: [.package(name: "StubKit", path: "../..")],
  targets: [
    // A link to the support of StubKit's own tests. What is left out uses names of their package. It has another name,
    // because both packages are built in one folder.
    .target(
      name: "ExampleSupport", dependencies: [.stubKit("StubKit")], path: "Tests/TestSupport",
      exclude: ["QuietFramework.swift", "Issues.swift"], swiftSettings: support),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        .stubKit("StubKitRecorder"), .stubKit("StubKitServer"), .stubKit("StubKitOHHTTPStubs"),
        .stubKit("StubKitMocker"), .stubKit("StubKitTesting"), "ExampleSupport",
      ],
      exclude: ["Guides/Recordings"], resources: [.copy("Fixtures")], swiftSettings: support),
    .testTarget(
      name: "TestingExamples",
      dependencies: [
        .stubKit("StubKitRecording"), .stubKit("StubKitTranscripts"), .stubKit("StubKitOHHTTPStubs"), "ExampleSupport",
      ],
      exclude: ["Recording/Recordings", "Requests"], swiftSettings: support),
    .testTarget(
      name: "ServerExamples",
      dependencies: [
        .stubKit("StubKitServer"), .stubKit("StubKitRecorder"), .stubKit("StubKitTesting"), "ExampleSupport",
      ],
      exclude: ["Recordings"], swiftSettings: support),
  ] + (1...4).flatMap(Target.tutorial),
  swiftLanguageModes: [.v6]
)

extension Target {
  /// The app and the tests of the tutorial, from the files that it shows. The fifth section changes no more than the
  /// tests of the fourth, and adds a model.
  static func tutorial(_ client: Int) -> [Target] {
    let (app, isLast) = ("TutorialApp\(client)", client == 4)
    let sources = ["FilmClient-\(client).swift"] + (isLast ? ["FilmModel-1.swift"] : [])
    let tests = "FilmTests-\(isLast ? 5 : client).swift"
    let files =
      (1...4).map { "FilmClient-\($0).swift" } + (0...5).map { "FilmTests-\($0).swift" } + ["FilmModel-1.swift"]
    return [
      .target(name: app, path: "Tests/Tutorial", exclude: files.filter { !sources.contains($0) }),
      .testTarget(
        name: "TutorialTests\(client)", dependencies: [.target(name: app), .stubKit("StubKitTesting")],
        path: "Tests/Tutorial", exclude: files.filter { $0 != tests },
        swiftSettings: [.unsafeFlags(["-module-alias", "App=\(app)"])]),
    ]
  }
}

extension Target.Dependency {
  static func stubKit(_ product: String) -> Target.Dependency { .product(name: product, package: "StubKit") }
}
