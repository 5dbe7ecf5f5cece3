// Large bodies as files named by their content, so that equal bodies are kept once.

import Libc
import PostKitHTTP
import PostKitSupport

/// A body as it goes into a row: inside it, or as a file beside the database.
struct KeptBody: Hashable {
  /// The bytes, where they are few.
  var bytes: [UInt8]?
  /// SHA-256 of the content of a file, in hexadecimal digits.
  var hash: String?
  /// A file that gets its name with the row's transaction; `nil` where the content is there
  /// already.
  var temporaryPath: String?
  /// Bytes that are kept.
  var size = 0
  /// Whether only the head is kept.
  var isTruncated = false

  /// The value of the row's body column.
  var inlineValue: SQLValue { bytes.map(SQLValue.blob) ?? .null }

  /// No body.
  static let none = KeptBody()
}

/// The directory of bodies. Everything that takes time is done before the lock is taken: under the
/// lock a finished file only gets its name.
struct BodyFiles {
  /// The directory that holds `ab/cd/abcd…` and `incoming/`.
  let directory: String
  /// Bodies of more bytes become files.
  var inlineLimit = Limits.inlineBodyBytes

  var incoming: String { directory + "/incoming" }

  /// The file of a content.
  func path(hash: String) -> String {
    "\(directory)/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash)"
  }

  /// The file of a content, `nil` where it is not there.
  func existingPath(hash: String) -> String? {
    let path = path(hash: hash)
    return FileSystem.isRegularFile(path) ? path : nil
  }

  /// The first bytes of a content; none where they can't be read.
  func head(hash: String, count: Int) -> [UInt8] {
    guard let path = existingPath(hash: hash) else { return [] }
    return orLog("reading the body \(path)") {
      try FileSystem.head(path: path, count: count)
    } ?? []
  }

  /// Prepares a body; of more than `limit` bytes only the head is kept. A file in `incoming/` is
  /// taken over without being copied, any other file is copied.
  func stage(_ body: BodyContent, limit: Int) throws(StoreFailure) -> KeptBody {
    switch body {
    case .bytes(let bytes):
      let kept = bytes.count > limit ? Array(bytes[..<limit]) : bytes
      let isTruncated = kept.count < bytes.count
      guard kept.count > inlineLimit else {
        return KeptBody(bytes: kept, size: kept.count, isTruncated: isTruncated)
      }
      let hash = SHA256.hexDigest(kept)
      var result = KeptBody(hash: hash, size: kept.count, isTruncated: isTruncated)
      if existingPath(hash: hash) == nil {
        result.temporaryPath = try writeTemporary { (writer: Writer) throws(StoreFailure) in
          try writer.write(kept)
        }
      }
      return result
    case .file(let path, _):
      return try stageFile(path, limit: limit)
    }
  }

  /// Gives a staged body its name. The caller holds the lock, so that no sweep comes between the
  /// file and its row. A file that was swept since it was staged is written again.
  func commit(
    _ body: KeptBody, of content: BodyContent, limit: Int
  ) throws(StoreFailure) {
    guard let hash = body.hash else { return }
    let target = path(hash: hash)
    // Another body of the same content, or a transaction that is run again, may have been first.
    if FileSystem.isRegularFile(target) { return discard(body) }
    var temporary = body.temporaryPath
    if temporary == nil { temporary = try stage(content, limit: limit).temporaryPath }
    guard let temporary else { return }
    do {
      try FileSystem.makeDirectory(FilePath.parent(target), mode: 0o700)
      try FileSystem.rename(temporary, to: target)
    } catch {
      throw .body(path: target, reason: error.description)
    }
  }

  /// Gives a file of this process's own to a content that is kept; `nil` where it is kept no more.
  func linked(hash: String) throws(StoreFailure) -> String? {
    let path = path(hash: hash)
    return try withNewPath { link(path, $0) == 0 ? $0 : nil }
  }

  /// Gives a content its place, in addition to the name that its file has; answers whether it is
  /// there. The caller holds the lock.
  func place(_ file: String?, hash: String) throws(StoreFailure) -> Bool {
    let target = path(hash: hash)
    if FileSystem.isRegularFile(target) { return true }
    guard let file, FileSystem.isRegularFile(file) else { return false }
    do {
      try FileSystem.makeDirectory(FilePath.parent(target), mode: 0o700)
      // Where a file has only one name it changes that: without a row it would be swept.
      if link(file, target) != 0 { try FileSystem.rename(file, to: target) }
      return true
    } catch {
      throw .body(path: target, reason: error.description)
    }
  }

  /// Removes the temporary file of a body that won't be kept.
  func discard(_ body: KeptBody) {
    if let path = body.temporaryPath { unlink(path) }
  }

  private func stageFile(_ path: String, limit: Int) throws(StoreFailure) -> KeptBody {
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    var status = stat()
    guard source >= 0, fstat(source, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      if source >= 0 { close(source) }
      throw .body(path: path, reason: reason)
    }
    defer { close(source) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .body(path: path, reason: "it is not a file")
    }
    let size = min(Int(status.st_size), limit)
    let isTruncated = size < Int(status.st_size)
    if size <= inlineLimit {
      var bytes: [UInt8] = []
      try stream(source, path, count: size) { (piece) throws(StoreFailure) in
        bytes.append(contentsOf: piece)
      }
      return KeptBody(bytes: bytes, size: bytes.count, isTruncated: isTruncated)
    }
    var hash = SHA256()
    var temporary: String?
    if !isTruncated && isSpooled(path, status) {
      try stream(source, path, count: size) { (piece) throws(StoreFailure) in hash.update(piece) }
      // The second name makes the transport's own removal harmless.
      if fsync(source) == 0, fchmod(source, 0o600) == 0 {
        temporary = try withNewPath { link(path, $0) == 0 ? $0 : nil }
      }
    }
    if temporary == nil {
      hash = SHA256()
      guard lseek(source, 0, SEEK_SET) == 0 else {
        throw .body(path: path, reason: String(cString: strerror(errno)))
      }
      temporary = try writeTemporary { (writer) throws(StoreFailure) in
        try stream(source, path, count: size) { (piece) throws(StoreFailure) in
          hash.update(piece)
          try writer.write(piece)
        }
      }
    }
    return KeptBody(
      hash: SHA256.hex(hash.finish()), temporaryPath: temporary, size: size,
      isTruncated: isTruncated)
  }

  /// Whether a file is the transport's own: nobody else writes to `incoming/`.
  private func isSpooled(_ path: String, _ status: stat) -> Bool {
    FilePath.isInside(FilePath.normalise(path), directory: FilePath.normalise(incoming))
      && status.st_nlink == 1 && status.st_uid == getuid()
  }

  /// Reads `count` bytes piece by piece; the memory in use doesn't grow with them.
  private func stream(
    _ source: Int32, _ path: String, count: Int,
    _ body: (UnsafeRawBufferPointer) throws(StoreFailure) -> Void
  ) throws(StoreFailure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var rest = count
    while rest > 0 {
      let got = read(source, buffer.baseAddress, min(rest, buffer.count))
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else {
        let reason = got == 0 ? "it became shorter" : String(cString: strerror(errno))
        throw .body(path: path, reason: reason)
      }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      rest -= got
    }
  }

  /// A file that is being written.
  struct Writer {
    let descriptor: Int32
    let path: String

    /// Adds bytes.
    func write(_ bytes: [UInt8]) throws(StoreFailure) {
      try check(bytes.withUnsafeBytes { StandardStream.writeAll($0, to: descriptor) })
    }

    /// Adds bytes that the caller keeps.
    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
      try check(StandardStream.writeAll(bytes, to: descriptor))
    }

    private func check(_ isWritten: Bool) throws(StoreFailure) {
      guard isWritten else {
        throw errno == ENOSPC || errno == EDQUOT
          ? .diskFull(path: path)
          : .body(path: path, reason: String(cString: strerror(errno)))
      }
    }
  }

  /// Makes a file that nobody sweeps as long as this process lives.
  func withNewPath<Result>(_ make: (String) -> Result) throws(StoreFailure) -> Result {
    do {
      return try SpoolDirectory.withNewPath(in: incoming, make)
    } catch {
      throw .body(path: incoming, reason: error.description)
    }
  }

  /// Writes a file that is on the disk before anything points to it.
  func writeTemporary(
    _ body: (Writer) throws(StoreFailure) -> Void
  ) throws(StoreFailure) -> String {
    let (path, descriptor) = try withNewPath {
      ($0, open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    }
    guard descriptor >= 0 else {
      throw .body(path: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    do throws(StoreFailure) {
      try body(Writer(descriptor: descriptor, path: path))
      guard fsync(descriptor) == 0 else {
        throw .body(path: path, reason: String(cString: strerror(errno)))
      }
    } catch {
      unlink(path)
      throw error
    }
    return path
  }
}
