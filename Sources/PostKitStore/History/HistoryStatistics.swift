// What many exchanges have in common, in figures.

/// What exchanges are counted by.
package enum StatisticsKey: String, Sendable, Hashable, CaseIterable {
  /// The request of a file: by its name, else by its method and path.
  case request
  case host, path, status, method, environment
  /// The day in local time on which they started.
  case day
}

/// The figures of the exchanges that are equal in something.
package struct HistoryStatistics: Sendable, Hashable {
  /// What they are equal in, such as `api.example.com`, `404` or `2026-01-31`; `nil` where they
  /// have none, as without a response there is no status.
  package var value: String?
  /// The file of a request; `nil` for all else.
  package var file: String?
  /// Whether the value of a request is its name, not its method and path.
  package var isNamed = false
  /// How many they are.
  package var count = 0
  /// How many of them did not succeed: without a whole answer, with a status from 400 on, or with
  /// a failed test.
  package var failed = 0
  /// The duration that half of them did not exceed, in milliseconds, rounded.
  package var median = 0
  /// The duration that 95 of 100 did not exceed, in milliseconds, rounded.
  package var p95 = 0
  /// The longest duration, in milliseconds, rounded.
  package var max = 0
  /// Bytes of the bodies that were sent.
  package var requestBytes = 0
  /// Bytes of the bodies that were received, after content codings were removed.
  package var responseBytes = 0
  /// When the last one started, in milliseconds since 1970-01-01T00:00:00Z.
  package var last: Int64 = 0
}

/// Collects exchanges that are equal in something.
struct StatisticsGroup {
  /// What they are equal in.
  var value: String?
  private var isNamed = false
  private let file: String?
  private var figures = HistoryStatistics()
  /// Microseconds of each.
  private var durations: [Int64] = []

  /// None yet.
  init(value: String?, file: String? = nil) {
    self.value = value
    self.file = file
  }

  /// Whether there are none.
  var isEmpty: Bool { durations.isEmpty }

  /// Adds the exchange of a row that has its figures from a column on: its start, microseconds,
  /// and the bytes of its bodies.
  mutating func add(
    _ row: Statement, from column: Int32, hasFailed: Bool, isNamed: Bool = false
  ) {
    if hasFailed { figures.failed += 1 }
    if isNamed { self.isNamed = true }
    figures.last = max(figures.last, row.int64(column))
    durations.append(row.int64(column + 1))
    figures.requestBytes &+= row.int(column + 2)
    figures.responseBytes &+= row.int(column + 3)
  }

  /// The figures with the durations that belong to them, by the nearest rank.
  consuming func concluded() -> HistoryStatistics {
    var figures = figures
    (figures.value, figures.file, figures.count) = (value, file, durations.count)
    figures.isNamed = isNamed
    func milliseconds(_ percent: Int) -> Int {
      let rank = max((durations.count * percent + 99) / 100, 1)
      return Int((Ranks.value(at: rank - 1, of: &durations) + 500) / 1_000)
    }
    guard !durations.isEmpty else { return figures }
    figures.median = milliseconds(50)
    figures.p95 = milliseconds(95)
    figures.max = milliseconds(100)
    return figures
  }
}

/// Finds the values that stand at places of an order, without sorting all.
enum Ranks {
  /// The value that would be at a place if the values were sorted (Hoare: Quickselect); they are
  /// moved.
  static func value(at place: Int, of values: inout [Int64]) -> Int64 {
    values.withUnsafeMutableBufferPointer { values in
      var (low, high) = (0, values.count - 1)
      while low < high {
        // The middle one of three: what is sorted already takes no longer.
        let middle = low + (high - low) / 2
        if values[middle] < values[low] { values.swapAt(middle, low) }
        if values[high] < values[low] { values.swapAt(high, low) }
        if values[high] < values[middle] { values.swapAt(high, middle) }
        let pivot = values[middle]
        var (left, right) = (low, high)
        while left <= right {
          while values[left] < pivot { left += 1 }
          while values[right] > pivot { right -= 1 }
          if left <= right {
            values.swapAt(left, right)
            left += 1
            right -= 1
          }
        }
        if place <= right { high = right } else if place >= left { low = left } else { break }
      }
      return values[place]
    }
  }
}
