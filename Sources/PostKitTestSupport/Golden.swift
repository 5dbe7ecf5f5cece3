// Expected results in files of their own, for results too long to stand in a test.
// A static release build compiles this target too, and has no Testing.

#if canImport(Testing)
import Foundation
package import Testing

/// Golden files: a folder beside the test holds inputs and expected outputs.
package enum Golden {
  /// The absolute path of `Golden/name` beside the calling test file.
  package static func path(_ name: String, file: String = #filePath) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Golden")
      .appendingPathComponent(name).standardizedFileURL.path
  }

  /// The names in `Golden/folder` with a given extension, sorted.
  package static func names(
    in folder: String = "", extension: String, file: String = #filePath
  ) -> [String] {
    // A folder that isn't there yet has no names.
    let list = try? FileManager.default.contentsOfDirectory(atPath: path(folder, file: file))
    return (list ?? []).filter { $0.hasSuffix("." + `extension`) }.sorted()
  }

  /// The bytes of `Golden/name`.
  package static func bytes(_ name: String, file: String = #filePath) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name, file: file))))
  }

  /// Compares a text with `Golden/name`. With `POSTKIT_UPDATE=1` a file that differs is rewritten
  /// and the test fails once, so that a recorded run is never green.
  package static func check(
    _ actual: String, _ name: String, file: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let url = URL(fileURLWithPath: path(name, file: file))
    // A file that can't be read counts as missing, which is reported below.
    let stored = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
    if let stored, TextDifference.matches(expected: stored, actual: actual) { return }
    guard TestEnvironment.isUpdating else {
      let difference = TextDifference.lines(expected: stored ?? "", actual: actual)
      let state = stored == nil ? "is missing" : "differs"
      Issue.record(
        """
        \(name) \(state); POSTKIT_UPDATE=1 rewrites it.
        \(difference)
        """, sourceLocation: sourceLocation)
      return
    }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: url)
      Issue.record("\(name) was rewritten; run again.", sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(name) could not be rewritten: \(error)", sourceLocation: sourceLocation)
    }
  }
}
#endif
