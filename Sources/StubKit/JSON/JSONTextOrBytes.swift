import Foundation

/// Text or bytes, which can be JSON already.
///
/// A `String` encodes as a JSON string in quotation marks, and a `Data` as a JSON string in base64. That is seldom
/// what `.json(text)` means. ``StubResponse/json(_:status:headers:)-(JSONTextOrBytes,_,_)`` and
/// ``hasJSONBody(_:)-(JSONTextOrBytes)`` therefore don't accept them. Such a call doesn't compile, and a warning
/// beside the error says what to write. Literals aren't affected: `.json("text")` is the JSON string.
///
/// Don't conform types of your own to this protocol.
public protocol JSONTextOrBytes: Encodable {}

extension String: JSONTextOrBytes {}
extension Data: JSONTextOrBytes {}
extension Optional: JSONTextOrBytes where Wrapped: JSONTextOrBytes {}
