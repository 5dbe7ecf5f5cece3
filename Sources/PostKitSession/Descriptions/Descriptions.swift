// The owner of the descriptions of APIs that were read: each is read once, when something asks for
// it, and again when its files change.

import PostKitEvaluate
package import PostKitRunner
import PostKitSupport
package import PostKitSyntax

/// Reads descriptions on threads that nobody types on, and keeps them while documents are open.
package actor Descriptions {
  private typealias Reading = FileDescriptions.Reading

  /// A description as it was read.
  private struct Entry {
    let reading: Reading
    /// What the file was, for one that can't be read.
    let state: DescriptionFileState
    let refusal: String?

    /// Whether reading it again would give the same.
    func isCurrent(_ path: String, in workspace: Workspace) -> Bool {
      guard workspace.outsideRefusal == refusal else { return false }
      if case .success(let description) = reading { return description.isCurrent(in: workspace) }
      return DescriptionFileState(path, workspace) == state
    }
  }

  /// What is meant in a folder where no tag says anything.
  private struct Surroundings {
    let paths: [String]
    let named: [String]
    let refusal: String?
    let states: [String: DescriptionFileState]
  }

  private var entries: [String: Entry] = [:]
  private var surroundings: [String: Surroundings] = [:]
  private var loading: [String: Task<Void, Never>] = [:]
  /// Who is to be told once all that is being read is read, by their documents.
  private var waiting: [String: @Sendable () -> Void] = [:]
  /// How often something was asked.
  private var questions = 0

  /// After how long without an open document all is forgotten.
  private static let keptMicroseconds: Int64 = 60_000_000

  /// Nothing was read.
  package init() {}

  /// The descriptions around a document, read in at most so many milliseconds; what is not read by
  /// then is left out, or what it was before it changed. `blocks` are those that are asked about.
  /// `onRead` is called once that is read which was left out.
  package func around(
    _ context: DocumentContext, of blocks: [ParsedBlock], within milliseconds: Int?,
    _ client: ClientProxy, onRead: (@Sendable () -> Void)? = nil
  ) async -> FileDescriptions {
    questions += 1
    let workspace = context.workspace
    let finder = DescriptionFinder(workspace, context.settings)
    let tags = context.document.parsed.descriptionTags(of: blocks)
    let found = paths(around: workspace, finder, context.settings)
    let wanted = FileDescriptions(tags, finder, surroundings: found) { path in
      if entries[path]?.isCurrent(path, in: workspace) != true { load(path, workspace, client) }
      return nil
    }
    if wanted.isComplete { return wanted }
    let open = wanted.paths.compactMap { loading[$0] }
    var isInTime = true
    if !open.isEmpty {
      let wait: @Sendable () async -> Bool = {
        for task in open { await task.value }
        return true
      }
      if let milliseconds {
        isInTime = await Waiting.value(within: milliseconds, of: wait) ?? false
      } else {
        _ = await wait()
      }
    }
    var result = FileDescriptions(tags, finder, surroundings: found) { entries[$0]?.reading }
    result.isComplete = isInTime && result.isComplete
    if !result.isComplete, !loading.isEmpty {
      waiting[context.document.uri.spelling] = onRead ?? waiting[context.document.uri.spelling]
    }
    return result
  }

  /// Reads all anew at the next question.
  package func forget() { (entries, surroundings) = ([:], [:]) }

  /// Notes that the last document was closed: after a minute all is forgotten, unless something is
  /// asked before.
  package func rest() {
    guard !entries.isEmpty || !surroundings.isEmpty || !loading.isEmpty else { return }
    let seen = questions
    _ = Alarm.shared.schedule(afterMicroseconds: Self.keptMicroseconds) {
      Task(executorPreference: WorkerPool.acting) { await self.end(unlessAskedSince: seen) }
    }
  }

  private func end(unlessAskedSince seen: Int) {
    if questions == seen { forget() }
  }

  private func paths(
    around workspace: Workspace, _ finder: DescriptionFinder, _ settings: Settings
  ) -> [String] {
    let named = settings[.openapiFiles] ?? []
    let key = workspace.folder + "\n" + workspace.root
    if let known = surroundings[key], known.named == named,
      known.refusal == workspace.outsideRefusal,
      known.states.allSatisfy({ DescriptionFileState($0.key, workspace) == $0.value })
    {
      return known.paths
    }
    var states: [String: DescriptionFileState] = [:]
    for path in finder.deciding { states[path] = DescriptionFileState(path, workspace) }
    let paths = finder.surroundings.paths
    surroundings[key] = Surroundings(
      paths: paths, named: named, refusal: workspace.outsideRefusal, states: states)
    return paths
  }

  private func load(_ path: String, _ workspace: Workspace, _ client: ClientProxy) {
    guard loading[path] == nil else { return }
    // Unstructured on purpose: it goes on when whoever asked has given up.
    loading[path] = Task(executorPreference: WorkerPool.acting) {
      let state = DescriptionFileState(path, workspace)
      let reading = await ProgressScope.around(
        client, clientToken: nil, title: "Reading \(FilePath.name(path))", onShown: { _ in }
      ) { _ in
        Reading { () throws(DescriptionFailure) in try LoadedDescription(path, in: workspace) }
      }
      let entry = Entry(reading: reading, state: state, refusal: workspace.outsideRefusal)
      await self.keep(path, entry)
    }
  }

  private func keep(_ path: String, _ entry: Entry) {
    loading[path] = nil
    entries[path] = entry
    guard loading.isEmpty else { return }
    for tell in waiting.values { tell() }
    waiting = [:]
  }
}
