// The files under test: the repository that these tests stand in.

import Foundation
import PostKitSupport
import PostKitTestSupport

/// Reads the repository.
enum Repository {
  /// The absolute path of the root.
  static let root = FilePath.normalise(FilePath.join(#filePath, "../../.."))

  /// The paths of all tracked files. Without git, as in an unpacked archive, nothing is known.
  static func trackedFiles() async throws -> [String] {
    guard let git = try Require.tool("git", reason: "it knows which files are tracked"),
      try Require.condition(FileSystem.exists(root + "/.git"), reason: "this is no git repository")
    else { return [] }
    // What the user's own settings say of the folder is not read in the home that a test has.
    let words = ["-c", "safe.directory=*", "ls-files", "-z"]
    let result = try await Subprocess.run(git, words, directory: root)
    return result.output.split(separator: "\0").map { String($0) }
      .filter { FileSystem.isRegularFile(FilePath.join(root, $0)) }
  }

  /// The text of a file; bytes that aren't UTF-8 are replaced.
  static func text(_ path: String) throws -> String {
    String(
      decoding: try FileSystem.read(path: FilePath.join(root, path), limit: 1 << 24),
      as: UTF8.self)
  }

  /// The Swift files below a folder, without what is generated.
  static func swiftFiles(_ folder: String) throws -> [SourceText] {
    try files(folder, endings: [".swift"])
  }

  /// The C files below a folder, headers among them.
  static func cFiles(_ folder: String) throws -> [SourceText] {
    try files(folder, endings: [".c", ".h"])
  }

  private static func files(_ folder: String, endings: [String]) throws -> [SourceText] {
    let entries = FileManager.default.enumerator(atPath: FilePath.join(root, folder))
    let names = (entries?.allObjects ?? []).compactMap { $0 as? String }
    return try names.filter { name in
      endings.contains(where: name.hasSuffix) && !name.contains("/Generated/")
    }.sorted().map { SourceText(path: "\(folder)/\($0)", try text("\(folder)/\($0)")) }
  }

  /// The target that a source file belongs to.
  static func target(of path: String) -> String {
    path.split(separator: "/").dropFirst().first.map { String($0) } ?? ""
  }
}
