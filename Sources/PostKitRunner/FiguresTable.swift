// Figures of the history as a person reads them, on the command line and in editors.

import PostKitHTTP
package import PostKitStore
import PostKitSupport
import PostKitText

/// Figures as lines whose columns stand below each other.
package struct FiguresTable {
  private let rows: [HistoryStatistics]
  private let key: StatisticsKey
  private let size: (Int) -> String

  /// Prepares the lines of some rows, in their order; `size` writes a number of bytes.
  package init(
    _ rows: [HistoryStatistics], by key: StatisticsKey, size: @escaping (Int) -> String
  ) {
    (self.rows, self.key, self.size) = (rows, key, size)
  }

  private static let longestValue = 60

  /// A heading, and a line for each row.
  package var lines: [String] {
    let heading = [
      key.rawValue, "count", "failed", "median", "p95", "max", "sent", "received", "last",
    ]
    let table = [heading.map { $0.uppercased() }] + rows.map(columns)
    let widths = heading.indices.map { index in table.map { $0[index].count }.max() ?? 0 }
    return table.map { columns in
      columns.indices.map { index in
        let blanks = String(repeating: " ", count: widths[index] - columns[index].count)
        if index == 0 { return columns[index] + blanks }
        return index == columns.count - 1 ? columns[index] : blanks + columns[index]
      }.joined(separator: "  ")
    }
  }

  private func columns(_ row: HistoryStatistics) -> [String] {
    let place = row.file.map { "  (\($0.hasPrefix("postkit:") ? "stored" : FilePath.name($0)))" }
    let value = ((row.value ?? key.missing) + (place ?? "")).oneLine
    return [
      value.count > Self.longestValue ? value.prefix(Self.longestValue - 1) + "…" : value,
      String(row.count), String(row.failed), DurationText.text(row.median),
      DurationText.text(row.p95), DurationText.text(row.max), size(row.requestBytes),
      size(row.responseBytes), Moment.local(row.last),
    ]
  }
}

extension StatisticsKey {
  /// What stands for exchanges without a value.
  fileprivate var missing: String {
    switch self {
    case .status: "(no response)"
    case .environment: "(no environment)"
    case .host, .path: "(no URL)"
    case .request, .method, .day: "(none)"
    }
  }
}
