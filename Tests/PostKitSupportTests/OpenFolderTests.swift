// Folders that are held open: no link is followed, whoever changes it and when.

import Libc
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct OpenFolderTests {
  private func write(_ text: String, to name: String, in folder: OpenFolder) -> Bool {
    let descriptor = folder.open(name, O_WRONLY | O_CREAT | O_TRUNC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Array(text.utf8).withUnsafeBytes { StandardStream.writeAll($0, to: descriptor) }
  }

  @Test(arguments: [false, true])
  func `what is missing of a folder is made`(byParts: Bool) throws {
    let directory = try TemporaryDirectory()
    let root = try #require(FileSystem.realPath(directory.path))
    for path in ["\(root)/a//b/c", "\(root)/a/b/c/", root, "/"] {
      let folder = try OpenFolder(path: path, makingMissing: 0o755, byParts: byParts)
      #expect(folder.kind("nothing") == .nothing)
    }
    let folder = try OpenFolder(path: "\(root)/a/b/c", makingMissing: 0o700, byParts: byParts)
    #expect(write("x", to: "made", in: folder) && folder.kind("made") == .file)
    #expect(folder.rename("made", to: "other"))
    #expect(try directory.read("a/b/c/other") == "x")
    folder.remove("other")
    #expect(folder.kind("other") == .nothing)
  }

  @Test(arguments: [false, true])
  func `no part of a path may be a link, nor the file`(byParts: Bool) throws {
    let (directory, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
    let root = try #require(FileSystem.realPath(directory.path))
    try directory.write("real/x", "x")
    for (name, target) in [("out", outside.path), ("in", "real"), ("lost", "nowhere")] {
      #expect(symlink(target, directory.path(name)) == 0)
    }
    for path in ["out", "in", "lost", "out/new", "in/new", "lost/new", "real/x", "real/x/new"] {
      #expect(throws: FileFailure.self, "\(path)") {
        _ = try OpenFolder(path: "\(root)/\(path)", makingMissing: 0o755, byParts: byParts)
      }
    }
    #expect(try FileSystem.list(outside.path).isEmpty)
    #expect(try FileSystem.list(directory.path("real")) == ["x"])
    let folder = try OpenFolder(path: root, makingMissing: 0o755, byParts: byParts)
    #expect(folder.kind("lost") == .link && folder.kind("real") == .folder)
    #expect(!write("x", to: "lost", in: folder) && !FileSystem.exists(directory.path("nowhere")))
  }

  @Test(arguments: [false, true])
  func `what is done is done in the folder that was opened`(byParts: Bool) throws {
    let (directory, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
    let root = try #require(FileSystem.realPath(directory.path))
    let folder = try OpenFolder(path: "\(root)/a", makingMissing: 0o755, byParts: byParts)
    try FileSystem.rename("\(root)/a", to: "\(root)/moved")
    #expect(symlink(outside.path, "\(root)/a") == 0)
    #expect(write("x", to: "made", in: folder))
    #expect(try directory.read("moved/made") == "x")
    #expect(try FileSystem.list(outside.path).isEmpty)
  }
}
