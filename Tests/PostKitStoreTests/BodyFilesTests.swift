// Large bodies: beside the database, shared, cut off at the limit, swept when nobody needs them.

import Foundation
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct BodyFilesTests {
  @Test(arguments: [
    (0, true), (Limits.inlineBodyBytes, true), (Limits.inlineBodyBytes + 1, false),
    (1 << 20, false),
  ])
  func `a body lies in its row up to 64 KiB and in a file above`(
    count: Int, isInline: Bool
  ) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let bytes = large(3, count: count)
    try await store.record(Sample.exchange(body: .bytes(bytes)))
    let body = try #require(try await store.exchange(id: Sample.exchange().id)?.response?.body)
    switch body {
    case .bytes(let found):
      #expect(isInline && found == bytes)
    case .file(let path, let size):
      #expect(!isInline && size == count)
      #expect(FilePath.name(path) == SHA256.hexDigest(bytes))
      #expect(try FileSystem.read(path: path, limit: .max - 1) == bytes)
    }
    #expect(bodyFiles(place).count == (isInline ? 0 : 1))
    await store.close()
  }

  @Test func `equal bodies share a file, as bytes, as a file and in requests`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let path = try place.write("body", bytes: large(1))
    try await store.record(Sample.exchange(1, body: .bytes(large(1))))
    try await store.record(Sample.exchange(2, body: .file(path: path, size: 100_000)))
    var third = Sample.exchange(3)
    third.request.body = .bytes(large(1))
    try await store.record(third)
    #expect(bodyFiles(place) == [SHA256.hexDigest(large(1))])
    try await store.forget(.ids([1, 2].map { Sample.exchange($0).id }))
    #expect(bodyFiles(place).count == 1)
    #expect(try await store.exchange(id: third.id)?.request.body.count == 100_000)
    try await store.forget(.ids([third.id]))
    #expect(bodyFiles(place).isEmpty)
    await store.close()
  }

  @Test func `a user's own file is copied and stays as it is`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let path = try place.write("upload.bin", bytes: large(2))
    chmod(path, 0o644)
    var exchange = Sample.exchange(body: .file(path: path, size: 100_000))
    exchange.request.body = .file(path: path, size: 100_000)
    try await store.record(exchange)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
    #expect(attributes[.referenceCount] as? Int == 1)
    try Data("changed".utf8).write(to: URL(fileURLWithPath: path))
    let kept = try #require(try await store.exchange(id: exchange.id)?.response?.body)
    guard case .file(let keptPath, _) = kept else {
      Issue.record("the body is not a file")
      return
    }
    #expect(try FileSystem.read(path: keptPath, limit: 1 << 20) == large(2))
    await store.close()
  }

  @Test func `a spooled response is taken over without a copy`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let spooled = try place.write("store/bodies/incoming/spool", bytes: large(4))
    let number = FileSystem.version(spooled)?.number
    try await store.record(Sample.exchange(body: .file(path: spooled, size: 100_000)))
    unlink(spooled)
    guard
      case .file(let path, _)? = try await store.exchange(id: Sample.exchange().id)?.response?.body
    else {
      Issue.record("the body is not a file")
      return
    }
    #expect(FileSystem.version(path)?.number == number)
    #expect(try FileSystem.read(path: path, limit: 1 << 20) == large(4))
    await store.close()
  }

  @Test(arguments: [false, true])
  func `of a body above the limit the head is kept and marked`(isFile: Bool) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store, bodyByteLimit: 70_000)
    let path = try place.write("body", bytes: large(5))
    let body = isFile ? BodyContent.file(path: path, size: 100_000) : .bytes(large(5))
    try await store.record(Sample.exchange(body: body))
    let response = try #require(try await store.exchange(id: Sample.exchange().id)?.response)
    #expect(response.isTruncated && response.decodedSize == 100_000)
    guard case .file(let kept, 70_000) = response.body else {
      Issue.record("the body is \(response.body.count) bytes")
      return
    }
    #expect(try FileSystem.read(path: kept, limit: 1 << 20) == Array(large(5)[..<70_000]))
    await store.close()
  }

  @Test func `a body that can't be read costs its exchange only the body`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(body: .file(path: place.path("gone"), size: 9)))
    let response = try #require(try await store.exchange(id: Sample.exchange().id)?.response)
    #expect(response.body == .empty && response.isTruncated)
    let notice = try #require(await store.takeNotices().first)
    #expect(notice.kind == .bodyNotKept && notice.message.contains(place.path("gone")))
    await store.close()
  }

  @Test func `a body whose file is lost is shown as cut off`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(body: .bytes(large(1))))
    try FileManager.default.removeItem(atPath: place.store.bodiesDirectory)
    let response = try #require(try await store.exchange(id: Sample.exchange().id)?.response)
    #expect(response.body == .empty && response.isTruncated)
    await store.close()
  }

  @Test func `the sweep takes what nobody refers to, after the grace period only`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(body: .bytes(large(1))))
    let orphan = store.bodies.path(hash: String(repeating: "ab", count: 32))
    try FileSystem.makeDirectory(FilePath.parent(orphan))
    try FileSystem.writeAtomically([1], to: orphan)
    let leftOver = try place.write("store/bodies/incoming/left-over", "x")
    #expect(try await store.sweepBodies() == 0)
    #expect(FileSystem.exists(orphan) && FileSystem.exists(leftOver))
    #expect(try await store.sweepBodies(graceSeconds: -60) == 2)
    #expect(!FileSystem.exists(orphan) && !FileSystem.exists(leftOver))
    #expect(bodyFiles(place) == [SHA256.hexDigest(large(1))])
    await store.close()
  }

  /// The names of the files of bodies, sorted.
  private func bodyFiles(_ place: TemporaryDirectory) -> [String] {
    let list = FileManager.default.enumerator(atPath: place.store.bodiesDirectory)
    return (list?.compactMap { $0 as? String } ?? []).map { FilePath.name($0) }
      .filter { $0.utf8.count == 64 }.sorted()
  }
}
