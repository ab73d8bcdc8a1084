import Foundation
import StubKit

// Every request of the tour is a real URLSession call, but for that of another client. If a chapter gets an unexpected
// result, the tour says so and exits with status 1.

let chapters: [Chapter] = [
  .plainStub, .fixtureFile, .delayedAnswer, .failureAndRetry, .pathTemplate, .group, .scenario, .ranges, .asFromAServer,
  .slowDownload, .virtualRetries, .serverSentEvents, .unmatchedRequest, .journal, .recorded, .otherClients,
  .capabilities,
]

let options: TourOptions
do {
  options = try TourOptions(Array(CommandLine.arguments.dropFirst()), chapterCount: chapters.count)
} catch {
  print("\(error.description)\n\n\(TourOptions.help)")
  exit(64)
}
switch options.wish {
case .help:
  print(TourOptions.help)
  exit(0)
case .list:
  for (number, chapter) in zip(1..., chapters) { print("\(number < 10 ? " " : "")\(number)  \(chapter.title)") }
  exit(0)
case .chapters: break
}

let count = options.numbers.count
print(Terminal.style("A tour of StubKit in \(count == 1 ? "1 chapter" : "\(count) chapters")", .bold))
print("Each request is a real URLSession call, and none leaves this machine.")

var failures = 0
let elapsed = await ContinuousClock().measure {
  // One registry for the whole tour, so that the journal contains all earlier chapters.
  await withStubs {
    for number in options.numbers {
      HTTPStubs.removeAllStubs()
      (HTTPStubs.clock, HTTPStubs.network) = (.real, nil)
      let chapter = chapters[number - 1]
      let page = await chapter.perform(number: number, isInWholeTour: count == chapters.count)
      failures += page.failureCount
      if let folder = options.pictures { failures += page.writePictures(to: folder) ? 0 : 1 }
    }
  }
}

print()
if failures == 0 {
  print(Terminal.style("✓ All chapters passed in \(elapsed.inWords).", .bold, .green))
} else {
  print(Terminal.style("✗ \(failures) expectations of the tour were not met.", .bold, .red))
  exit(1)
}
