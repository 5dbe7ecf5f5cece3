// What a client of the example server may ask for: it runs inside an editor's process.

/// The limits of the example server's own answers, beside those of its connections; exceeding one
/// is an ordinary, worded answer.
enum ExampleLimits {
  /// Bytes of a body that an echo repeats; it says so when there was more.
  static let echoBytes = 1 << 20
  /// The longest answer delay, in milliseconds; a longer one is shortened to it.
  static let delayMilliseconds: Int64 = 10_000
  /// The longest body of `/bytes/{n}`, in bytes.
  static let generatedBytes = 2 << 30
  /// The most lines of `/stream/{n}`.
  static let streamedLines = 1_000_000
  /// The longest chain of `/redirect/{n}`.
  static let redirects = 100
}
