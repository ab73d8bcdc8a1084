import Foundation

/// The options of the command line.
struct TourOptions {
  enum Wish { case chapters, list, help }

  private(set) var wish = Wish.chapters
  /// The numbers of the chapters, from 1.
  private(set) var numbers: [Int] = []
  /// The folder for pictures of chapters, or `nil` to draw none.
  private(set) var pictures: URL?

  struct Mistake: Error {
    let description: String
  }

  init(_ arguments: [String], chapterCount: Int) throws(Mistake) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": wish = .help
      case "--list": wish = .list
      case "--pictures":
        guard let folder = rest.popFirst() else { throw Mistake(description: "--pictures needs a folder after it.") }
        pictures = URL(fileURLWithPath: folder)
      default:
        guard let number = Int(argument), (1...chapterCount).contains(number) else {
          throw Mistake(
            description: "There is no chapter \"\(argument)\". Write a number from 1 to \(chapterCount).")
        }
        numbers.append(number)
      }
    }
    if numbers.isEmpty { numbers = Array(1...chapterCount) }
  }

  static let help = """
    Shows StubKit at work, one chapter after another, in less than ten seconds.

    swift run StubKitTour [NUMBER …] [--list] [--pictures FOLDER]

    NUMBER …            shows only these chapters
    --list              lists the chapters with their numbers
    --pictures FOLDER   draws the pictures of the README and the guides
    """
}
