#if canImport(Darwin)
  import Foundation

  /// The system tells delegates itself, so there is no such value.
  enum TaskListener {
    var isOwn: Bool { false }
    var takesPieces: Bool { false }
    var takesLengths: Bool { false }

    func tell(_ task: URLSessionTask, received piece: Data) {}
    func tell(_ task: URLSessionTask, wrote count: Int64, total: Int64, expected: Int64) {}
    func tell(_ task: URLSessionTask, sent count: Int64, total: Int64, expected: Int64) {}
  }
#endif
