// Directories and empty files of the store, closed to other users, and what kind of disk they are
// on.

import CSQLite
import Libc
import PostKitSupport

/// Makes the places of the store.
enum StorePlace {
  /// Makes a directory and its missing parents with mode 0700; one that exists is left as it is.
  static func prepareDirectory(_ path: String) throws(StoreFailure) {
    do {
      try FileSystem.makeDirectory(path, mode: 0o700)
    } catch {
      throw .cannotMakeDirectory(path: path, reason: reason(error))
    }
  }

  /// Closes a directory of ours to others where it is in the default place; what the user has
  /// named may be shared on purpose. Answers what the user is to be told: that others can change
  /// what is in it.
  static func closeToOthers(_ location: StoreLocation) -> StoreNotice? {
    let path = location.directory
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == getuid() else { return nil }
    if !location.isNamed, status.st_mode & 0o077 != 0 { chmod(path, status.st_mode & 0o700) }
    guard isOpen(path) else { return nil }
    return StoreNotice(
      kind: .openDirectory(path: path),
      message: "Other users can change what is in \(path), the store. "
        + "Close it to them: chmod 700 '\(path)'")
  }

  /// Whether other users can change what is in a directory. A group that is the user's own first
  /// one counts as nobody else.
  static func isOpen(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & 0o002 != 0
      || status.st_mode & 0o020 != 0 && status.st_gid != getgid()
  }

  /// Makes an empty database file with mode 0600 where there is none; SQLite gives its log the same
  /// mode. Closes a file that others may read.
  static func makeFile(_ path: String) throws(StoreFailure) {
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & 0o077 != 0 && status.st_uid == getuid() {
        // Where the file system has no modes there is nothing to close.
        chmod(path, status.st_mode & 0o700)
      }
      return
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
    close(descriptor)
  }

  private static func reason(_ failure: FileFailure) -> String {
    switch failure {
    case .permissionDenied: "permission denied"
    case .noSpace: "no space left"
    case .alreadyExists(let path): "\(path) is a file"
    case .notDirectory: "a part of the path is not a directory"
    case .system(_, _, let code): String(cString: strerror(code))
    default: failure.description
    }
  }
}

/// The kind of file system that a path is on.
struct FileSystemKind: Hashable {
  /// A short name, such as `ext4`.
  let name: String
  /// Whether processes can share memory through its files, which a write-ahead log needs
  /// (sqlite.org/wal.html).
  let sharesMemory: Bool

  /// Asks the system about a directory; what it doesn't know counts as local.
  init(path: String) {
    #if canImport(Darwin)
      var status = statfs()
      guard statfs(path, &status) == 0 else {
        self.init(name: "unknown", sharesMemory: true)
        return
      }
      let name = withUnsafeBytes(of: status.f_fstypename) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      self.init(name: name, sharesMemory: !["nfs", "smbfs", "afpfs", "webdav"].contains(name))
    #else
      let magic = postkit_file_system_magic(path)
      guard magic == FileSystemKind.userSpaceMagic else {
        self.init(magic: magic)
        return
      }
      // Without a list of what is mounted nobody knows what lies behind it.
      let mounts = (try? FileSystem.read(path: "/proc/self/mountinfo", limit: 16 << 20)) ?? []
      var status = stat()
      _ = stat(path, &status)
      self.init(
        userSpace: MountTable.type(
          ofDevice: UInt64(status.st_dev), in: String(decoding: mounts, as: UTF8.self)) ?? "fuse")
    #endif
  }

  /// The kind behind a number of statfs(2).
  init(magic: UInt32) {
    if let name = FileSystemKind.remote(magic) {
      self.init(name: name, sharesMemory: false)
    } else {
      let name = FileSystemKind.local(magic) ?? "0x" + String(magic, radix: 16)
      self.init(name: name, sharesMemory: true)
    }
  }

  /// The kind behind the name of a file system that a program serves: most of them serve what other
  /// machines change, too.
  init(userSpace name: String) {
    self.init(name: name, sharesMemory: FileSystemKind.localUserSpace.contains(name))
  }

  /// The number of statfs(2) for all of these.
  private static let userSpaceMagic: UInt32 = 0x6573_5546
  private static let localUserSpace: Set<String> = [
    "fuseblk", "fuse.bindfs", "fuse.encfs", "fuse.exfat", "fuse.fuse-overlayfs", "fuse.gocryptfs",
    "fuse.mergerfs", "fuse.ntfs-3g", "fuse.zfs",
  ]

  private init(name: String, sharesMemory: Bool) {
    self.name = name
    self.sharesMemory = sharesMemory
  }

  private static func remote(_ magic: UInt32) -> String? {
    switch magic {
    case 0x6969: "nfs"
    case 0x517B: "smb"
    case 0xFF53_4D42: "cifs"
    case 0xFE53_4D42: "smb2"
    case 0x0102_1997: "9p"
    case 0x564C: "ncp"
    case 0x5346_414F: "afs"
    case 0x00C3_6400: "ceph"
    case 0x7375_7245: "coda"
    case 0x786F_4256: "vboxsf"
    case 0x0BD0_0BD0: "lustre"
    default: nil
    }
  }

  private static func local(_ magic: UInt32) -> String? {
    switch magic {
    case 0xEF53: "ext4"
    case 0x5846_5342: "xfs"
    case 0x9123_683E: "btrfs"
    case 0x0102_1994: "tmpfs"
    case 0x794C_7630: "overlayfs"
    case 0x2FC1_2FC1: "zfs"
    case 0xF2F5_2010: "f2fs"
    default: nil
    }
  }
}

/// What the system says of what is mounted (proc(5), `mountinfo`).
enum MountTable {
  /// The type of the file system on a device, such as `fuse.sshfs`; `nil` where it isn't listed.
  static func type(ofDevice device: UInt64, in table: String) -> String? {
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    let number = "\(major):\(minor)"
    for line in table.utf8.split(separator: 0x0A) {
      let fields = line.split(separator: 0x20).map { String(Substring($0)) }
      guard fields.count > 3, fields[2] == number,
        let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
      else { continue }
      return fields[dash + 1]
    }
    return nil
  }
}
