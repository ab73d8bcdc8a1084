import StubKit
import Testing

extension NetworkFault: CustomTestStringConvertible, CustomTestArgumentEncodable {
  /// The name, as the argument of a test is printed.
  public var testDescription: String { description }

  /// Encodes the name, so that a test can be run again with this fault alone.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The error of the encoder.
  public func encodeTestArgument(to encoder: some Encoder) throws { try description.encode(to: encoder) }
}
