// `>> file`: the body of a response written where the author wants it (PK-90).

package import PostKitHTTP
import PostKitSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where the body of a response is to be written, besides being kept.
package struct SaveOrder: Sendable {
  package var targets: [SaveTarget]
  /// Why nothing may be written to a place, as a clause; asked when the answer has come.
  package var obstacle: @Sendable (SaveTarget) -> String?
  /// Whether this response is meant, by status and headers: one that is redirected isn't.
  package var isWanted: @Sendable (Int, HeaderFields) -> Bool

  /// Makes an order.
  package init(
    targets: [SaveTarget],
    obstacle: @escaping @Sendable (SaveTarget) -> String? = { _ in nil },
    isWanted: @escaping @Sendable (Int, HeaderFields) -> Bool = { _, _ in true }
  ) {
    self.targets = targets
    self.obstacle = obstacle
    self.isWanted = isWanted
  }
}

/// Writes the bytes of one body to files. It blocks on them, so it belongs to the loop's thread.
///
/// A body whose end is known is there at once or not at all; one that may go on for ever is written
/// as it comes, so that it can be read meanwhile.
final class BodyCopy {
  private struct Output {
    /// The name that the file has at the end.
    var path: String
    /// The name that it has until then, where that is another one.
    var temporary: String?
    var descriptor: Int32
    /// Whether the file was made for this body.
    var isNew: Bool
  }

  private let order: SaveOrder
  private var outputs: [Output] = []
  private var isOpen = false
  private var isStream = false
  /// Why a file could not be written.
  private(set) var failure: Failure?

  /// Makes a copy that has written nothing yet.
  init(_ order: SaveOrder) { self.order = order }

  deinit { for output in outputs { close(output.descriptor) } }

  /// Takes bytes of the body that follows a head.
  func write(_ bytes: UnsafeRawBufferPointer, after head: ResponseHead) {
    open(head)
    for output in outputs where failure == nil {
      if !StandardStream.writeAll(bytes, to: output.descriptor) { fail(output.path) }
    }
  }

  /// Forgets what was written, for a response that replaces this one.
  func reset() {
    remove()
    isOpen = false
  }

  /// Ends the files; answers the paths of those that are there. A body that broke off is kept only
  /// where it came without an end.
  func finish(_ head: ResponseHead?, isComplete: Bool) -> [String] {
    if isComplete, let head { open(head) }
    guard failure == nil, isComplete || isStream else {
      remove()
      return []
    }
    var saved: [String] = []
    for output in outputs {
      close(output.descriptor)
      if let temporary = output.temporary, rename(temporary, output.path) != 0 {
        fail(output.path)
        unlink(temporary)
      } else {
        saved.append(output.path)
      }
    }
    outputs = []
    return saved
  }

  private func open(_ head: ResponseHead) {
    guard !isOpen else { return }
    isOpen = true
    guard order.isWanted(head.status, head.headers) else { return }
    isStream = !head.headers.contains("Content-Length")
    for target in order.targets where failure == nil {
      if let output = open(target) { outputs.append(output) }
    }
  }

  private func open(_ target: SaveTarget) -> Output? {
    if let obstacle = order.obstacle(target) {
      failure = BodyCopy.failure(target.path, obstacle)
      return nil
    }
    do throws(FileFailure) {
      try FileSystem.makeDirectory(FilePath.parent(target.path), mode: 0o755)
    } catch {
      failure = BodyCopy.failure(target.path, "\(error)")
      return nil
    }
    guard target.overwrites else { return openNew(target.path) }
    if !FileSystem.isRegularFile(target.path), FileSystem.exists(target.path) {
      // A device or a named pipe gets the bytes; one that nobody reads is not waited for.
      return opened(target.path, nil, O_WRONLY | O_NONBLOCK, isNew: false)
    }
    // From here on no link is followed in the last part of the path.
    let path = FileSystem.resolved(target.path) ?? target.path
    if isStream {
      return opened(path, nil, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, isNew: false)
    }
    return opened(path, "\(path).\(Identifier.next())", O_WRONLY | O_CREAT | O_EXCL, isNew: true)
  }

  /// Opens the first name that is free: `a.txt`, `a-1.txt`, `a-2.txt` and so on.
  private func openNew(_ path: String) -> Output? {
    for number in 0... {
      let name = number == 0 ? path : BodyCopy.numbered(path, number)
      let descriptor = systemOpen(name, O_WRONLY | O_CREAT | O_EXCL)
      if descriptor >= 0 {
        return Output(path: name, temporary: nil, descriptor: descriptor, isNew: true)
      }
      if errno != EEXIST { break }
    }
    fail(path)
    return nil
  }

  private func opened(
    _ path: String, _ temporary: String?, _ flags: Int32, isNew: Bool
  ) -> Output? {
    let descriptor = systemOpen(temporary ?? path, flags)
    guard descriptor >= 0 else {
      fail(path)
      return nil
    }
    return Output(path: path, temporary: temporary, descriptor: descriptor, isNew: isNew)
  }

  private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.open(path, flags | O_CLOEXEC | O_NOCTTY, 0o644)
    #elseif canImport(Musl)
      Musl.open(path, flags | O_CLOEXEC | O_NOCTTY, 0o644)
    #else
      Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, 0o644)
    #endif
  }

  /// The path with a number before its last extension.
  static func numbered(_ path: String, _ number: Int) -> String {
    let suffix = FilePath.fileExtension(path)
    guard !suffix.isEmpty else { return "\(path)-\(number)" }
    return "\(path.dropLast(suffix.utf8.count + 1))-\(number).\(suffix)"
  }

  private func remove() {
    for output in outputs {
      close(output.descriptor)
      if output.isNew { unlink(output.temporary ?? output.path) }
    }
    outputs = []
  }

  private func fail(_ path: String) {
    failure = failure ?? BodyCopy.failure(path, String(cString: strerror(errno)))
  }

  private static func failure(_ path: String, _ reason: String) -> Failure {
    Failure(
      .store,
      "Saving the response to \(path) failed: \(reason). Choose another place, or free space "
        + "there, and send again.")
  }
}
