// Where the body of a response goes: memory first, a file once large, nowhere beyond the limit.

import PostKitHTTP
import PostKitSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Takes the bytes of one body. It blocks on its file, so it belongs to the loop's thread.
final class BodySink {
  private let directory: String
  private let memoryBytes: Int
  private let keptBytes: Int
  private var memory: [UInt8] = []
  private var path: String?
  private var descriptor: Int32 = -1
  private var storedBytes = 0
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

  /// Takes bytes; `false` after a failure.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    receivedBytes += bytes.count
    let count = min(bytes.count, keptBytes - storedBytes)
    if count <= 0 { return true }
    let kept = UnsafeRawBufferPointer(rebasing: bytes[..<count])
    if path == nil, storedBytes + count <= memoryBytes {
      memory.append(contentsOf: kept)
    } else {
      guard openFile(), writeToFile(kept) else { return false }
    }
    storedBytes += count
    return true
  }

  /// Forgets all, for a response that replaces this one.
  func reset() {
    removeFile()
    memory.removeAll()
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
        ($0, open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
      }
    } catch {
      return fail(directory, "\(error)")
    }
    guard descriptor >= 0 else { return fail(path, String(cString: strerror(errno))) }
    self.path = path
    return memory.withUnsafeBytes { writeToFile($0) }
  }

  private func writeToFile(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if StandardStream.writeAll(bytes, to: descriptor) { return true }
    return fail(path ?? directory, String(cString: strerror(errno)))
  }

  private func fail(_ path: String, _ reason: String) -> Bool {
    failure = Failure(
      .store,
      "The response is large and could not be written to \(path): \(reason). Free some space or "
        + "choose another place for PostKit's files, then send again.")
    return false
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
