import Foundation

/// What the command line asks for.
struct TourOptions {
  enum Wish { case chapters, list, help }

  private(set) var wish = Wish.chapters
  /// The numbers of the chapters, from 1.
  private(set) var numbers: [Int] = []
  /// Where pictures of chapters go; nil for none.
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
        guard let folder = rest.popFirst() else { throw Mistake(description: "--pictures wants a folder after it.") }
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
    Shows StubKit at work, a chapter after the other, in less than ten seconds.

    swift run StubKitTour [NUMBER …] [--list] [--pictures FOLDER]

    NUMBER …            only these chapters
    --list              the chapters with their numbers
    --pictures FOLDER   draws what the README and the guides show of the tour
    """
}
