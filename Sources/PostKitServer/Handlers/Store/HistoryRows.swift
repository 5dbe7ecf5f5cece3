// The lines of lists of exchanges: what tells one request from the next, and nothing that is the
// same in all of them.

import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitStore
import PostKitText

/// Exchanges as lines whose columns stand below each other, with a heading for each earlier day.
struct HistoryRows {
  private let entries: [ExchangeSummary]
  /// The scheme and host that all of them were sent to; `nil` where there are several.
  let origin: String?

  /// Whether the newest come first, so that a heading can say their day.
  private let isByTime: Bool

  /// Prepares the lines of exchanges in their order.
  init(_ entries: [ExchangeSummary], isByTime: Bool = true) {
    (self.entries, self.isByTime) = (entries, isByTime)
    let first = entries.first.flatMap { ResponseText.origin(of: $0.url) }
    origin = entries.allSatisfy { ResponseText.origin(of: $0.url) == first } ? first : nil
  }

  /// Characters of a request's name that are shown.
  private static let nameLength = 24

  /// The lines, each of which ends with the id of its exchange; `remarks` say more of each.
  func lines(now: Int64, remarks: [String?] = []) -> [String] {
    let names = column(entries.map { ($0.requestName ?? "").oneLine.prefixed(Self.nameLength) })
    let results = column(entries.map(result))
    let times = column(entries.map { DurationText.text($0.milliseconds) }, atEnd: true)
    let sizes = column(
      entries.map { $0.status == nil ? "" : SizeText.text($0.size) }, atEnd: true)
    let moments = column(entries.map { moment($0, now) })
    var lines: [String] = []
    var day: String?
    for (index, entry) in entries.enumerated() {
      let own = isByTime ? Moment.day(entry.startedAt, now: now) : nil
      if own != day, let own { lines += lines.isEmpty ? ["# \(own)"] : ["#", "# \(own)"] }
      day = own
      let url = origin == nil ? entry.url : ResponseText.place(of: entry.url)
      let columns = [
        moments[index], names[index], results[index], times[index], sizes[index],
        index < remarks.count ? remarks[index] ?? "" : "", "\(entry.method) \(url)",
        entry.environment ?? "", entry.isPinned ? "pinned" : "",
        entry.label.map { "[\($0)]" } ?? "", entry.note.map { "(\($0))" } ?? "", entry.id,
      ]
      lines.append("# " + columns.filter { !$0.isEmpty }.joined(separator: "  ").oneLine)
    }
    return lines
  }

  /// The time of the day, with the date where no heading says it.
  private func moment(_ entry: ExchangeSummary, _ now: Int64) -> String {
    let isToday = Moment.day(entry.startedAt, now: now) == nil
    return isByTime || isToday
      ? Moment.clock(entry.startedAt) : String(Moment.local(entry.startedAt).prefix(16))
  }

  /// The status; where something else is to be known, the word for it.
  private func result(_ entry: ExchangeSummary) -> String {
    // A response that broke off has a status, too, but is no success.
    entry.failureCode?.rawValue ?? entry.status.map(String.init) ?? entry.state.rawValue
  }

  /// Texts with blanks that make them equally long.
  private func column(_ texts: [String], atEnd: Bool = false) -> [String] {
    let width = texts.map(\.count).max() ?? 0
    return texts.map { text in
      let blanks = String(repeating: " ", count: width - text.count)
      return atEnd ? blanks + text : text + blanks
    }
  }
}

extension String {
  /// The beginning of a text, with a mark where it is not all.
  fileprivate func prefixed(_ length: Int) -> String {
    count > length ? prefix(length - 1) + "…" : self
  }
}
