// Which files a walk through the workspace comes to.

import Foundation
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct WorkspaceWalkTests {
  private static let found = [
    ".env", ".vscode/settings.json", "a.http", "x/b.rest", "x/http-client.private.env.json",
    "x/postkit.json", "x/y/dev.env",
  ]
  private static let passedOver = [
    ".git/a.http", ".hidden/b.http", "node_modules/c.http", "x/node_modules/d.http", "x/notes.txt",
    "x/.vscode/launch.json", "settings.json",
  ]

  @Test func `files with names are found, hidden folders are not looked into`() throws {
    let directory = try TemporaryDirectory()
    for name in Self.found + Self.passedOver { try directory.write(name, "") }
    var walk = WorkspaceWalk(roots: [directory.path], trust: FolderTrust())
    walk.run()
    #expect(walk.files.sorted() == Self.found.map { directory.path($0) }.sorted())
    #expect(walk.settingsFolders == [directory.path("x")])
    #expect(walk.notice == nil)
  }

  @Test func `a file that is heard of is taken where a walk would come to it`() {
    for name in Self.found {
      #expect(WorkspaceWalk.isIndexed("/w/" + name, in: ["/v", "/w"]), "\(name)")
      #expect(!WorkspaceWalk.isIndexed("/other/" + name, in: ["/v", "/w"]), "\(name)")
    }
    for name in Self.passedOver { #expect(!WorkspaceWalk.isIndexed("/w/" + name, in: ["/w"])) }
  }

  @Test func `links to files outside are read where the folder is trusted alone`() throws {
    let (inside, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
    let file = try outside.write("a.http", "")
    #expect(symlink(file, inside.path("linked.http")) == 0)
    #expect(symlink(outside.path, inside.path("folder")) == 0)
    #expect(symlink(inside.path, inside.path("circle")) == 0)
    for isTrusted in [false, true] {
      var walk = WorkspaceWalk(roots: [inside.path], trust: FolderTrust(isOfAll: isTrusted))
      walk.run()
      #expect(walk.files == (isTrusted ? [inside.path("linked.http")] : []))
    }
  }

  @Test func `a folder is listed again when its time has changed, or is too young to tell`() throws {
    let directory = try TemporaryDirectory()
    func walk(_ known: [String: FolderListing]) -> WorkspaceWalk {
      var walk = WorkspaceWalk(roots: [directory.path], trust: FolderTrust(), known: known)
      walk.run()
      return walk
    }
    try directory.write("a.http", "")
    let young = walk([:])
    #expect(young.files.count == 1)
    try directory.write("b.http", "")
    // Within two seconds the time of the folder may not have moved on.
    #expect(walk(young.listings).files.count == 2)
    let moment = Date(timeIntervalSinceNow: -60)
    func settle() throws {
      try FileManager.default.setAttributes(
        [.modificationDate: moment], ofItemAtPath: directory.path)
    }
    try settle()
    let settled = walk([:])
    let renamed = [directory.path("a.http"), directory.path("c.http")]
    try FileManager.default.moveItem(atPath: directory.path("b.http"), toPath: renamed[1])
    #expect(walk(settled.listings).files == renamed)
    // With its time set back nothing tells that the folder is another.
    try settle()
    #expect(walk(settled.listings).files == settled.files)
    #expect(walk([:]).files == renamed)
  }
}
