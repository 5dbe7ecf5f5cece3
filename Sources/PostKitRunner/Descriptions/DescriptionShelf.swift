// The descriptions that were read, each once.

package import PostKitDescription
import PostKitSupport

/// Descriptions by their paths. A value: who keeps it decides how long.
package struct DescriptionShelf: Sendable {
  private var known: [String: Result<LoadedDescription, DescriptionFailure>] = [:]

  /// An empty shelf.
  package init() {}

  /// The description that a request means, of candidates of which the nearest is the first; `nil`
  /// without any. What can't be read among several is left out; of one alone it is told.
  package mutating func description(
    for request: DescribedRequest, among paths: [String], in workspace: Workspace,
    stored: (_ url: String) -> [UInt8]? = { _ in nil }
  ) throws(DescriptionFailure) -> LoadedDescription? {
    for path in paths { load(path, workspace, stored) }
    return try Self.chosen(paths.compactMap { known[$0] }, for: request)
  }

  /// The one of several readings that a request means.
  package static func chosen(
    _ readings: [Result<LoadedDescription, DescriptionFailure>], for request: DescribedRequest
  ) throws(DescriptionFailure) -> LoadedDescription? {
    if readings.count == 1 { return try readings[0].get() }
    // One of several that can't be read may be about something else.
    let descriptions = readings.compactMap { try? $0.get() }
    return DescriptionIndex.chosen(among: descriptions.map(\.index), for: request)
      .map { descriptions[$0] }
  }

  private mutating func load(
    _ path: String, _ workspace: Workspace, _ stored: (String) -> [UInt8]?
  ) {
    guard known[path] == nil else { return }
    known[path] = Result { () throws(DescriptionFailure) in
      try LoadedDescription(path, in: workspace, stored: stored)
    }
  }
}
