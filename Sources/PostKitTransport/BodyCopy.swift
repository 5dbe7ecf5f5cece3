// `>> file`: the body of a response written where the author wants it (PK-90).

import Libc
package import PostKitHTTP
import PostKitSupport

/// Where the body of a response is to be written, besides being kept.
package struct SaveOrder: Sendable {
  package var targets: [SaveTarget]
  /// Why nothing may be written to a place, as a clause; asked when the answer has come, with the
  /// path that its links lead to.
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
    /// The folder of the file; `nil` for a device.
    var folder: OpenFolder?
    /// The path of the file as it is told.
    var path: String
    /// The name that the file has at the end.
    var name: String
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
      if let temporary = output.temporary, let folder = output.folder,
        !folder.rename(temporary, to: output.name)
      {
        fail(output.path)
        folder.remove(temporary)
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
    // What is asked about and what is opened is one path, of which no part is a link.
    guard let path = FileSystem.resolved(target.path) else {
      failure = BodyCopy.failure(target.path, "its links form a loop")
      return nil
    }
    var real = target
    real.path = path
    if let obstacle = order.obstacle(real) {
      failure = BodyCopy.failure(target.path, obstacle)
      return nil
    }
    if target.overwrites, let device = openDevice(target.path) { return device }
    if failure != nil { return nil }
    let (folder, name) = (FilePath.parent(path), FilePath.name(path))
    // A folder is told by the name that it has in the request, whatever link that is.
    let isNamed = FilePath.name(target.path) == name
    let shown = isNamed ? FilePath.parent(target.path) : folder
    do throws(FileFailure) {
      let place = try OpenFolder(path: folder, makingMissing: 0o755)
      var output = target.overwrites ? open(name, in: place) : openNew(name, in: place)
      if let chosen = output?.name { output?.path = FilePath.join(shown, chosen) }
      return output
    } catch {
      failure = BodyCopy.failure(target.path, "\(error)")
      return nil
    }
  }

  /// Opens a device or a named pipe, which gets the bytes; one that nobody reads is not waited for.
  /// `nil` for anything else.
  private func openDevice(_ path: String) -> Output? {
    guard FileSystem.exists(path), !FileSystem.isRegularFile(path), !FileSystem.isDirectory(path)
    else { return nil }
    let descriptor = Libc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      fail(path)
      return nil
    }
    if status.st_mode & S_IFMT == S_IFREG {
      // It has become a file meanwhile, which is not what was asked about.
      close(descriptor)
      return nil
    }
    return Output(
      folder: nil, path: path, name: FilePath.name(path), temporary: nil, descriptor: descriptor,
      isNew: false)
  }

  /// Opens a file that replaces what is there.
  private func open(_ name: String, in folder: OpenFolder) -> Output? {
    // What is no file is refused as such.
    if folder.kind(name) == .folder { return opened(name, in: folder, nil, O_WRONLY, isNew: false) }
    if isStream {
      return opened(name, in: folder, nil, O_WRONLY | O_CREAT | O_TRUNC, isNew: false)
    }
    return opened(
      name, in: folder, "\(name).\(Identifier.next())", O_WRONLY | O_CREAT | O_EXCL, isNew: true)
  }

  /// Opens the first name that is free: `a.txt`, `a-1.txt`, `a-2.txt` and so on.
  private func openNew(_ first: String, in folder: OpenFolder) -> Output? {
    for number in 0... {
      let name = number == 0 ? first : BodyCopy.numbered(first, number)
      let descriptor = folder.open(name, O_WRONLY | O_CREAT | O_EXCL)
      if descriptor >= 0 {
        return Output(
          folder: folder, path: FilePath.join(folder.path, name), name: name, temporary: nil,
          descriptor: descriptor, isNew: true)
      }
      if errno != EEXIST { break }
    }
    fail(FilePath.join(folder.path, first))
    return nil
  }

  private func opened(
    _ name: String, in folder: OpenFolder, _ temporary: String?, _ flags: Int32, isNew: Bool
  ) -> Output? {
    let descriptor = folder.open(temporary ?? name, flags)
    guard descriptor >= 0 else {
      fail(FilePath.join(folder.path, name))
      return nil
    }
    return Output(
      folder: folder, path: FilePath.join(folder.path, name), name: name, temporary: temporary,
      descriptor: descriptor, isNew: isNew)
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
      if output.isNew { output.folder?.remove(output.temporary ?? output.name) }
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
