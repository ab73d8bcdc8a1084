import Foundation
import StubKit

/// A body in UTF-16: with a mark of the order of its bytes, with a type that says so, or in JSON.
struct UTF16Body {
  let utf8: String
  private let isBigEndian: Bool
  private let bytes: Data
  /// Where the text begins.
  private let start: Int

  /// - Returns: `nil` if the body is no such text.
  init?(_ body: Data, type: String) {
    let first = [UInt8](body.prefix(4))
    guard first.count == 4, body.count % 2 == 0 else { return nil }
    switch (first[0], first[1]) {
    case (0xFF, 0xFE) where first[2] != 0 || first[3] != 0: (isBigEndian, start) = (false, 2)
    case (0xFE, 0xFF): (isBigEndian, start) = (true, 2)
    case (0, 1...) where first[2] == 0 && first[3] != 0: (isBigEndian, start) = (true, 0)
    case (1..., 0) where first[2] != 0 && first[3] == 0: (isBigEndian, start) = (false, 0)
    default:
      let type = type.lowercased()
      guard type.contains("charset=utf-16") else { return nil }
      (isBigEndian, start) = (!type.contains("utf-16le"), 0)
    }
    bytes = body
    let isBig = isBigEndian
    let units = body.dropFirst(start).withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 2).map { index in
        let unit = bytes.loadUnaligned(fromByteOffset: index, as: UInt16.self)
        return isBig ? unit.bigEndian : unit.littleEndian
      }
    }
    utf8 = String(decoding: units, as: UTF16.self)
  }

  /// Returns the body with the edits of its text.
  func applied(_ edited: EditedBytes) -> EditedBytes {
    var result = EditedBytes(data: Data(bytes.prefix(start)), edits: [])
    func place(_ position: Int) -> Int {
      start + 2 * utf8.utf8.index(utf8.startIndex, offsetBy: position).utf16Offset(in: utf8)
    }
    var copied = start
    for var edit in edited.edits {
      edit.range = place(edit.range.lowerBound)..<place(edit.range.upperBound)
      edit.replacement = encoded(String(utf8: edit.replacement))
      result.data.append(bytes.dropFirst(copied).prefix(edit.range.lowerBound - copied))
      result.data.append(contentsOf: edit.replacement)
      result.edits.append(edit)
      copied = edit.range.upperBound
    }
    result.data.append(bytes.dropFirst(copied))
    return result
  }

  private func encoded(_ text: String) -> [UInt8] {
    text.utf16.flatMap { unit in
      withUnsafeBytes(of: isBigEndian ? unit.bigEndian : unit.littleEndian) { Array($0) }
    }
  }

  /// Returns a placeholder as its bytes read as UTF-8, which is how replay compares a body of bytes.
  func bytesAsText(_ placeholder: String) -> String { String(utf8: encoded(placeholder)) }
}
