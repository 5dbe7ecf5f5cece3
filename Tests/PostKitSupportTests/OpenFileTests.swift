// Files that are held open: what is judged is what is read, whoever changes links and when.

import Libc
import PostKitSupport
import PostKitTestSupport
import Testing

@Suite struct OpenFileTests {
  /// A folder with a file, links to files inside and outside, and what lies outside.
  private struct Place {
    let root: TemporaryDirectory
    let outside: TemporaryDirectory

    init() throws {
      (root, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
      try root.write("sub/in.txt", "inside")
      try outside.write("out.txt", "outside")
      for (name, target) in [
        ("in", "sub/in.txt"), ("absolute", root.path("sub/in.txt")), ("folder", "sub"),
        ("out", outside.path("out.txt")), ("far", outside.path), ("lost", "nowhere"),
        ("loop", "loop"),
      ] { #expect(symlink(target, root.path(name)) == 0) }
      #expect(mkfifo(root.path("pipe"), 0o600) == 0)
    }

    func read(_ name: String) throws(FileFailure) -> String {
      let bytes = try FileSystem.read(path: root.path(name), limit: 99, inside: [root.path])
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Has a name lead to another target, at once.
    func point(_ name: String, to target: String) {
      #expect(symlink(target, root.path("next")) == 0)
      #expect(rename(root.path("next"), root.path(name)) == 0)
    }
  }

  @Test func `links are followed inside of a folder, and not out of it`() throws {
    let place = try Place()
    for name in ["sub/in.txt", "in", "absolute", "folder/in.txt", "sub/../in"] {
      #expect(try place.read(name) == "inside", "\(name)")
    }
    for name in ["out", "far/out.txt", "../\(FilePath.name(place.outside.path))/out.txt"] {
      let error = #expect(throws: FileFailure.self, "\(name)") { try place.read(name) }
      guard case .outside = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
    }
    for name in ["lost", "missing", "loop", "pipe", "sub", "folder"] {
      #expect(throws: FileFailure.self, "\(name)") { try place.read(name) }
    }
    let roots = [place.root.path, place.outside.path]
    _ = try OpenFile(place.root.path("out"), inside: roots)
  }

  @Test(arguments: ["in", "folder/in.txt"])
  func `a link that is changed after the look leads nowhere`(name: String) throws {
    let place = try Place()
    let link = name == "in" ? "sub/in.txt" : "sub"
    // As an attacker would have it: the look finds the file, then its place becomes a link.
    let looked = Monitor(0)
    #expect(throws: FileFailure.self) {
      _ = try OpenFile(place.root.path(name), inside: [place.root.path]) { path in
        let found = FileSystem.resolved(path)
        if looked.update({ $0 += 1; return $0 }) == 1 {
          #expect(rename(place.root.path(link), place.root.path("away")) == 0)
          let target = name == "in" ? place.outside.path("out.txt") : place.outside.path
          #expect(symlink(target, place.root.path(link)) == 0)
          _ = try? place.outside.write("in.txt", "outside")
        }
        return found
      }
    }
    #expect(looked.update { $0 } == 2)
  }

  @Test func `a link that is changed to another file inside is looked at again`() throws {
    let place = try Place()
    try place.root.write("other.txt", "other")
    let looked = Monitor(0)
    let file = try OpenFile(place.root.path("in"), inside: [place.root.path]) { path in
      let found = FileSystem.resolved(path)
      if looked.update({ $0 += 1; return $0 }) == 1 {
        #expect(unlink(place.root.path("sub/in.txt")) == 0)
        place.point("in", to: "other.txt")
      }
      return found
    }
    #expect(try file.bytes(limit: 9) == Array("other".utf8))
  }

  @Test func `looking makes no folder`() throws {
    let place = try Place()
    #expect(throws: FileFailure.self) { try place.read("new/folder/a.txt") }
    #expect(!FileSystem.exists(place.root.path("new")))
    #expect(throws: FileFailure.self) {
      _ = try OpenFolder(path: place.root.path("new"), makingMissing: nil, byParts: true)
    }
    #expect(!FileSystem.exists(place.root.path("new")))
  }
}
