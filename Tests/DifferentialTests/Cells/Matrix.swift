import Testing

/// The cells, in groups that go by what the exchange is about.
enum Matrix {
  static let groups: [CellGroup] = [
    plain, methods, bodies, requests, cookies, redirectsByStatus, redirects, redirectReplies, challenges, failures,
    wrongLengths, timeouts, selections, disturbances,
  ].map { group in CellGroup(name: group.name, cells: group.cells.filter { !$0.hasNativeFlaw }) }

  private static let plain = CellGroup(name: "plain answers", cells: Exchange.plain.flatMap { cells($0) })

  private static let methods = CellGroup(
    name: "methods",
    cells: styles.flatMap { style in
      ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map { method in
        Cell(exchange: method == "HEAD" ? .head : .small, method: method, kind: .data, style: style)
      } + [
        Cell(exchange: .head, method: "HEAD", kind: .download, style: style),
        Cell(exchange: .small, method: "PUT", kind: .uploadOfData, style: style),
        Cell(exchange: .small, method: "PUT", kind: .uploadOfFile, style: style),
      ]
    })

  private static let bodies = CellGroup(
    name: "bodies where there are none",
    cells: ["GET", "HEAD", "DELETE", "OPTIONS"].flatMap { method in
      [Exchange.bodyInEveryMethod, .emptyBodyInEveryMethod].flatMap {
        cells($0, method, of: [.data, .uploadOfData, .uploadOfFile, .download])
      }
    })

  private static let requests = CellGroup(
    name: "requests",
    cells: Exchange.requests.flatMap { exchange in
      kindsAndStyles().map { kind, style in
        Cell(exchange: exchange, method: kind == .data ? "POST" : method(of: kind), kind: kind, style: style)
      }
    })

  private static let cookies = CellGroup(
    name: "cookies",
    cells: Exchange.cookies.flatMap { cells($0, of: [.data, .download]) })

  private static let redirectsByStatus = CellGroup(
    name: "redirects by status",
    cells: Exchange.redirectStatuses.flatMap { status in
      let exchange = Exchange.redirect(status)
      let data = ["GET", "POST", "PUT", "HEAD", "DELETE"].flatMap { method in
        styles.map { Cell(exchange: exchange, method: method, kind: .data, style: $0) }
      }
      return data + cells(exchange, of: [.uploadOfData, .uploadOfFile, .streamedUpload, .download])
    })

  private static let redirects = CellGroup(
    name: "redirects of all sorts",
    cells: Exchange.redirects.flatMap { cells($0, of: [.data, .download]) })

  private static let redirectReplies = CellGroup(
    name: "redirects that the delegate decides",
    cells: [Replies(name: "refused", redirect: .refuse), Replies(name: "changed", redirect: .change)].flatMap {
      replies in
      [301, 303, 307].flatMap { status in
        kindsAndStyles().filter { askedStyles.contains($0.1) }.map { kind, style in
          Cell(exchange: .redirect(status), method: method(of: kind), kind: kind, style: style, replies: replies)
        }
      }
    })

  private static let challenges = CellGroup(
    name: "challenges",
    cells: kindsAndStyles().flatMap { kind, style in
      Exchange.unauthorized.map { Cell(exchange: $0, method: method(of: kind), kind: kind, style: style) }
        + [
          Replies(name: "right credential", challenges: [right]),
          Replies(name: "wrong credential, then the right one", challenges: [wrong, right]),
          Replies(name: "challenge cancelled", challenges: [.cancel]),
          Replies(name: "challenge rejected", challenges: [.reject]),
          Replies(name: "default handling", challenges: [.defaultHandling]),
        ].map {
          Cell(exchange: .challenge, method: method(of: kind), kind: kind, style: style, replies: $0)
        }
        + [
          Cell(
            exchange: .redirectToChallenge, method: method(of: kind), kind: kind, style: style,
            replies: Replies(name: "right credential", challenges: [right]))
        ]
    })

  private static let failures = CellGroup(name: "failures", cells: Exchange.failures.flatMap { cells($0) })

  private static let wrongLengths = CellGroup(
    name: "wrong lengths",
    cells: Exchange.wrongLengths.flatMap { cells($0) }
      + Exchange.lengthWithoutBody.flatMap { cells($0, "HEAD", of: [.data, .download]) })

  private static let timeouts = CellGroup(
    name: "timeouts",
    cells: Exchange.timeouts.flatMap { cells($0, of: [.data, .uploadOfData, .download]) })

  private static let selections = CellGroup(
    name: "ranges and conditions",
    cells: (Exchange.ranges + Exchange.conditions).flatMap { cells($0, of: [.data, .download]) }
      + Exchange.selectionsOfHead.flatMap { cells($0, "HEAD", of: [.data]) })

  private static let disturbances = CellGroup(
    name: "disturbances",
    cells: kindsAndStyles().flatMap { kind, style in
      let cell = Cell(exchange: .small, method: method(of: kind), kind: kind, style: style)
      func disturbed(_ disturbance: Cell.Disturbance, _ exchange: Exchange) -> Cell {
        var cell = cell
        cell.exchange = exchange
        cell.disturbance = disturbance
        return cell
      }
      var cells = [disturbed(.cancelDuringWait, .silent), disturbed(.cancelAfterEnd, .small)]
      if style.hasTask {
        cells += [
          disturbed(.cancelBeforeResume, .small), disturbed(.suspendBeforeResume, .small),
          disturbed(.suspendDuringWait, .held), disturbed(.resumeTwice, .held),
        ]
      }
      // Only a delegate is told that the body has begun.
      if style == .sessionDelegate || style == .asyncCallWithDelegate {
        cells.append(disturbed(.cancelDuringBody, .halfBody))
      }
      return cells
    })

  private static let right = Replies.Challenge.credential(user: "user", password: "secret")
  private static let wrong = Replies.Challenge.credential(user: "user", password: "guess")

  private static let styles: [Cell.CallStyle] = [
    .completionHandler, .asyncCall, .asyncCallWithDelegate, .sessionDelegate,
  ]

  /// Only these have someone who can be asked about redirects and challenges.
  private static let askedStyles: [Cell.CallStyle] = [
    .completionHandlerBesideDelegate, .asyncCallWithDelegate, .sessionDelegate,
  ]

  private static func method(of kind: Cell.TaskKind) -> String {
    switch kind {
    case .data, .download: "GET"
    case .uploadOfData, .uploadOfFile, .streamedUpload: "POST"
    }
  }

  /// A cell for each kind and style.
  ///
  /// - Parameter method: Nil for that of the kind.
  private static func cells(
    _ exchange: Exchange, _ method: String? = nil, of kinds: [Cell.TaskKind] = Cell.TaskKind.allCases
  ) -> [Cell] {
    kindsAndStyles(of: kinds).map { kind, style in
      Cell(exchange: exchange, method: method ?? self.method(of: kind), kind: kind, style: style)
    }
  }

  /// All that go together: only a session's delegate can be asked for a stream.
  private static func kindsAndStyles(
    of kinds: [Cell.TaskKind] = Cell.TaskKind.allCases
  ) -> [(Cell.TaskKind, Cell.CallStyle)] {
    kinds.flatMap { kind in
      kind == .streamedUpload
        ? [(kind, .sessionDelegate)] : (styles + [.completionHandlerBesideDelegate]).map { (kind, $0) }
    }
  }
}

struct CellGroup: Sendable, CustomTestStringConvertible {
  var name: String
  var cells: [Cell]

  /// Runs something for each cell, a few of them at a time, in the cells' order.
  ///
  /// Cells that wait are all begun at once, so that together they take as long as one.
  func forEachCell<Result: Sendable>(_ body: @escaping @Sendable (Cell) async -> Result) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      var results = [Result?](repeating: nil, count: cells.count)
      for (number, cell) in cells.enumerated() {
        if number >= width, let (number, result) = await group.next() { results[number] = result }
        group.addTask { (number, await body(cell)) }
      }
      for await (number, result) in group { results[number] = result }
      return results.compactMap(\.self)
    }
  }

  private var width: Int { cells.contains { $0.exchange.takesLong } ? 64 : 4 }

  var testDescription: String { name }
}
