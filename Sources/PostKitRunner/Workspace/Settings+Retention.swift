// The settings that hold for all projects: how much history there may be.

import PostKitEvaluate
package import PostKitStore

extension Settings {
  /// What the settings say of retention, and the defaults where they say nothing.
  package var retention: Retention {
    var retention = Retention()
    if let days = self[.historyMaxAgeDays] { retention.maxAgeDays = days }
    if let bytes = self[.historyMaxBytes] { retention.maxBytes = bytes }
    retention.maxEntries = self[.historyMaxEntries]
    return retention
  }
}
