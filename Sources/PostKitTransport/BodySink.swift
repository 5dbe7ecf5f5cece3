// Where the body of a response goes: memory first, a file once large, nowhere beyond the limit.

import Libc
import PostKitHTTP
import PostKitSupport

/// Takes the bytes of one body. It blocks on its file, so it belongs to the loop's thread.
final class BodySink {
  private let directory: String
  private let memoryBytes: Int
  private let keptBytes: Int
  private var memory: [UInt8] = []
  private var path: String?
  private var descriptor: Int32 = -1
  private var storedBytes = 0
  /// Whether no file can be had.
  private var isWithoutFile = false
  /// All bytes that came, kept or not.
  private(set) var receivedBytes = 0
  /// Why nothing more can be taken.
  private(set) var failure: Failure?

  /// `memoryBytes` are held before a file is made in `directory`; of the rest, `keptBytes` in all
  /// are kept.
  init(directory: String, memoryBytes: Int, keptBytes: Int) {
    self.directory = directory
    self.memoryBytes = memoryBytes
    self.keptBytes = keptBytes
  }

  deinit { closeFile() }

  /// Whether bytes were thrown away.
  var isTruncated: Bool { storedBytes < receivedBytes }

  /// Announces a size, so that memory is taken once.
  func expect(_ size: Int) { memory.reserveCapacity(min(size, memoryBytes, keptBytes)) }

  /// Takes bytes; `false` after a failure. A disk that takes no file costs nobody his answer: then
  /// it is held in memory.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    receivedBytes += bytes.count
    guard var kept = head(of: bytes) else { return true }
    if isWithoutFile || path == nil && storedBytes + kept.count <= memoryBytes {
      memory.append(contentsOf: kept)
    } else if !openFile() || !writeToFile(kept) {
      guard takeBack() else { return false }
      guard let rest = head(of: bytes) else { return true }
      kept = rest
      memory.append(contentsOf: kept)
    }
    storedBytes += kept.count
    return true
  }

  /// The bytes for which there is room; `nil` where there is none.
  private func head(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let limit = isWithoutFile ? min(keptBytes, Limits.unspooledBodyBytes) : keptBytes
    let count = min(bytes.count, limit - storedBytes)
    return count > 0 ? UnsafeRawBufferPointer(rebasing: bytes[..<count]) : nil
  }

  /// Forgets all, for a response that replaces this one.
  func reset() {
    removeFile()
    memory.removeAll()
    isWithoutFile = false
    storedBytes = 0
    receivedBytes = 0
  }

  /// The body; the sink is done with.
  func finish() -> BodyContent {
    closeFile()
    guard let path else { return .bytes(memory) }
    if failure == nil { return .file(path: path, size: storedBytes) }
    // The head is still in memory; the file is not to be trusted.
    removeFile()
    storedBytes = memory.count
    return .bytes(memory)
  }

  private func openFile() -> Bool {
    if descriptor >= 0 { return true }
    let path: String
    do throws(FileFailure) {
      (path, descriptor) = try SpoolDirectory.withNewPath(in: directory) {
        ($0, open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
      }
    } catch {
      return logLack(directory, "\(error)")
    }
    guard descriptor >= 0 else { return logLack(path, String(cString: strerror(errno))) }
    self.path = path
    return memory.withUnsafeBytes { writeToFile($0) }
  }

  private func writeToFile(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if StandardStream.writeAll(bytes, to: descriptor) { return true }
    return logLack(path ?? directory, String(cString: strerror(errno)))
  }

  /// The user is told by the history, which can't keep the body either.
  private func logLack(_ path: String, _ reason: String) -> Bool {
    Log.info("A large response stays in memory: writing \(path) failed (\(reason)).")
    return false
  }

  /// Goes on in memory with what the file has so far; `false` where it can't be read.
  private func takeBack() -> Bool {
    isWithoutFile = true
    let limit = min(storedBytes, max(memory.count, Limits.unspooledBodyBytes))
    memory.reserveCapacity(limit)
    while memory.count < limit {
      var piece = [UInt8](repeating: 0, count: min(limit - memory.count, 256 << 10))
      let got = pread(descriptor, &piece, piece.count, off_t(memory.count))
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else {
        failure = Failure(
          .store,
          "Reading a large response back from \(path ?? directory) failed: "
            + "\(got == 0 ? "it became shorter" : String(cString: strerror(errno))). "
            + "Free some space or choose another place for PostKit's files, then send again.")
        return false
      }
      memory.append(contentsOf: piece[..<got])
    }
    storedBytes = memory.count
    removeFile()
    return true
  }

  private func closeFile() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private func removeFile() {
    closeFile()
    if let path { unlink(path) }
    path = nil
  }
}
