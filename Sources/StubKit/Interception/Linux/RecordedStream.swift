#if os(Linux)
  import Foundation

  /// A body's stream that records the bytes while URLSession reads them. URLSession reads it as it would read the
  /// original.
  final class RecordedStream: InputStream {
    private let stream: InputStream
    private let recording: any ExchangeRecording

    init(_ stream: InputStream, _ recording: any ExchangeRecording) {
      self.stream = stream
      self.recording = recording
      super.init(data: Data())
      recording.sendAgain()
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
      let count = stream.read(buffer, maxLength: length)
      if count > 0 { recording.send(Data(bytes: buffer, count: count)) }
      return count
    }

    override func getBuffer(
      _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool { stream.hasBytesAvailable }
    override func open() { stream.open() }
    override func close() { stream.close() }
    override var streamStatus: Stream.Status { stream.streamStatus }
    override var streamError: (any Error)? { stream.streamError }
    override var delegate: (any StreamDelegate)? {
      get { stream.delegate }
      set { stream.delegate = newValue }
    }
    override func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) { stream.schedule(in: loop, forMode: mode) }
    override func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) { stream.remove(from: loop, forMode: mode) }
    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { stream.property(forKey: key) }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
      stream.setProperty(property, forKey: key)
    }
  }
#endif
