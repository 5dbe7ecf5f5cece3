// What was read of APIs: who waits for it and for how long, and when it is read again.

import PostKitRunner
import PostKitSupport
import PostKitTestSupport
import Synchronization
import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct DescriptionsTests {
  private let client = ClientProxy(
    profile: ClientProfile(), transport: MemoryTransport(), events: NoticeSink { _ in })

  /// Something to be read of a file, when the test lets it.
  private func wish(
    _ path: String, open texts: [String: OpenText] = [:], reads: Counter, gate: Gate? = nil
  ) -> Descriptions.Wish {
    let workspace = Workspace(
      file: path + ".http", workspaceFolder: FilePath.parent(path), openFiles: texts)
    return Descriptions.Wish(key: path, name: "a", workspace: workspace) {
      let files = ReadFiles([path], in: workspace)
      await gate?.wait()
      reads.add()
      return Descriptions.Entry(.schema(SchemaReading()), files)
    }
  }

  @Test func `nobody waits for longer than asked for, and hears of it then`() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("schema.graphql", "type Query { a: Int }")
    let (descriptions, reads, gate) = (Descriptions(), Counter(), Gate())
    let wish = wish(path, reads: reads, gate: gate)
    #expect(await !descriptions.read([wish], within: 1, client))
    #expect(await !descriptions.read([wish], within: 0, client))
    let told = Gate()
    await descriptions.whenRead("a.http") { told.open() }
    gate.open()
    await told.wait()
    #expect(await descriptions.read([wish], within: 0, client))
    #expect(reads.value == 1)
  }

  @Test func `what has changed is read again, also while it was being read`() async throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("schema.graphql", "a")
    let (descriptions, reads) = (Descriptions(), Counter())
    #expect(await descriptions.read([wish(path, reads: reads)], within: nil, client))
    #expect(await descriptions.read([wish(path, reads: reads)], within: nil, client))
    #expect(reads.value == 1)
    func opened(_ revision: Int) -> [String: OpenText] {
      [path: OpenText([97], revision: revision)]
    }
    // The same bytes, but another text: nobody compares them.
    for revision in 1...2 {
      let wish = wish(path, open: opened(revision), reads: reads)
      #expect(await descriptions.read([wish], within: nil, client))
      #expect(await descriptions.read([wish], within: nil, client))
      #expect(reads.value == 1 + revision)
    }
    let gate = Gate()
    let old = wish(path, open: opened(3), reads: reads, gate: gate)
    #expect(await !descriptions.read([old], within: 1, client))
    gate.open()
    let new = wish(path, open: opened(4), reads: reads)
    #expect(await descriptions.read([new], within: nil, client))
    #expect(reads.value == 5)
  }

  @Test func `a number of readings is kept, those that were asked for last`() async throws {
    let folder = try TemporaryDirectory()
    let (descriptions, reads) = (Descriptions(), Counter())
    for number in 0..<40 {
      let path = folder.path("\(number).graphql")
      #expect(await descriptions.read([wish(path, reads: reads)], within: nil, client))
      let first = folder.path("0.graphql")
      #expect(await descriptions.read([wish(first, reads: reads)], within: nil, client))
    }
    #expect(reads.value == 40)
    #expect(await descriptions.known(folder.path("0.graphql")) != nil)
    #expect(await descriptions.known(folder.path("39.graphql")) != nil)
    #expect(await descriptions.known(folder.path("1.graphql")) == nil)
  }
}

/// Counts.
private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

/// Lets nobody through before it is opened.
private final class Gate: Sendable {
  private let stream = AsyncStream<Void>.makeStream()
  func open() { stream.continuation.finish() }
  func wait() async { for await _ in stream.stream {} }
}
