// A folder that is held open, so that no link that is changed meanwhile leads anywhere else.

import CSystem
import Libc

/// A folder by its descriptor. What is done in it is done there, whatever its path has become, and
/// no link is followed.
package final class OpenFolder {
  /// What stands under a name.
  package enum Kind: Sendable, Hashable { case nothing, file, link, folder, other }

  /// The path by which it was opened.
  package let path: String
  private let descriptor: Int32

  /// Opens a folder by an absolute path without links, and makes what is missing of it where `mode`
  /// says how. With `byParts` that is done as where the kernel can't do it at once.
  package init(
    path: String, makingMissing mode: UInt16?, byParts: Bool = false
  ) throws(FileFailure) {
    self.path = path
    descriptor = postkit_open_folder(path, UInt32(mode ?? 0), byParts)
    if descriptor < 0 { throw .make(errno, path: path, action: "open the directory") }
  }

  deinit { close(descriptor) }

  /// Opens a file of the folder; answers a descriptor that no child inherits, or -1 with `errno`
  /// set. A link is refused.
  package func open(_ name: String, _ flags: Int32, mode: UInt16 = 0o644) -> Int32 {
    openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, mode_t(mode))
  }

  /// What stands under a name; a link is not followed.
  package func kind(_ name: String) -> Kind {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFLNK: return .link
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Gives a file another name, replacing what bears it; answers whether that went well, with
  /// `errno` set where not.
  package func rename(_ from: String, to: String) -> Bool {
    renameat(descriptor, from, descriptor, to) == 0
  }

  /// Removes a file, where it is there.
  package func remove(_ name: String) { unlinkat(descriptor, name, 0) }
}
