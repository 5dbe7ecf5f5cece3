// Files in which something waits until the store can be written.

import PostKitJSON
import PostKitSupport

/// The files of one kind in `incoming/`: JSON, each with an id in its name.
struct WaitingFiles {
  /// What waits in a file; its name begins with that.
  enum Kind: String {
    case exchange
    /// Cookies or session values.
    case change
  }

  /// Why what is in a file can't be taken in.
  enum Obstacle: Error {
    /// A newer PostKit wrote it, and takes it in.
    case newerFormat
    /// The system doesn't give its bytes now; it may later.
    case unreadable
    case damaged(String)
  }

  let bodies: BodyFiles
  let kind: Kind

  private static let unreadablePrefix = "unreadable-"
  private static let format = 1
  private static let byteLimit = 256 << 20

  private var prefix: String { kind.rawValue + "-" }

  /// The names of those that wait, in the order of their ids, which is that of time.
  var names: [String] {
    // A directory that isn't there has none.
    let all = (try? FileSystem.list(bodies.incoming)) ?? []
    return all.filter { name in
      name.hasPrefix(prefix) && Identifier.isValid(String(name.dropFirst(prefix.count)))
    }
  }

  /// The file of an id.
  func path(id: String) -> String { path(name: prefix + id) }

  /// The file of a name.
  func path(name: String) -> String { FilePath.join(bodies.incoming, name) }

  /// Writes a file with mode 0600; it is on the disk, with its name, when this returns.
  func add(_ members: [JSONMember], id: String) throws(StoreFailure) {
    let content = JSONValue.object([JSONMember("format", .int(WaitingFiles.format))] + members)
    let temporary = try bodies.writeTemporary { writer throws(StoreFailure) in
      try writer.write(content.bytes)
    }
    do throws(FileFailure) {
      try FileSystem.rename(temporary, to: path(id: id))
    } catch {
      throw .body(path: temporary, reason: error.description)
    }
    // Only after a power failure could the name be missing. Not every file system can do this.
    _ = try? FileSystem.synchronise(bodies.incoming)
  }

  /// Reads a file.
  func read(_ name: String) throws(Obstacle) -> JSONTree {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileSystem.read(path: path(name: name), limit: WaitingFiles.byteLimit)
    } catch {
      switch error {
      case .notFound, .permissionDenied, .system: throw .unreadable
      default: throw .damaged(error.description)
      }
    }
    let tree: JSONTree
    do { tree = try JSONTree(parsing: bytes) } catch { throw .damaged("\(error)") }
    guard let format = tree.root["format"]?.int else { throw .damaged("it has no `format`") }
    guard format == WaitingFiles.format else { throw .newerFormat }
    return tree
  }

  /// Removes a file.
  func remove(_ name: String) throws(FileFailure) { try FileSystem.remove(path(name: name)) }

  /// Puts a file aside, so that it is not tried again; it is swept later.
  func reject(_ name: String) throws(FileFailure) {
    try FileSystem.rename(path(name: name), to: path(name: WaitingFiles.unreadablePrefix + name))
  }
}
