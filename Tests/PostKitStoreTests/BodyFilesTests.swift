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

  @Test func `the limit of bodies comes with the exchange, for both of them`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store, bodyByteLimit: 80_000)
    for (number, limit) in [(1, 90_000), (2, 70_000), (3, 1_000)] {
      var exchange = Sample.exchange(number, body: .bytes(large(5)))
      exchange.request.body = .bytes(large(6))
      exchange.request.bodySize = 100_000
      try await store.record(exchange, bodyByteLimit: limit)
      let kept = try #require(try await store.exchange(id: exchange.id))
      #expect(kept.response?.body.count == limit && kept.response?.isTruncated == true)
      #expect(kept.request.body.count == limit && kept.request.isTruncated)
      #expect(kept.request.bodySize == 100_000)
    }
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

  @Test func `a body that can't get its name costs its exchange only the body`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    // Something else is where its directory should be.
    try place.write("store/bodies/\(SHA256.hexDigest(large(1)).prefix(2))", "x")
    store.enqueue(Sample.exchange(1, body: .bytes(large(1))))
    store.enqueue(Sample.exchange(2, body: .bytes(large(2))))
    try await store.flush()
    let response = try #require(try await store.exchange(id: Sample.exchange(1).id)?.response)
    #expect(response.body == .empty && response.isTruncated)
    let other = try await store.exchange(id: Sample.exchange(2).id)?.response
    #expect(other?.body.count == 100_000 && other?.isTruncated == false)
    #expect(await store.takeNotices().map(\.kind) == [.bodyNotKept])
    let rest = try FileSystem.list(place.store.spoolDirectory)
    #expect(rest.allSatisfy { $0.hasSuffix(".owner") })
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

  @Test(arguments: [100, 100_000])
  func `a request's body that is whole is not marked, one that is lost is`(count: Int) async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    var exchange = Sample.exchange(1)
    // What was sent is longer than what is kept where a secret is masked.
    exchange.request.body = .bytes(large(1, count: count))
    exchange.request.bodySize = count + 9
    try await store.record(exchange)
    let whole = try #require(try await store.exchange(id: exchange.id)?.request)
    #expect(whole.body.count == count && !whole.isTruncated)
    var other = Sample.exchange(2)
    other.request.body = .file(path: place.path("gone"), size: count)
    try await store.record(other)
    #expect(try await store.exchange(id: other.id)?.request.isTruncated == true)
    try? FileManager.default.removeItem(atPath: place.store.bodiesDirectory)
    let rest = try #require(try await store.exchange(id: exchange.id)?.request)
    #expect(rest.isTruncated == (count > Limits.inlineBodyBytes))
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

  @Test func `forgetting all leaves nothing of processes that were killed`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(body: .bytes(large(1))))
    let orphan = try place.write("store/bodies/ab/cd/\(String(repeating: "abcd", count: 16))", "x")
    let leftOver = try place.write(
      "store/bodies/incoming/\(Identifier.next()).\(Identifier.next())", "secret")
    let living = try SpoolDirectory.withNewPath(in: place.store.spoolDirectory) { path in
      close(open(path, O_WRONLY | O_CREAT, 0o600))
      return path
    }
    let health = try await store.health()
    #expect(health.abandonedCount == 1 && health.abandonedBytes == 6)
    try await store.forget(.host("nobody.example"))
    #expect(FileSystem.exists(orphan) && FileSystem.exists(leftOver))
    try await store.forget(.all)
    #expect(!FileSystem.exists(orphan) && !FileSystem.exists(leftOver))
    #expect(FileSystem.exists(living) && bodyFiles(place).isEmpty)
    await store.close()
  }

  @Test(.timeLimit(.minutes(10)))
  func `an editor sweeps what processes left when they were killed`() async throws {
    let place = try TemporaryDirectory()
    let leftOver = try place.write(
      "store/bodies/incoming/\(Identifier.next()).\(Identifier.next())", "x")
    let name = String(repeating: "f", count: 64)
    let orphan = try place.write("store/bodies/ff/ff/\(name)", "x")
    try age(orphan)
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(body: .bytes(large(1))))
    let kept = store.bodies.path(hash: SHA256.hexDigest(large(1)))
    try age(kept)
    await store.keepUp()
    while FileSystem.exists(leftOver) || FileSystem.exists(orphan) { await Task.yield() }
    while await store.sweptPart != nil { await Task.yield() }
    #expect(FileSystem.exists(kept))
    await store.close()
  }

  @Test func `a run sweeps what another left that was killed`() async throws {
    let place = try TemporaryDirectory()
    try await Store.open(place.store).close()
    try place.markUnclean()
    let leftOver = try place.write(
      "store/bodies/incoming/\(Identifier.next()).\(Identifier.next())", "x")
    let store = try await Store.open(place.store)
    _ = await store.conclude()
    #expect(!FileSystem.exists(leftOver))
  }

  /// Makes a file older than any grace period.
  private func age(_ path: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: path)
  }

  /// The names of the files of bodies, sorted.
  private func bodyFiles(_ place: TemporaryDirectory) -> [String] {
    let list = FileManager.default.enumerator(atPath: place.store.bodiesDirectory)
    return (list?.compactMap { $0 as? String } ?? []).map { FilePath.name($0) }
      .filter { $0.utf8.count == 64 }.sorted()
  }
}
