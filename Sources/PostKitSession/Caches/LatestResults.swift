// The newest result of each request of a file, kept while the history does not change: hovers,
// hints and lenses ask for them at each move, and there may be thousands.

import PostKitLanguage

/// What the history said of files at one revision.
struct LatestResults: Sendable {
  private var files: [String: (revision: UInt64, results: ResultTable)] = [:]

  /// How many files are kept; each may have a result for each of its requests.
  private static let fileLimit = 16

  /// The results of a file, newest first; `nil` where they are not known at that revision.
  func results(file: String, at revision: UInt64) -> ResultTable? {
    files[file].flatMap { $0.revision == revision ? $0.results : nil }
  }

  /// Keeps the results of a file.
  mutating func keep(_ results: ResultTable, of file: String, at revision: UInt64) {
    if files.count >= LatestResults.fileLimit, files[file] == nil { files = [:] }
    files[file] = (revision, results)
  }
}
