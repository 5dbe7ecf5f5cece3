// What can go wrong with files, in sentences that say what to do.

import Libc

/// Why a file operation failed; every case names the path.
package enum FileFailure: Error, Sendable, Hashable, CustomStringConvertible {
  case notFound(path: String)
  case isDirectory(path: String)
  case notDirectory(path: String)
  /// A link by which something would come to lie elsewhere, or that would be replaced.
  case isLink(path: String)
  /// A file that must lie in a folder, and does not, links followed.
  case outside(path: String, root: String)
  /// A FIFO, socket or device, which could block or never end.
  case notRegular(path: String, kind: String)
  /// Sizes in bytes; the size is a lower bound where the file grew while it was read.
  case tooLarge(path: String, size: Int, limit: Int)
  case permissionDenied(path: String, action: String)
  case alreadyExists(path: String)
  case noSpace(path: String)
  /// Anything else, with the system's error number.
  case system(path: String, action: String, code: Int32)

  /// The path that was used.
  package var path: String {
    switch self {
    case .notFound(let path), .isDirectory(let path), .notDirectory(let path), .isLink(let path),
      .outside(let path, _), .notRegular(let path, _), .tooLarge(let path, _, _),
      .permissionDenied(let path, _),
      .alreadyExists(let path), .noSpace(let path), .system(let path, _, _):
      path
    }
  }

  /// The same failure of another path, such as the one for which a temporary file stands.
  package func of(_ path: String) -> FileFailure {
    switch self {
    case .notFound: .notFound(path: path)
    case .isDirectory: .isDirectory(path: path)
    case .notDirectory: .notDirectory(path: path)
    case .isLink: .isLink(path: path)
    case .outside(_, let root): .outside(path: path, root: root)
    case .notRegular(_, let kind): .notRegular(path: path, kind: kind)
    case .tooLarge(_, let size, let limit): .tooLarge(path: path, size: size, limit: limit)
    case .permissionDenied(_, let action): .permissionDenied(path: path, action: action)
    case .alreadyExists: .alreadyExists(path: path)
    case .noSpace: .noSpace(path: path)
    case .system(_, let action, let code): .system(path: path, action: action, code: code)
    }
  }

  /// A sentence that says what happened and what to do.
  package var description: String { sentence(about: path) }

  /// The same sentence behind a colon, where the path has been said.
  package var explanation: String {
    if case .permissionDenied(_, let action) = self {
      return "you may not \(action) it; change its permissions or choose another path."
    }
    return sentence(about: "it")
  }

  private func sentence(about file: String) -> String {
    switch self {
    case .notFound: "\(file) doesn't exist; check the spelling of the path."
    case .isDirectory: "\(file) is a directory; name a file in it."
    case .notDirectory:
      "\(file) can't be reached: a part of the path is not a directory."
    case .isLink:
      "\(file) is a link to another place, where nothing is written; remove it, or choose another "
        + "place."
    case .outside(_, let root):
      "\(file) lies outside of \(root), which is not trusted; copy it into that folder."
    case .notRegular(_, let kind):
      "\(file) is a \(kind) and not a file; save its content to a file and name that."
    case .tooLarge(_, let size, let limit):
      "\(file) has \(size) bytes, more than the limit of \(limit); use a smaller file."
    case .permissionDenied(_, let action):
      "You may not \(action) \(file); change its permissions or choose another path."
    case .alreadyExists: "\(file) already exists; remove it or choose another path."
    case .noSpace: "No space left to write \(file); free some and try again."
    case .system(_, let action, let code):
      "PostKit could not \(action) \(file): \(String(cString: strerror(code)))."
    }
  }

  /// A sentence about a file that is looked for by its name, so that no other can be named in its
  /// place; the path has been said.
  package var remark: String {
    switch self {
    case .isDirectory: "It is a directory; move it away, or put a file in its place."
    case .notRegular(_, let kind): "It is a \(kind) and not a file; put a file in its place."
    case .tooLarge(_, let size, let limit):
      "It has \(size) bytes, more than the limit of \(limit); make it smaller."
    case .permissionDenied(_, let action): "You may not \(action) it; change its permissions."
    case .system(_, let action, let code):
      "PostKit could not \(action) it: \(String(cString: strerror(code))). Put another file in its "
        + "place."
    case .notFound, .notDirectory, .isLink, .outside, .alreadyExists, .noSpace: description
    }
  }

  /// The failure for an error number.
  static func make(_ code: Int32, path: String, action: String) -> FileFailure {
    switch code {
    case ENOENT: .notFound(path: path)
    case EISDIR: .isDirectory(path: path)
    case ENOTDIR: .notDirectory(path: path)
    case EACCES, EPERM, EROFS: .permissionDenied(path: path, action: action)
    case EEXIST: .alreadyExists(path: path)
    case ENOSPC, EDQUOT: .noSpace(path: path)
    case ENXIO: .notRegular(path: path, kind: "socket")
    default: .system(path: path, action: action, code: code)
    }
  }
}
