// Tools that a machine may lack: tests say aloud that they were skipped, and CI doesn't let them.

import PostKitSupport

/// Decides whether a test that needs something of the machine runs.
package enum Require {
  /// Whether the tool is there. If not, the reason is printed; with `POSTKIT_REQUIRE_ALL=1` it is
  /// thrown as a failure instead.
  package static func tool(_ name: String, reason: String) throws -> String? {
    if let path = Subprocess.find(name) { return path }
    try skipped("\(name) is not installed: \(reason)")
    return nil
  }

  /// Whether a condition of the machine holds; treated like a missing tool where it doesn't.
  package static func condition(_ holds: Bool, reason: String) throws -> Bool {
    if !holds { try skipped(reason) }
    return holds
  }

  /// Whether a missing tool is a failure.
  package static var isStrict: Bool { TestEnvironment.isSet("POSTKIT_REQUIRE_ALL") }

  private static func skipped(_ reason: String) throws {
    guard isStrict else {
      say("skipped: \(reason)")
      return
    }
    throw Missing(description: "POSTKIT_REQUIRE_ALL=1 and \(reason)")
  }

  private static func say(_ text: String) {
    StandardStream.writeAll("\(text)\n", to: 2)
  }

  /// Something that the machine lacks although all is required.
  package struct Missing: Error, CustomStringConvertible {
    /// What is missing.
    package let description: String
  }
}

/// The variables by which a test run is steered (CONTRACTS.md, section 4).
package enum TestEnvironment {
  /// Whether a variable is set to anything but nothing and `0`.
  package static func isSet(_ name: String) -> Bool {
    guard let value = ProcessEnvironment.value(name) else { return false }
    return !value.isEmpty && value != "0"
  }

  /// Whether expectations are rewritten instead of compared.
  package static var isUpdating: Bool { isSet("POSTKIT_UPDATE") }
}
