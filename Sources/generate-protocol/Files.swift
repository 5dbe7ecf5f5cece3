// Reads and writes small files with the C library alone.

import Libc

/// Files as whole arrays of bytes.
enum Files {
  /// Reads a file; throws where that fails.
  static func read(_ path: String) throws(ModelFailure) -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw failure("read", path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard ferror(file) == 0 else { throw failure("read", path) }
    return bytes
  }

  /// Writes a file anew; throws where that fails.
  static func write(_ text: String, toFile path: String) throws(ModelFailure) {
    guard let file = fopen(path, "wb") else { throw failure("write", path) }
    let bytes = Array(text.utf8)
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count else { throw failure("write", path) }
  }

  /// Writes a text to a descriptor, such as standard error.
  static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
  }

  /// Removes a file; throws where that fails.
  static func remove(_ path: String) throws(ModelFailure) {
    guard unlink(path) == 0 else { throw failure("remove", path) }
  }

  /// The names in a folder, without those that begin with a dot; throws where that fails.
  static func names(in path: String) throws(ModelFailure) -> [String] {
    guard let folder = opendir(path) else { throw failure("list", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func failure(_ action: String, _ path: String) -> ModelFailure {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    return ModelFailure("cannot \(action) \(path): \(reason)")
  }
}

// A free function, as `Files` has a `write` of its own.
private func systemWrite(_ fd: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(fd, buffer, count)
}
