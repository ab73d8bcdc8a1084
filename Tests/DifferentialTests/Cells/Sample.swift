import Foundation

/// The cells of a plain run: few of them, in which everything that a cell is made of occurs.
///
/// Each answer, each kind of task with each style of call, each method with each style, each reply of a delegate with
/// each kind of task, and each disturbance with each kind and each style are in some cell.
enum Sample {
  /// With `STUBKIT_DIFFERENTIAL=all` in the environment a run has all cells, and records all of them.
  static let isWhole = ProcessInfo.processInfo.environment["STUBKIT_DIFFERENTIAL"] == "all"

  /// The groups of this run.
  static let groups = isWhole ? Matrix.groups : sampled

  private static let sampled: [CellGroup] = {
    var seen: Set<String> = []
    return Matrix.groups.map { group in
      // From both ends in turn, so that the first of a list is not in all of its pairs.
      let order = group.cells.indices.map { $0.isMultiple(of: 2) ? $0 / 2 : group.cells.count - 1 - $0 / 2 }
      var chosen: [Int] = []
      for index in order where !group.cells[index].facets.isSubset(of: seen) {
        seen.formUnion(group.cells[index].facets)
        chosen.append(index)
      }
      return CellGroup(name: group.name, cells: chosen.sorted().map { group.cells[$0] })
    }
  }()
}

extension Cell {
  fileprivate var facets: Set<String> {
    var facets: Set = [
      "answer: \(exchange.name)", "task: \(kind), \(style)", "method: \(method), \(style)",
    ]
    if !replies.name.isEmpty { facets.insert("reply: \(replies.name), \(kind)") }
    if disturbance != .none {
      facets.formUnion(["disturbance: \(disturbance), \(kind)", "disturbance: \(disturbance), \(style)"])
    }
    return facets
  }

  /// Whether the cell is recorded and replayed too: all of them in a whole run, else a third, the same ones each time.
  var isRecorded: Bool { Sample.isWhole || description.utf8.reduce(0) { $0 &+ Int($1) } % 3 == 0 }
}
