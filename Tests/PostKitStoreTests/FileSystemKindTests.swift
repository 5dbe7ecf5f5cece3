// Where a write-ahead log can be used, by what the system says of the place.

import Testing

@testable import PostKitStore

@Suite struct FileSystemKindTests {
  private static let mounts = """
    22 1 253:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
    90 22 0:47 / /mnt/far rw,nosuid shared:5 master:2 - fuse.sshfs me@far:/home rw,user_id=1000
    91 22 0:300 / /mnt/my\\040disk rw - fuseblk /dev/sdb1 rw
    92 22 0:48 / /shared rw - virtiofs shared rw
    """

  @Test(arguments: [
    (UInt64(0x2F), "fuse.sshfs", false), (0x10_002C, "fuseblk", true), (0x30, "virtiofs", false),
  ])
  func `a program that serves files is known by what is mounted`(
    device: UInt64, name: String, isLocal: Bool
  ) {
    let type = MountTable.type(ofDevice: device, in: FileSystemKindTests.mounts)
    #expect(type == name)
    #expect(FileSystemKind(userSpace: name).sharesMemory == isLocal)
    #expect(FileSystemKind(userSpace: name).name == name)
  }

  @Test func `a device that is not listed has no type`() {
    #expect(MountTable.type(ofDevice: 0x99, in: FileSystemKindTests.mounts) == nil)
    #expect(MountTable.type(ofDevice: 0, in: "1 2\n\n3 4 0:0 - \n") == nil)
  }
}
