// How the files of a workspace are to be read: as the settings around each of them say.

import PostKitEvaluate
import PostKitRunner
import PostKitSupport

/// How the request files of the workspace are read, folder by folder.
struct ProjectReadings {
  /// What the settings of each workspace folder say, with those of the editor and the user.
  private var roots: [String: FileReading] = [:]
  /// What the settings in folders below say.
  private var folders: [String: FileReading] = [:]

  /// Nothing is known yet.
  package init() {}

  /// Begins with what the settings of the workspace folders say.
  init(roots: [String: FileReading]) { self.roots = roots }

  /// Whether the workspace folders are read alike.
  func hasSameBase(as other: ProjectReadings) -> Bool { roots == other.roots }

  /// Whether every file is read alike.
  func isSame(as other: ProjectReadings) -> Bool {
    roots == other.roots && folders == other.folders
  }

  /// Reads the settings of folders below the roots, so far as they may be read, and as an editor
  /// has them where they are open.
  mutating func read(
    folders paths: [String], inside boundary: (String) -> [String]?, open: (String) -> [UInt8]?
  ) {
    for folder in paths.sorted(by: { $0.utf8.count < $1.utf8.count }) where roots[folder] == nil {
      let path = FilePath.join(folder, SettingsForm.project.fileName)
      let file = SettingsFile(projectIn: folder, inside: boundary(path), open: open)
      folders[folder] = file.settings.over(Settings(reading(of: folder))).reading()
    }
  }

  /// How a file is read: as the nearest folder above it has it.
  func reading(of path: String) -> FileReading {
    var folder = FilePath.parent(path)
    while true {
      if let found = folders[folder] ?? roots[folder] { return found }
      let parent = FilePath.parent(folder)
      if parent == folder { return FileReading() }
      folder = parent
    }
  }
}
