// Large files read piece by piece, so that memory stays small.

import Libc

extension FileSystem {
  /// The first bytes of a regular file, at most `count`.
  package static func head(path: String, count: Int) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachChunk(path: path) { chunk in
      bytes.append(contentsOf: chunk.prefix(count - bytes.count))
      return bytes.count < count
    }
    return bytes
  }

  /// Hands a regular file over in chunks of up to 256 KiB until the closure answers false.
  package static func forEachChunk(
    path: String, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(FileFailure) {
    guard isRegularFile(path) else {
      throw exists(path)
        ? .notRegular(path: path, kind: "special file") : .make(ENOENT, path: path, action: "read")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .make(errno, path: path, action: "read") }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Libc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw .make(errno, path: path, action: "read")
      }
      if count == 0 { return }
      guard body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
    }
  }

  /// The bytes of a regular file from an offset on, at most `count`.
  package static func piece(
    path: String, offset: Int, count: Int
  ) throws(FileFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .make(errno, path: path, action: "read") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let result = bytes.withUnsafeMutableBytes { buffer in
        let start = buffer.baseAddress.map { $0 + filled }
        return pread(descriptor, start, count - filled, off_t(offset + filled))
      }
      if result == 0 { break }
      if result > 0 {
        filled += result
      } else if errno != EINTR {
        throw .make(errno, path: path, action: "read")
      }
    }
    return Array(bytes.prefix(filled))
  }
}
