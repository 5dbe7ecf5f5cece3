// A place on disk for one test, gone when the test is over.

import Foundation
import PostKitSupport

/// A fresh directory that is removed with its last reference.
package final class TemporaryDirectory: Sendable {
  /// The absolute path, symbolic links resolved.
  package let path: String

  /// Makes a directory of mode 0700 below the system's place for temporary files.
  package init() throws {
    let base = FileSystem.realPath(NSTemporaryDirectory()) ?? "/tmp"
    path = FilePath.join(base, "postkit-test-\(Identifier.next())")
    try FileSystem.makeDirectory(path)
  }

  deinit {
    _ = orLog("remove a temporary directory") { try FileSystem.removeTree(path) }
  }

  /// The path of something in the directory.
  package func path(_ name: String) -> String { FilePath.join(path, name) }

  /// Writes a file, making its parents, and answers its path.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String {
    try write(name, bytes: Array(text.utf8))
  }

  /// Writes a file, making its parents, and answers its path.
  @discardableResult
  package func write(_ name: String, bytes: [UInt8]) throws -> String {
    let path = path(name)
    try FileSystem.makeDirectory(FilePath.parent(path))
    try FileSystem.writeAtomically(bytes, to: path)
    return path
  }

  /// Writes the files of an archive.
  package func write(_ archive: Archive) throws {
    for file in archive.files { try write(file.name, file.text) }
  }

  /// The text of a file.
  package func read(_ name: String) throws -> String {
    String(decoding: try FileSystem.read(path: path(name), limit: 1 << 30), as: UTF8.self)
  }

  /// Gives a file the time of change that it would have if nobody had touched it for so long.
  package static func age(_ path: String, seconds: Double) throws {
    let time = Date(timeIntervalSinceNow: -seconds)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
  }
}
