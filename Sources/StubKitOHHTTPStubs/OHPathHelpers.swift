// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import StubKit

/// Returns the path of a resource in the bundle of a class, or `nil` if it doesn't exist.
///
/// ```swift
/// fixture(filePath: OHPathForFile("users.json", LoginTests.self)!)
/// ```
///
/// In a package, the bundle of a class has no resources, so the function also looks in the resources of the class's
/// module. In new tests, use `StubResponse.fixture(_:in:status:headers:)`, whose error says where it
/// looked.
///
/// - Parameters:
///   - fileName: The name of the file with its extension, preceded by its folder in the bundle if it is in one.
///   - inBundleForClass: The class, usually that of the test.
public func OHPathForFile(_ fileName: String, _ inBundleForClass: AnyClass) -> String? {
  let bundle = Bundle(for: inBundleForClass)
  if let path = OHPathForFileInBundle(fileName, bundle) { return path }
  let module = String(reflecting: inBundleForClass).prefix { $0 != "." }
  return resourceBundles(beside: bundle)
    .filter { $0.deletingPathExtension().lastPathComponent.hasSuffix("_\(module)") }
    .lazy.compactMap { Bundle(url: $0).flatMap { OHPathForFileInBundle(fileName, $0) } }.first
}

/// Returns the path of a resource in a bundle, or `nil` if it doesn't exist.
///
/// ```swift
/// let path = OHPathForFileInBundle("Fixtures/users.json", .module)
/// ```
///
/// - Parameters:
///   - fileName: The name of the file with its extension, preceded by its folder in the bundle if it is in one.
///   - bundle: The bundle.
public func OHPathForFileInBundle(_ fileName: String, _ bundle: Bundle) -> String? {
  [bundle.resourceURL, bundle.bundleURL].lazy.compactMap { $0?.appendingPathComponent(fileName).path }
    .first { FileManager.default.fileExists(atPath: $0) }
}

/// Returns the resource bundle with a name, in the bundle of a class or beside it, or `nil` if it doesn't exist.
///
/// ```swift
/// if let bundle = OHResourceBundle("Fixtures", UserTests.self) {
///   let path = OHPathForFileInBundle("users.json", bundle)
/// }
/// ```
///
/// - Parameters:
///   - bundleBasename: The name of the bundle without its extension.
///   - inBundleForClass: The class, usually that of the test.
public func OHResourceBundle(_ bundleBasename: String, _ inBundleForClass: AnyClass) -> Bundle? {
  resourceBundles(beside: Bundle(for: inBundleForClass))
    .first { $0.deletingPathExtension().lastPathComponent == bundleBasename }
    .flatMap(Bundle.init(url:))
}

/// The resources of a package are in a bundle of their own, in the bundle of the tests or beside it.
private func resourceBundles(beside bundle: Bundle) -> [URL] {
  let folders = [bundle.resourceURL, bundle.bundleURL, bundle.bundleURL.deletingLastPathComponent()].compactMap(\.self)
  return folders.flatMap { folder in
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
      .map { folder.appendingPathComponent($0) }
      .filter { ["bundle", "resources"].contains($0.pathExtension) }
  }
}
