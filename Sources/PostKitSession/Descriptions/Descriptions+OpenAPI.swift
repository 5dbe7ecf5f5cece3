// The descriptions of APIs around a document (IO-34).

import PostKitEvaluate
package import PostKitRunner
import PostKitStore
import PostKitSupport
package import PostKitSyntax

extension Descriptions {
  /// What is meant in a folder where no tag says anything.
  struct Surroundings: Sendable {
    /// The paths of descriptions.
    let paths: [String]
    /// What the setting names.
    let named: [String]
    /// The files and folders that decide.
    let files: ReadFiles
  }

  /// The descriptions around a document, read in at most so many milliseconds; what is not read by
  /// then is left out, or what it was before it changed. `blocks` are those that are asked about.
  /// `onRead` is called once that is read which was left out.
  package func around(
    _ context: DocumentContext, of blocks: [ParsedBlock], within milliseconds: Int?,
    _ client: ClientProxy, onRead: (@Sendable () -> Void)? = nil
  ) async -> FileDescriptions {
    let workspace = context.workspace
    let finder = DescriptionFinder(workspace, context.settings)
    let tags = context.document.parsed.descriptionTags(of: blocks)
    let found = paths(around: workspace, finder, context.settings)
    let wanted = FileDescriptions(tags, finder, surroundings: found) { _ in nil }
    if wanted.isComplete { return wanted }
    let times = await times(of: wanted.paths)
    let wishes = wanted.paths.map { wish($0, workspace, times[$0]) }
    let isInTime = await read(wishes, within: milliseconds, client)
    var result = FileDescriptions(tags, finder, surroundings: found, reading)
    result.isComplete = isInTime && result.isComplete
    if !result.isComplete { whenRead(context.document.uri.spelling, onRead) }
    return result
  }

  /// A description for who holds responses against it.
  package func reading(
    of path: String, in workspace: Workspace, _ client: ClientProxy
  ) async -> FileDescriptions.Reading {
    let wish = wish(path, workspace, await times(of: [path])[path])
    _ = await read([wish], within: nil, client)
    // All may have been forgotten meanwhile.
    return reading(path)
      ?? FileDescriptions.Reading { () throws(DescriptionFailure) in
        try LoadedDescription(path, in: workspace)
      }
  }

  private func reading(_ path: String) -> FileDescriptions.Reading? {
    if case .description(let reading)? = known(path) { reading } else { nil }
  }

  private func wish(_ path: String, _ workspace: Workspace, _ time: Int64?) -> Wish {
    Wish(key: path, name: FilePath.name(path), workspace: workspace, time: time) {
      let state = ReadFiles(path.contains("://") ? [] : [path], in: workspace)
      let kind = Model.DescribedService.Kind.openAPI
      var stored: [UInt8]?
      if time != nil, let key = kind.key(of: path) {
        stored = await self.service(kind, key, "")?.content
      }
      let reading = FileDescriptions.Reading { [stored] () throws(DescriptionFailure) in
        try LoadedDescription(path, in: workspace) { _ in stored }
      }
      // Of one that can't be read it is known what file that is.
      let files = (try? reading.get())?.files ?? state
      return Entry(.description(reading), files, time: time)
    }
  }

  private func paths(
    around workspace: Workspace, _ finder: DescriptionFinder, _ settings: Settings
  ) -> [String] {
    let named = settings[.openapiFiles] ?? []
    let key = workspace.folder + "\n" + workspace.root
    if let known = surroundings[key], known.named == named, known.files.isCurrent(in: workspace) {
      return known.paths
    }
    let files = ReadFiles(finder.deciding, in: workspace)
    let paths = finder.surroundings.paths
    surroundings[key] = Surroundings(paths: paths, named: named, files: files)
    return paths
  }
}
