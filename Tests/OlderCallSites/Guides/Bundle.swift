import Foundation

/// What SwiftPM generates for a target with resources.
extension Bundle { static var module: Bundle { .main } }
