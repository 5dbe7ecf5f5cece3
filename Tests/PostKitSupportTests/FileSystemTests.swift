// Checks files against a real disk: what is read, what is refused, and in which words.

import Foundation
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct FileSystemTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `a file is read whole, up to the limit and not a byte beyond`() throws {
    let path = try directory.write("a", "12345")
    #expect(try FileSystem.read(path: path, limit: 5) == Array("12345".utf8))
    #expect(throws: FileFailure.tooLarge(path: path, size: 5, limit: 4)) {
      try FileSystem.read(path: path, limit: 4)
    }
    #expect(try FileSystem.size(path) == 5)
  }

  @Test func `a file of many blocks is read whole`() throws {
    let bytes = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = try directory.write("big", bytes: bytes)
    #expect(try FileSystem.read(path: path, limit: 1 << 20) == bytes)
  }

  @Test func `a file that says it is empty is read to its end`() throws {
    guard try Require.condition(FileSystem.exists("/proc/self/stat"), reason: "no /proc") else {
      return
    }
    #expect(try !FileSystem.read(path: "/proc/self/stat", limit: 1 << 16).isEmpty)
  }

  @Test func `a named pipe is refused at once, with and without a writer`() throws {
    let path = directory.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let failure = FileFailure.notRegular(path: path, kind: "named pipe")
    #expect(throws: failure) { try FileSystem.read(path: path, limit: 10) }
    #expect(throws: failure) { try FileSystem.size(path) }
  }

  @Test func `directories, devices and missing files are refused each in its own way`() throws {
    let path = directory.path
    #expect(throws: FileFailure.isDirectory(path: path)) {
      try FileSystem.read(path: path, limit: 10)
    }
    #expect(throws: FileFailure.notRegular(path: "/dev/zero", kind: "device")) {
      try FileSystem.read(path: "/dev/zero", limit: 10)
    }
    let missing = directory.path("missing")
    #expect(throws: FileFailure.notFound(path: missing)) {
      try FileSystem.read(path: missing, limit: 10)
    }
    let file = try directory.write("file", "")
    #expect(throws: FileFailure.notDirectory(path: file + "/x")) {
      try FileSystem.read(path: file + "/x", limit: 10)
    }
  }

  @Test func `every failure names the path and ends as a sentence`() {
    let failures: [FileFailure] = [
      .notFound(path: "/p"), .isDirectory(path: "/p"), .notDirectory(path: "/p"),
      .isLink(path: "/p"), .notRegular(path: "/p", kind: "device"),
      .tooLarge(path: "/p", size: 2, limit: 1),
      .permissionDenied(path: "/p", action: "read"), .alreadyExists(path: "/p"),
      .noSpace(path: "/p"), .system(path: "/p", action: "read", code: EIO),
    ]
    for failure in failures {
      #expect(failure.path == "/p")
      #expect(failure.of("/q").path == "/q" && failure.of("/q").of("/p") == failure)
      #expect(failure.description.contains("/p") && failure.description.hasSuffix("."))
    }
  }

  @Test func `writing replaces a file, keeps links, sets the mode and leaves nothing behind`()
    throws
  {
    let path = try directory.write("file", "old")
    let link = directory.path("link")
    try #require(symlink("file", link) == 0)
    try FileSystem.writeAtomically(Array("new".utf8), to: link, mode: 0o600)
    #expect(try directory.read("file") == "new")
    #expect(try FileSystem.list(directory.path) == ["file", "link"])
    var status = stat()
    try #require(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a write that fails leaves no temporary file`() throws {
    try FileSystem.makeDirectory(directory.path("taken"))
    #expect(throws: FileFailure.self) {
      try FileSystem.writeAtomically([1], to: directory.path("taken"))
    }
    #expect(try FileSystem.list(directory.path) == ["taken"])
  }

  @Test func `directories are made with their parents and private`() throws {
    let path = directory.path("a/b/c")
    try FileSystem.makeDirectory(path)
    try FileSystem.makeDirectory(path)
    for each in [path, directory.path("a")] {
      var status = stat()
      try #require(stat(each, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o700)
    }
    let file = try directory.write("file", "")
    #expect(throws: FileFailure.alreadyExists(path: file)) { try FileSystem.makeDirectory(file) }
  }

  @Test func `removing is content with what is gone, and follows no links`() throws {
    try directory.write("keep/file", "x")
    try FileSystem.makeDirectory(directory.path("tree/sub"))
    try #require(symlink(directory.path("keep"), directory.path("tree/sub/link")) == 0)
    try FileSystem.removeTree(directory.path("tree"))
    try FileSystem.remove(directory.path("tree"))
    #expect(!FileSystem.exists(directory.path("tree")))
    #expect(FileSystem.exists(directory.path("keep/file")))
    #expect(throws: FileFailure.self) { try FileSystem.remove(directory.path("keep")) }
  }

  @Test func `a changed file has another version`() throws {
    let path = try directory.write("file", "one")
    let before = FileSystem.version(path)
    try directory.write("file", "two")
    #expect(before != nil && before != FileSystem.version(path))
    #expect(FileSystem.version(directory.path("none")) == nil)
    #expect(FileSystem.owner(path) == FileSystem.currentUser)
  }
}

@Suite struct FilePathTests {
  @Test(
    "dot segments are resolved as far as the text allows",
    arguments: [
      ("/a/./b//c/../d", "/a/b/d"), ("/../a", "/a"), ("a/../..", ".."), ("../../a", "../../a"),
      ("", "."), ("/", "/"), ("a/..", "."), ("/a/b/", "/a/b"),
    ])
  func normalise(path: String, expected: String) {
    #expect(FilePath.normalise(path) == expected)
  }

  @Test(
    "a path has a parent and a name",
    arguments: [
      ("/a/b", "/a", "b"), ("/a", "/", "a"), ("/", "/", "/"), ("a", ".", "a"), ("a/b/", "a", "b"),
      ("//a//b//", "//a", "b"),
    ])
  func parts(path: String, parent: String, name: String) {
    #expect(FilePath.parent(path) == parent)
    #expect(FilePath.name(path) == name)
  }

  @Test func `joining, extensions, homes and containment`() {
    #expect(FilePath.join("/a", "b") == "/a/b")
    #expect(FilePath.join("/a/", "b") == "/a/b")
    #expect(FilePath.join("/a", "/b") == "/b")
    #expect(FilePath.join("", "b") == "b")
    #expect(FilePath.fileExtension("/a.b/c.env.json") == "json")
    #expect(FilePath.fileExtension("/a.b/.env") == "")
    #expect(FilePath.expandTilde("~/x", home: "/h") == "/h/x")
    #expect(FilePath.expandTilde("~", home: "/h") == "/h")
    #expect(FilePath.expandTilde("~other/x", home: "/h") == "~other/x")
    #expect(FilePath.isInside("/a/b", directory: "/a"))
    #expect(FilePath.isInside("/a/b", directory: "/a/"))
    #expect(!FilePath.isInside("/ab", directory: "/a"))
    #expect(FilePath.isInside("/ab", directory: "/"))
    #expect(FilePath.relative("/a/b/c", to: "/a/d") == "../b/c")
    #expect(FilePath.relative("/a", to: "/a") == ".")
  }

  @Test func `a pipe is written into and never replaced`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("pipe")
    _ = try await Subprocess.run("mkfifo", [path])
    #expect(throws: FileFailure.notRegular(path: path, kind: "named pipe")) {
      try FileSystem.writeAtomically([1], to: path)
    }
    // Nobody reads it.
    #expect(throws: FileFailure.self) { try FileSystem.write([1], to: path) }
    #expect(try FileSystem.list(directory.path) == ["pipe"])
    try FileSystem.write([1, 2], to: directory.path("file"))
    #expect(try directory.read("file") == "\u{1}\u{2}")
  }
}
