// How much history the settings let grow.

package import PostKitStore

extension Settings {
  /// What the settings say of retention, and the defaults where they say nothing.
  package var retention: Retention {
    var retention = Retention()
    if let historyMaxAgeDays { retention.maxAgeDays = historyMaxAgeDays }
    if let historyMaxBytes { retention.maxBytes = historyMaxBytes }
    retention.maxEntries = historyMaxEntries
    return retention
  }

  /// The names of the settings of retention that say something else than others do.
  package func retentionNames(unlike other: Settings) -> [String] {
    [
      ("history.maxAgeDays", historyMaxAgeDays, other.historyMaxAgeDays),
      ("history.maxBytes", historyMaxBytes, other.historyMaxBytes),
      ("history.maxEntries", historyMaxEntries, other.historyMaxEntries),
    ].filter { $0.1 != nil && $0.1 != $0.2 }.map(\.0)
  }

  /// These settings without those of retention: what is said of one folder does not count for the
  /// history, which all folders share.
  package var withoutRetention: Settings {
    var result = self
    result.historyMaxAgeDays = nil
    result.historyMaxBytes = nil
    result.historyMaxEntries = nil
    return result
  }
}
