// A comparison for people, in the form that editors colour as a diff.

import PostKitHTTP
import PostKitJSON
import PostKitText

extension ResponseDifference {
  /// Changes of one body that are shown.
  private static let shownChanges = 1_000

  /// The comparison with `-` before what was and `+` before what is; `time` writes a moment, in
  /// milliseconds since 1970, as the reader's clock has it.
  package func text(time: (Int64) -> String) -> String {
    var lines = ["--- \(heading(old, time))", "+++ \(heading(new, time))"]
    if oldStatus != newStatus { lines += ["@@ status @@", "-\(oldStatus)", "+\(newStatus)"] }
    let fields = headers?.changes ?? []
    if !fields.isEmpty { lines.append("@@ headers @@") }
    for change in fields {
      lines += change.old.map { "-\(change.name): \($0)" }
      lines += change.new.map { "+\(change.name): \($0)" }
    }
    lines += bodyLines
    if isEmpty { lines.append("# The responses are the same.") }
    lines += notes.map { "# \($0)" } + passingLines
    return lines.joined(separator: "\n") + "\n"
  }

  private func heading(_ exchange: Exchange, _ time: (Int64) -> String) -> String {
    let words = [
      time(exchange.startedAt), exchange.requestName,
      "\(exchange.request.method) \(exchange.request.url)", exchange.environment,
    ]
    return words.compactMap(\.self).joined(separator: "  ")
  }

  /// What is not counted as a difference, as remarks that nothing colours.
  private var passingLines: [String] {
    guard let passing = headers?.passing, !passing.isEmpty else { return [] }
    return ["# Not counted, as they change with nearly every response:"]
      + passing.map { change in
        let (old, new) = (change.old.joined(separator: ", "), change.new.joined(separator: ", "))
        return "#   \(change.name): \(old) → \(new)"
      }
  }

  private var bodyLines: [String] {
    switch body {
    case .same: return []
    case .json(let changes):
      if changes.isEmpty { return [] }
      return ["@@ body, by JSONPath @@"] + changes.prefix(Self.shownChanges).flatMap(lines)
        + rest(changes.count)
    case .text(let hunks):
      return hunks.prefix(Self.shownChanges).flatMap(lines) + rest(hunks.count)
    case .opaque(let old, let new):
      return ["@@ body, by size and SHA-256 @@", "-\(line(old))", "+\(line(new))"]
    }
  }

  private func rest(_ count: Int) -> [String] {
    let rest = count - Self.shownChanges
    return rest > 0 ? ["# … and \(rest) more change\(rest == 1 ? "" : "s")."] : []
  }

  private func lines(_ change: JSONChange) -> [String] {
    func line(_ mark: String, _ place: JSONChange.Place) -> String {
      "\(mark)\(place.path): \(place.value.text.excerpt)"
    }
    return [change.old.map { line("-", $0) }, change.new.map { line("+", $0) }].compactMap(\.self)
  }

  private func lines(_ hunk: LineHunk) -> [String] {
    let removed = hunk.lines.count { $0.mark != .added }
    let added = hunk.lines.count { $0.mark != .removed }
    let place = "@@ -\(hunk.oldLine),\(removed) +\(hunk.newLine),\(added) @@ body"
    return [place] + hunk.lines.map { $0.mark.rawValue + $0.text }
  }

  private func line(_ facts: BodyDifference.Facts) -> String {
    "\(facts.type), \(facts.size) bytes, \(facts.digest)"
  }
}
