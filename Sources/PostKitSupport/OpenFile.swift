// A file that is held open for reading: what is judged is what is read, whoever changes links.

import Libc

/// A regular file by its descriptor.
///
/// Where it must lie in certain folders, the links of its path are resolved, the result is judged,
/// and that is opened without following any link. So nothing outside is opened, even if a link
/// changes between the look and the opening.
package final class OpenFile {
  /// The path by which it was asked for.
  package let path: String
  /// The path that was opened: without links where it had to lie in certain folders.
  package let realPath: String
  /// Its size in bytes when it was opened.
  package let size: Int
  let descriptor: Int32

  /// How often a path is looked at whose links change meanwhile.
  private static let attempts = 16

  /// Opens a file, in `roots` one that lies in one of these folders, links followed. FIFOs,
  /// sockets, devices and directories are refused without waiting for them. `resolve` gives the
  /// path that links lead to.
  package init(
    _ path: String, inside roots: [String]? = nil,
    resolve: (String) -> String? = FileSystem.resolved
  ) throws(FileFailure) {
    let opened = try OpenFile.open(path, roots, resolve)
    var status = stat()
    do throws(FileFailure) {
      guard fstat(opened.descriptor, &status) == 0 else { throw OpenFile.failure(path) }
      try FileSystem.requireRegular(status, path)
    } catch {
      close(opened.descriptor)
      throw error
    }
    (self.path, realPath, descriptor) = (path, opened.realPath, opened.descriptor)
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Fills a buffer from a place in the file; answers how many bytes it got, -1 with `errno` set.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// The whole content, at most `limit` bytes.
  package func bytes(limit: Int) throws(FileFailure) -> [UInt8] {
    guard size <= limit else { throw .tooLarge(path: path, size: size, limit: limit) }
    return try FileSystem.readAll(descriptor, path: path, expected: size, limit: limit)
  }

  private static func open(
    _ path: String, _ roots: [String]?, _ resolve: (String) -> String?
  ) throws(FileFailure) -> (realPath: String, descriptor: Int32) {
    // O_NONBLOCK: opening a FIFO without a writer would wait for ever.
    let flags = O_RDONLY | O_NONBLOCK
    guard let roots else {
      let descriptor = Libc.open(path, flags | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw failure(path) }
      return (path, descriptor)
    }
    let places = roots.map { FileSystem.realPath($0) ?? $0 }
    var looks = 1
    while true {
      do throws(FileFailure) {
        return try openOnce(path, places, flags, resolve)
      } catch {
        guard error.isOfChangedPath, looks < attempts, FileSystem.exists(path) else {
          throw error.of(path)
        }
        looks += 1
      }
    }
  }

  /// Opens the file that links lead to now.
  private static func openOnce(
    _ path: String, _ places: [String], _ flags: Int32, _ resolve: (String) -> String?
  ) throws(FileFailure) -> (realPath: String, descriptor: Int32) {
    guard let real = resolve(path),
      places.contains(where: { FilePath.isInside(real, directory: $0) })
    else { throw .outside(path: path, root: places.first ?? "/") }
    let folder = try OpenFolder(path: FilePath.parent(real), makingMissing: nil)
    let descriptor = folder.open(FilePath.name(real), flags)
    guard descriptor >= 0 else { throw failure(path) }
    return (real, descriptor)
  }

  private static func failure(_ path: String) -> FileFailure {
    .make(errno, path: path, action: "read")
  }
}

extension FileFailure {
  /// Whether a part of the path became a link, or went, since its links were resolved.
  fileprivate var isOfChangedPath: Bool {
    switch self {
    case .notFound, .notDirectory: true
    case .system(_, _, let code): code == ELOOP
    default: false
    }
  }
}
