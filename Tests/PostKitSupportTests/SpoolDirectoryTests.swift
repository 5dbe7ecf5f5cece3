// Files that are being written: those of the dead are told from those of the living.

import PostKitTestSupport
import Testing

@testable import PostKitSupport

@Suite struct SpoolDirectoryTests {
  @Test func `files of a process that lives are not abandoned`() throws {
    let place = try TemporaryDirectory()
    let directory = place.path("incoming")
    let path = try newFile(in: directory)
    let other = try newFile(in: directory)
    #expect(other != path && FilePath.parent(other) == directory)
    #expect(SpoolDirectory.abandoned(in: directory, modifiedBefore: .max) == [])
  }

  @Test func `a process that has no files leaves nothing`() throws {
    let place = try TemporaryDirectory()
    let directory = place.path("incoming")
    let path = try newFile(in: directory)
    SpoolDirectory.leave(directory)
    #expect(SpoolDirectory.abandoned(in: directory, modifiedBefore: .max) == [])
    try FileSystem.remove(path)
    SpoolDirectory.leave(directory)
    #expect(try FileSystem.list(directory) == [])
    _ = try newFile(in: directory)
    #expect(SpoolDirectory.abandoned(in: directory, modifiedBefore: .max) == [])
  }

  @Test func `files of a process that is gone are, with its mark behind them`() throws {
    let place = try TemporaryDirectory()
    let (marked, unmarked) = (Identifier.next(), Identifier.next())
    let paths = try [
      "incoming/\(marked).\(Identifier.next())", "incoming/\(unmarked).\(Identifier.next())",
      "incoming/\(marked).owner",
    ].map { try place.write($0, "x") }
    let found = SpoolDirectory.abandoned(in: place.path("incoming"), modifiedBefore: .min)
    #expect(found == paths)
  }

  @Test func `files that name no process are when they are old`() throws {
    let place = try TemporaryDirectory()
    let path = try place.write("incoming/download", "x")
    let moment = try #require(FileSystem.version(path)?.modifiedNanoseconds)
    let directory = place.path("incoming")
    #expect(SpoolDirectory.abandoned(in: directory, modifiedBefore: moment) == [])
    #expect(SpoolDirectory.abandoned(in: directory, modifiedBefore: moment + 1) == [path])
    #expect(SpoolDirectory.abandoned(in: place.path("none"), modifiedBefore: .max) == [])
  }

  @Test func `a directory that was removed is made again with its mark`() throws {
    let place = try TemporaryDirectory()
    let directory = place.path("incoming")
    _ = try newFile(in: directory)
    try FileSystem.removeTree(directory)
    _ = try newFile(in: directory)
    #expect(SpoolDirectory.abandoned(in: directory, modifiedBefore: .max) == [])
    #expect(try FileSystem.list(directory).count == 2)
  }

  private func newFile(in directory: String) throws -> String {
    let path = try SpoolDirectory.withNewPath(in: directory) { path in
      (path, Result { try FileSystem.write([1], to: path) })
    }
    try path.1.get()
    return path.0
  }
}
