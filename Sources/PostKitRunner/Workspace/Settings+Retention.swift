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
}
