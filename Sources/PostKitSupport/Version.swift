// The version, written in one place.

/// What this build is called.
package enum Version {
  /// The version by Semantic Versioning 2.0.0.
  package static let number = "0.1.0"
  /// The value of `User-Agent` where a request has none (PK-88).
  package static let userAgent = "PostKit/\(number)"
}
