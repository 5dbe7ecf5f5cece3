// Files by POSIX calls alone: exact errors, no surprises with FIFOs, no Foundation.

import Libc

/// Blocking file operations; call them on threads of our own.
package enum FileSystem {
  /// Reads a whole regular file of at most `limit` bytes. FIFOs, sockets, devices and directories
  /// are refused without waiting for them, as is with `roots` what lies in none of these folders,
  /// links followed.
  package static func read(
    path: String, limit: Int, inside roots: [String]? = nil
  ) throws(FileFailure) -> [UInt8] {
    try OpenFile(path, inside: roots).bytes(limit: limit)
  }

  /// Reads standard input to its end, at most `limit` bytes.
  package static func readStandardInput(limit: Int) throws(FileFailure) -> [UInt8] {
    try readAll(STDIN_FILENO, path: "standard input", expected: 0, limit: limit)
  }

  /// Replaces a file at once: readers see the old bytes or the new ones, never a part. The data is
  /// on the disk before the name points to it, unless it can be had again. The target of a symbolic
  /// link is replaced, not the link. A device, named pipe or socket is refused: replacing one would
  /// break it for everybody.
  package static func writeAtomically(
    _ bytes: [UInt8], to path: String, mode: UInt16 = 0o644, isDurable: Bool = true
  ) throws(FileFailure) {
    try writeAtomically(to: path, mode: mode, isDurable) { descriptor throws(FileFailure) in
      try write(bytes, to: descriptor, path: path)
    }
  }

  /// Replaces a file by a copy of another one, however long it is, in the same way.
  package static func copyAtomically(
    _ source: String, to path: String, mode: UInt16 = 0o644
  ) throws(FileFailure) {
    try writeAtomically(to: path, mode: mode, true) { descriptor throws(FileFailure) in
      var isWritten = true
      try forEachChunk(path: source) { chunk in
        isWritten = StandardStream.writeAll(chunk, to: descriptor)
        return isWritten
      }
      if !isWritten { throw failure(path, "write") }
    }
  }

  private static func writeAtomically(
    to path: String, mode: UInt16, _ isDurable: Bool, _ body: (Int32) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    if let status = status(path) { try requireRegular(status, path) }
    let target = realPath(path) ?? path
    let temporary = "\(target).\(Identifier.next())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, "write") }
    do throws(FileFailure) {
      defer { close(descriptor) }
      try body(descriptor)
      guard fchmod(descriptor, mode_t(mode)) == 0, !isDurable || fsync(descriptor) == 0 else {
        throw failure(path, "write")
      }
    } catch {
      unlink(temporary)
      throw error
    }
    guard Libc.rename(temporary, target) == 0 else {
      let failure = failure(path, "write")
      unlink(temporary)
      throw failure
    }
  }

  /// Writes what a user asked for by name: files are replaced at once, and a device or pipe, such
  /// as `/dev/stdout`, gets the bytes. A named pipe that nobody reads is refused.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
    let kind = status(path).map { $0.st_mode & S_IFMT }
    guard kind == S_IFCHR || kind == S_IFIFO else { return try writeAtomically(bytes, to: path) }
    // O_NONBLOCK: opening a FIFO without a reader would wait for ever.
    let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw failure(path, "write") }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ StandardStream.writeAll($0, to: descriptor) }) else {
      throw failure(path, "write")
    }
  }

  /// Makes a directory and its missing parents; one that exists is left as it is.
  package static func makeDirectory(_ path: String, mode: UInt16 = 0o700) throws(FileFailure) {
    if mkdir(path, mode_t(mode)) == 0 { return }
    if errno == ENOENT {
      let parent = FilePath.parent(path)
      guard parent != path else { throw failure(path, "make the directory") }
      try makeDirectory(parent, mode: mode)
      if mkdir(path, mode_t(mode)) == 0 { return }
    }
    guard errno == EEXIST else { throw failure(path, "make the directory") }
    guard isDirectory(path) else { throw .alreadyExists(path: path) }
  }

  /// Whether anything is at the path; a dangling symbolic link doesn't count.
  package static func exists(_ path: String) -> Bool { status(path) != nil }

  /// Whether a directory is at the path, also by way of a symbolic link.
  package static func isDirectory(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Whether the path itself is a symbolic link, to whatever or to nothing.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether a regular file is at the path, also by way of a symbolic link.
  package static func isRegularFile(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// The size of a regular file in bytes; refuses what `read` refuses.
  package static func size(_ path: String) throws(FileFailure) -> Int {
    guard let status = status(path) else { throw failure(path, "read") }
    try requireRegular(status, path)
    return Int(status.st_size)
  }

  /// What changes when a file does: modification time in nanoseconds, size and file number.
  package static func version(_ path: String) -> FileVersion? {
    guard let status = status(path) else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return FileVersion(
      modifiedNanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
      size: Int64(status.st_size), number: UInt64(status.st_ino))
  }

  /// The permissions of a file; `nil` where nothing is there.
  package static func mode(_ path: String) -> UInt16? {
    status(path).map { UInt16(truncatingIfNeeded: $0.st_mode & 0o7777) }
  }

  /// Whether users other than the owner and its group may write.
  package static func isWritableByOthers(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IWOTH != 0 } ?? false
  }

  /// The user id of the owner; `nil` where nothing is there.
  package static func owner(_ path: String) -> UInt32? { status(path).map(\.st_uid) }

  /// The user id of this process.
  package static var currentUser: UInt32 { getuid() }

  /// Removes a file or an empty directory; a path where nothing is counts as removed.
  package static func remove(_ path: String) throws(FileFailure) {
    if Libc.remove(path) != 0, errno != ENOENT { throw failure(path, "remove") }
  }

  /// Removes a directory with all that is in it; symbolic links are removed, not followed.
  package static func removeTree(_ path: String) throws(FileFailure) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      for name in try list(path) { try removeTree(FilePath.join(path, name)) }
    }
    try remove(path)
  }

  /// Gives a file another name in the same file system, replacing what bears it.
  package static func rename(_ from: String, to: String) throws(FileFailure) {
    if Libc.rename(from, to) != 0 { throw failure(from, "rename") }
  }

  /// Waits until a file's bytes are on the disk.
  package static func synchronise(_ path: String) throws(FileFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, "write") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(path, "write") }
  }

  /// The names in a directory that end with `suffix`, sorted by bytes, without `.` and `..`.
  package static func list(
    _ path: String, suffix: String = ""
  ) throws(FileFailure) -> [String] {
    guard let directory = opendir(path) else { throw failure(path, "list") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee))
        { String(cString: $0) }
      }
      if name != ".", name != "..", name.hasSuffix(suffix) { names.append(name) }
    }
    if names.count < 2 { return names }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The absolute path without symbolic links; `nil` where nothing is there.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The absolute path without symbolic links, also where nothing is there yet: a link to nothing
  /// leads to where a file would be made. `nil` where links lead round in a circle, or out of a
  /// folder that isn't there.
  package static func resolved(_ path: String) -> String? {
    if let real = realPath(path) { return real }
    var waiting = Array(absolute(path).split(separator: "/").map(String.init).reversed())
    var (result, links) = ("", 0)
    while let name = waiting.popLast() {
      if name == "." { continue }
      if name == ".." {
        result = result.isEmpty ? "" : FilePath.parent(result)
        if result == "/" { result = "" }
        continue
      }
      let next = result + "/" + name
      if let target = linkTarget(next) {
        links += 1
        if links > 40 { return nil }
        if FilePath.isAbsolute(target) { result = "" }
        waiting += target.split(separator: "/").map(String.init).reversed()
        continue
      }
      result = next
      if !exists(next) {
        // There is nothing below what is not there, and so no link.
        let rest = waiting.reversed().filter { $0 != "." }
        if rest.contains("..") { return nil }
        return ([result] + rest).joined(separator: "/")
      }
    }
    return result.isEmpty ? "/" : result
  }

  /// Where a symbolic link leads, as it is written; `nil` for what is no link.
  private static func linkTarget(_ path: String) -> String? {
    guard isLink(path) else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The working directory; `/` in the rare case that it was removed.
  package static var currentDirectory: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// The user's home directory: `HOME`, else what the user database says.
  package static var homeDirectory: String {
    if let home = ProcessEnvironment.value("HOME"), FilePath.isAbsolute(home) { return home }
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/" }
    return String(cString: home)
  }

  /// The absolute path without dot segments, seen from the working directory.
  package static func absolute(_ path: String) -> String {
    FilePath.normalise(FilePath.join(currentDirectory, path))
  }

  private static func status(_ path: String) -> stat? {
    var result = stat()
    return stat(path, &result) == 0 ? result : nil
  }

  /// Refuses what is no regular file, in words about the path.
  static func requireRegular(_ status: stat, _ path: String) throws(FileFailure) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw .isDirectory(path: path)
    case S_IFIFO: throw .notRegular(path: path, kind: "named pipe")
    case S_IFSOCK: throw .notRegular(path: path, kind: "socket")
    default: throw .notRegular(path: path, kind: "device")
    }
  }

  /// Reads a descriptor to its end; `expected` is the size in bytes as far as it is known.
  static func readAll(
    _ descriptor: Int32, path: String, expected: Int, limit: Int
  ) throws(FileFailure) -> [UInt8] {
    // There is room for the look behind the end, so that no large file is copied for it.
    let look = 512
    var failed = false
    var bytes = [UInt8](unsafeUninitializedCapacity: expected + 2 * look) { buffer, count in
      let found = retrying { Libc.read(descriptor, buffer.baseAddress, expected + look) }
      (count, failed) = (max(found, 0), found < 0)
    }
    if failed { throw failure(path, "read") }
    if bytes.isEmpty { return [] }
    guard bytes.count <= limit else {
      throw .tooLarge(path: path, size: bytes.count, limit: limit)
    }
    // Files in /proc say they are empty; the loop reads until the end whatever the size says.
    var room = look
    while true {
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: room))
      let count = bytes.withUnsafeMutableBytes { buffer in
        retrying {
          Libc.read(descriptor, buffer.baseAddress.map { $0 + start }, room)
        }
      }
      guard count >= 0 else { throw failure(path, "read") }
      bytes.removeLast(room - count)
      if count == 0 { return bytes }
      guard bytes.count <= limit else {
        throw .tooLarge(path: path, size: bytes.count, limit: limit)
      }
      room = bytes.count > expected ? max(bytes.count, look) : expected - bytes.count + look
    }
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(FileFailure) {
    let isWritten = bytes.withUnsafeBytes { StandardStream.writeAll($0, to: descriptor) }
    guard isWritten else { throw failure(path, "write") }
  }

  private static func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  private static func failure(_ path: String, _ action: String) -> FileFailure {
    .make(errno, path: path, action: action)
  }
}

/// What tells one state of a file from the next, without reading it.
package struct FileVersion: Sendable, Hashable {
  /// Modification time in nanoseconds since 1970.
  package let modifiedNanoseconds: Int64
  /// Size in bytes.
  package let size: Int64
  /// The number of the file in its file system; replaced files get a new one.
  package let number: UInt64

  /// Whether any change after a moment, in milliseconds since 1970, gives the file another time: by
  /// then it was older than the steps in which such times go.
  package func isSettled(at moment: Int64) -> Bool {
    // FAT counts in steps of two seconds. Where times are finer a file gets that of the system's
    // last tick, which is at most 10 ms old.
    let step: Int64 = modifiedNanoseconds % 1_000_000 == 0 ? 2_500 : 50
    return modifiedNanoseconds / 1_000_000 < moment - step
  }
}
