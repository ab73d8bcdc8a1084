/// The version of StubKit: the only place that names it, but for CHANGELOG.md. `.ci/release` writes it.
package enum Version { package static let current = "0.1.0" }
