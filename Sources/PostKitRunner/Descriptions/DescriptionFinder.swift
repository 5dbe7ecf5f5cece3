// Which descriptions of APIs a request file may mean (IO-34).

import PostKitDescription
import PostKitEvaluate
import PostKitJSON
import PostKitSupport
package import PostKitSyntax

/// Finds the descriptions of a request file: paths alone, and the first bytes of those that nobody
/// named. Nothing outside of a folder that is not trusted is looked at.
package struct DescriptionFinder: Sendable {
  /// Who named the descriptions.
  package enum Source: Sendable, Hashable {
    case tag, manifest, setting, folder
  }

  /// Descriptions of which one is meant.
  package struct Candidates: Sendable, Hashable {
    /// Absolute paths, the nearest first; of a tag also the URL of one that was fetched before.
    package var paths: [String] = []
    package var source = Source.folder
    /// The tag that names what is not there.
    package var missing: DescriptionTag?
  }

  private let workspace: Workspace
  private let named: [String]

  /// The file in which an import remembers its source.
  private static let manifest = "postkit-import.json"
  /// How many descriptions are found.
  package static let limit = 20
  /// The most bytes of one that nobody named.
  package static let foundBytes = 16 << 20

  /// Looks around a request file; `settings` are those of its project.
  package init(_ workspace: Workspace, _ settings: Settings) {
    self.workspace = workspace
    named = settings[.openapiFiles] ?? []
  }

  /// The candidates for a block, or for the file where there is none: of the nearest source that
  /// has any.
  package func candidates(for block: ParsedBlock?, in document: ParsedDocument) -> Candidates {
    if let tag = document.descriptionTag(of: block) { return candidates(of: tag) }
    return surroundings
  }

  /// The candidates without a tag.
  package var surroundings: Candidates {
    if let paths = imported?.paths { return Candidates(paths: paths, source: .manifest) }
    let chosen = named.flatMap(files)
    if !chosen.isEmpty {
      return Candidates(paths: Array(chosen.prefix(Self.limit)), source: .setting)
    }
    return Candidates(paths: found, source: .folder)
  }

  /// The files and folders that decide what `surroundings` are, for who keeps them until one of
  /// these changes.
  package var deciding: [String] {
    var paths = workspace.folders.map { FilePath.join($0, Self.manifest) } + folders
    for folder in folders where FileSystem.isDirectory(folder) && workspace.refusal(folder) == nil {
      // A folder that can't be listed has nothing to offer.
      let names = (try? FileSystem.list(folder)) ?? []
      paths += names.filter(DescriptionSigns.isName).map { FilePath.join(folder, $0) }
    }
    return paths
  }

  /// The folders that are looked through, the nearest first.
  private var folders: [String] {
    workspace.folders.reversed().flatMap { folder in
      [folder] + DescriptionSigns.folders.map { FilePath.join(folder, $0) }
    }
  }

  /// The one that a tag names.
  func candidates(of tag: DescriptionTag) -> Candidates {
    if tag.path.hasPrefix("https://") || tag.path.hasPrefix("http://") {
      return Candidates(paths: [tag.path], source: .tag)
    }
    guard let path = workspace.resolve(tag.path) else {
      return Candidates(source: .tag, missing: tag)
    }
    return Candidates(paths: [FilePath.normalise(path)], source: .tag)
  }

  /// The folder in which an import of a description remembers that it came from there; `nil` where
  /// the nearest import has another source.
  package func importFolder(of path: String) -> String? {
    imported.flatMap { $0.paths.contains(path) ? $0.folder : nil }
  }

  /// The nearest import of a description: its folder, and its sources that are there.
  private var imported: (folder: String, paths: [String])? {
    for folder in workspace.folders.reversed() {
      let path = FilePath.join(folder, Self.manifest)
      guard FileSystem.exists(path), case .bytes(let bytes) = workspace.content(path) else {
        continue
      }
      // A garbled one is told where it is imported again.
      guard let root = try? JSONTree(parsing: bytes).root, root["format"]?.string == "openapi"
      else { return nil }
      let sources = root["source"].map { view in
        view.string.map { [$0] } ?? view.elements.compactMap(\.string)
      }
      let paths = (sources ?? []).map { FilePath.normalise(FilePath.join(folder, $0)) }
        .filter { FileSystem.isRegularFile($0) && workspace.refusal($0) == nil }
      return paths.isEmpty ? nil : (folder, paths)
    }
    return nil
  }

  /// The files that an absolute path or pattern of the setting names.
  private func files(_ pattern: String) -> [String] {
    FilePattern(FilePath.normalise(FilePath.join(workspace.root, pattern)))
      .files(limit: Self.limit) { workspace.refusal($0) == nil }
  }

  /// The files that are called as descriptions are and begin as they do.
  private var found: [String] {
    var result: [String] = []
    for folder in folders {
      guard FileSystem.isDirectory(folder), workspace.refusal(folder) == nil else { continue }
      // A folder that can't be listed has nothing to offer.
      for name in (try? FileSystem.list(folder)) ?? [] where DescriptionSigns.isName(name) {
        let path = FilePath.join(folder, name)
        if !result.contains(path), isDescription(path) { result.append(path) }
        if result.count == Self.limit { return result }
      }
    }
    return result
  }

  /// Whether a file begins as a description does.
  private func isDescription(_ path: String) -> Bool {
    if let open = workspace.openFile(path) { return DescriptionSigns.isHead(open) }
    // What can't be read is none.
    guard let file = try? OpenFile(
      path, inside: workspace.outsideRefusal == nil ? nil : [workspace.root]),
      file.size <= Self.foundBytes
    else { return false }
    let head = [UInt8](unsafeUninitializedCapacity: DescriptionSigns.headBytes) { buffer, count in
      count = max(0, file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0))
    }
    return DescriptionSigns.isHead(head)
  }
}
