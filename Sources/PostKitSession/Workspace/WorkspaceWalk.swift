// Finds the files of the workspace that have names in them, within bounds.

import PostKitEvaluate
import PostKitLanguage
import PostKitSupport
import PostKitSyntax

/// What a folder held when it was listed, which holds until the folder is changed.
struct FolderListing: Sendable {
  /// Something in a folder that a walk goes on with.
  enum Kind: Sendable, Hashable {
    case file
    /// A link by the name of a file; what it leads to is looked up each time.
    case link
    case folder
    case editorSettings
    case projectSettings
  }

  /// What is worth going on with, in order of the names.
  fileprivate(set) var entries: [(name: String, kind: Kind)] = []
  /// How many names there were.
  fileprivate(set) var count = 0
  fileprivate let version: FileVersion?
  private let listedAt: Int64

  fileprivate init(of folder: String) {
    version = FileSystem.version(folder)
    listedAt = Clock.wallMilliseconds
  }

  /// Whether the folder may have been changed after it was listed without its time telling so: the
  /// times of some file systems have steps of two seconds.
  fileprivate var isYoung: Bool {
    guard let version else { return true }
    return version.modifiedNanoseconds / 1_000_000 > listedAt - 2_000
  }
}

/// A walk through the workspace folders.
struct WorkspaceWalk {
  let roots: [String]
  /// Says where links that lead out of the folders are followed.
  let trust: FolderTrust
  /// The request and environment files, in order.
  private(set) var files: [String] = []
  /// The folders with settings of their own.
  private(set) var settingsFolders: [String] = []
  /// What was left out, in words.
  private(set) var notice: String?
  /// What the folders hold, for the next walk.
  private(set) var listings: [String: FolderListing] = [:]
  /// How many of the files have names for certain; whether a page of Markdown has any tells its
  /// text.
  private(set) var count = 0
  private let known: [String: FolderListing]
  private var names = 0

  /// Prepares a walk; `known` is what the folders held at the last one.
  init(roots: [String], trust: FolderTrust, known: [String: FolderListing] = [:]) {
    self.roots = roots
    self.trust = trust
    self.known = known
  }

  /// Whether a file of that path has names that are kept.
  static func isIndexed(_ path: String) -> Bool {
    ParsedDocument.isRequestFile(path) || EnvironmentSource.Kind(path: path) != nil
      || ParsedDocument.format(ofPath: path) == .markdown || isSettings(path)
  }

  /// Whether a file holds the settings of a project.
  static func isSettings(_ path: String) -> Bool {
    FilePath.name(path) == SettingsForm.project.fileName
  }

  /// Whether a walk through folders would come to such a file.
  static func isIndexed(_ path: String, in roots: [String]) -> Bool {
    guard isIndexed(path) else { return false }
    return roots.contains { root in
      guard FilePath.isInside(path, directory: root) else { return false }
      var folders = FilePath.relative(path, to: root).split(separator: "/").dropLast()
      if folders.last == ".vscode" { folders.removeLast() }
      return folders.count <= Limits.indexedDepth && folders.allSatisfy { mayHold(String($0)) }
    }
  }

  /// Whether a folder of that name is looked through.
  private static func mayHold(_ name: String) -> Bool {
    !name.hasPrefix(".") && name != "node_modules"
  }

  /// Whether a file may be read: it lies in one of the folders, links followed, or by its name in
  /// one that is trusted.
  static func mayRead(_ path: String, _ roots: [String], _ trust: FolderTrust) -> Bool {
    guard let real = FileSystem.realPath(path) else { return false }
    guard let roots = boundary(of: path, roots, trust) else { return true }
    return roots.contains {
      FilePath.isInside(real, directory: FileSystem.realPath($0) ?? $0)
    }
  }

  /// The folders of which a file has to lie in one when it is opened; `nil` for anywhere.
  static func boundary(of path: String, _ roots: [String], _ trust: FolderTrust) -> [String]? {
    trust.covers(path, of: roots) ? nil : roots
  }

  /// Looks through all folders, the upper ones first, as long as anybody waits for it.
  mutating func run(_ isAbandoned: () -> Bool = { false }) {
    var seen: Set<String> = []
    var waiting = roots.map { ($0, 0) }
    while !waiting.isEmpty, notice == nil, !isAbandoned() {
      let (folder, depth) = waiting.removeFirst()
      guard seen.insert(folder).inserted else { continue }
      let listing = listing(of: folder)
      listings[folder] = listing
      names += listing.count
      if names > Limits.indexedNames { notice = WorkspaceWalk.notice(count, at: folder) }
      for (name, kind) in listing.entries where notice == nil {
        if count >= Limits.indexedFiles {
          notice = WorkspaceWalk.notice(count, at: folder)
        }
        let path = FilePath.join(folder, name)
        switch kind {
        case .file: add(path)
        case .link:
          if FileSystem.isRegularFile(path), isInside(path) { add(path) }
        case .projectSettings:
          settingsFolders.append(folder)
          if FileSystem.isRegularFile(path), isInside(path) { add(path) }
        case .editorSettings:
          let settings = FilePath.join(path, "settings.json")
          // The folder itself may be a link, too.
          if FileSystem.isRegularFile(settings), isInside(settings) { add(settings) }
        case .folder: if depth < Limits.indexedDepth { waiting.append((path, depth + 1)) }
        }
      }
    }
  }

  private mutating func add(_ path: String) {
    files.append(path)
    if ParsedDocument.format(ofPath: path) != .markdown { count += 1 }
  }

  /// What is said where no more files are taken up.
  static func notice(_ count: Int, at folder: String) -> String {
    "The index of names holds \(count) files; the rest of \(folder) and what comes after it "
      + "is left out. Open a smaller folder to index all of its names."
  }

  /// What a folder holds: as at the last walk, where it has not been changed since.
  private func listing(of folder: String) -> FolderListing {
    var listing = FolderListing(of: folder)
    if let before = known[folder], before.version == listing.version, !before.isYoung {
      return before
    }
    // A folder that can't be read has nothing in it that could be asked about.
    let names = (try? FileSystem.list(folder)) ?? []
    listing.count = names.count
    listing.entries = names.sorted().compactMap { name in
      kind(name, FilePath.join(folder, name)).map { (name, $0) }
    }
    return listing
  }

  private func kind(_ name: String, _ path: String) -> FolderListing.Kind? {
    if name == SettingsForm.project.fileName { return .projectSettings }
    if name == ".vscode" { return .editorSettings }
    if WorkspaceWalk.isIndexed(path) {
      if FileSystem.isLink(path) { return .link }
      if FileSystem.isRegularFile(path) { return .file }
    }
    // Links to folders could lead in circles.
    let isFolder =
      WorkspaceWalk.mayHold(name) && FileSystem.isDirectory(path)
      && !FileSystem.isLink(path)
    return isFolder ? .folder : nil
  }

  /// Whether a file to which links may lead lies in the folders, or may be read all the same.
  private func isInside(_ path: String) -> Bool {
    WorkspaceWalk.mayRead(path, roots, trust)
  }
}
