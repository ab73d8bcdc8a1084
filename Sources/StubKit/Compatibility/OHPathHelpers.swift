// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// The path of a resource in the bundle of a class, or nil if it is not there.
///
/// ```swift
/// fixture(filePath: OHPathForFile("users.json", LoginTests.self)!)
/// ```
///
/// In a package, where a class's bundle has no resources, the resources of the class's own module are looked through too.
/// New tests write ``fixture(named:in:subdirectory:status:headers:)``, whose error says where it looked.
///
/// - Parameters:
///   - fileName: The file's name with its extension, and before it the folder in the bundle if it is in one.
///   - inBundleForClass: The class, usually the test's own.
public func OHPathForFile(_ fileName: String, _ inBundleForClass: AnyClass) -> String? {
  let bundle = Bundle(for: inBundleForClass)
  if let path = OHPathForFileInBundle(fileName, bundle) { return path }
  let module = String(reflecting: inBundleForClass).prefix { $0 != "." }
  return resourceBundles(beside: bundle)
    .filter { $0.deletingPathExtension().lastPathComponent.hasSuffix("_\(module)") }
    .lazy.compactMap { Bundle(url: $0).flatMap { OHPathForFileInBundle(fileName, $0) } }.first
}

/// The path of a resource in a bundle, or nil if it is not there.
///
/// - Parameters:
///   - fileName: The file's name with its extension, and before it the folder in the bundle if it is in one.
///   - bundle: The bundle.
public func OHPathForFileInBundle(_ fileName: String, _ bundle: Bundle) -> String? {
  [bundle.resourceURL, bundle.bundleURL].lazy.compactMap { $0?.appendingPathComponent(fileName).path }
    .first { FileManager.default.fileExists(atPath: $0) }
}

/// The resource bundle of that name in the bundle of a class or beside it, or nil if it is not there.
///
/// - Parameters:
///   - bundleBasename: The bundle's name without its extension.
///   - inBundleForClass: The class, usually the test's own.
public func OHResourceBundle(_ bundleBasename: String, _ inBundleForClass: AnyClass) -> Bundle? {
  resourceBundles(beside: Bundle(for: inBundleForClass))
    .first { $0.deletingPathExtension().lastPathComponent == bundleBasename }
    .flatMap(Bundle.init(url:))
}

/// A package's resources are in a bundle of their own, in the tests' bundle or beside it.
private func resourceBundles(beside bundle: Bundle) -> [URL] {
  let folders = [bundle.resourceURL, bundle.bundleURL, bundle.bundleURL.deletingLastPathComponent()].compactMap(\.self)
  return folders.flatMap { folder in
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
      .map { folder.appendingPathComponent($0) }
      .filter { ["bundle", "resources"].contains($0.pathExtension) }
  }
}
