import Foundation

/// Text or bytes, which may be JSON already.
///
/// A `String` encodes as a JSON string in quotation marks and a `Data` as one in base64, which is seldom what `.json(text)` means.
/// So ``StubResponse/json(_:status:headers:)-(JSONTextOrBytes,_,_)`` and ``hasJSONBody(_:)-(JSONTextOrBytes)`` do not take them: a
/// call does not compile, and a warning beside the error says what to write instead. Literals are not concerned; `.json("text")` is
/// the JSON string.
///
/// Do not conform types of your own to this protocol.
public protocol JSONTextOrBytes: Encodable {}

extension String: JSONTextOrBytes {}
extension Data: JSONTextOrBytes {}
extension Optional: JSONTextOrBytes where Wrapped: JSONTextOrBytes {}
