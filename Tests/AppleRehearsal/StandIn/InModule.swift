// Goes into StubKit's own copy: what Foundation has here too, but not as on Apple platforms.
import Foundation

/// There a class's name has no module unless it is a Swift class; the stand-in's are to look as if they were not.
func NSStringFromClass(_ type: AnyClass) -> String { String(describing: type) }
