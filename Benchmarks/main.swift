import Foundation

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  Terminal.warn("\(error.description) See --help.")
  exit(64)
}
if options.wantsHelp {
  Terminal.print(Options.help)
  exit(0)
}
do {
  try await Run(options).perform()
} catch {
  Terminal.clearProgress()
  Terminal.warn("\(error)")
  exit(1)
}
