// What files were when something was read of them, by which a change is noticed.

import PostKitSupport

/// The files and folders that something was read of, as they were then.
package struct ReadFiles: Sendable {
  /// What is known of one of them.
  private enum State: Sendable, Hashable {
    /// It is open in an editor, with this text.
    case open(revision: Int)
    /// It is on the disk, or not there.
    case saved(FileVersion?)

    init(_ path: String, _ workspace: Workspace) {
      self = workspace.openRevision(path).map { .open(revision: $0) }
        ?? .saved(FileSystem.version(path))
    }
  }

  private var states: [String: State] = [:]
  /// Why files outside of the root were not read then.
  private let refusal: String?

  /// Looks at files; before they are read, so that what is noted is never newer than what is read.
  package init(_ paths: [String], in workspace: Workspace) {
    refusal = workspace.outsideRefusal
    for path in paths { add(path, in: workspace) }
  }

  /// Looks at another one.
  package mutating func add(_ path: String, in workspace: Workspace) {
    states[path] = State(path, workspace)
  }

  /// Whether all would be read as they were.
  package func isCurrent(in workspace: Workspace) -> Bool {
    refusal == workspace.outsideRefusal
      && states.allSatisfy { State($0.key, workspace) == $0.value }
  }

  /// What tells these files from what they were before, as a text.
  package var revision: String {
    states.keys.sorted().map { "\($0) \(String(describing: states[$0]))" }.joined(separator: "\n")
  }
}
