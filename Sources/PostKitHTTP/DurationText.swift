// How long something took, in the same words wherever a person reads it.

/// Durations for people.
package enum DurationText {
  /// A number of milliseconds: `340 ms`, from one second on `4.0 s`, from one minute on
  /// `2 min 5 s`.
  package static func text(_ milliseconds: Int) -> String {
    if milliseconds < 1_000 { return "\(max(0, milliseconds)) ms" }
    let tenths = (milliseconds + 50) / 100
    if tenths < 600 { return "\(tenths / 10).\(tenths % 10) s" }
    return text(seconds: (milliseconds + 500) / 1_000)
  }

  /// A number of whole seconds, as a counter shows it: `12 s`, `2 min 5 s`, `1 h 3 min`.
  package static func text(seconds: Int) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
  }

  /// A number of microseconds in the same way; below ten milliseconds with a tenth of one, as the
  /// steps of a request are often shorter.
  package static func text(microseconds: Int64) -> String {
    let tenths = (max(0, microseconds) + 50) / 100
    if tenths < 100 { return "\(tenths / 10).\(tenths % 10) ms" }
    return text(Int((microseconds + 500) / 1_000))
  }
}
