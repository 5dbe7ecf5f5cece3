// A disk that is full or breaks at each operation in turn: the file stays whole, what was
// acknowledged is there, and what failed has said so.

import CFaultyDisk
import Foundation
import PostKitHTTP
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

/// What the disk is told to do wrong.
struct Fault: CustomTestStringConvertible, Sendable {
  var kinds: Int32
  var isLasting: Bool
  var isFull: Bool
  var testDescription: String

  static let full = Fault(
    kinds: Int32(POSTKIT_FAULT_WRITE), isLasting: true, isFull: true, testDescription: "a full disk")
  static let passing = Fault(
    kinds: Int32(POSTKIT_FAULT_WRITE), isLasting: false, isFull: true,
    testDescription: "a disk that is full for a moment")
  static let broken = Fault(
    kinds: Int32(POSTKIT_FAULT_WRITE + POSTKIT_FAULT_SYNC + POSTKIT_FAULT_READ), isLasting: true,
    isFull: false, testDescription: "a broken disk")
  static let shaky = Fault(
    kinds: Int32(
      POSTKIT_FAULT_WRITE + POSTKIT_FAULT_SYNC + POSTKIT_FAULT_READ + POSTKIT_FAULT_OPEN
        + POSTKIT_FAULT_SHARE + POSTKIT_FAULT_DELETE), isLasting: false, isFull: false,
    testDescription: "a disk on which one operation fails")
  static let all = [full, passing, broken, shaky]
}

/// A directory whose files fail when they are told to.
private struct FaultyDisk: @unchecked Sendable {
  // The C code locks what it changes.
  let faults: OpaquePointer

  init(_ directory: String) { faults = postkit_faults_make(directory) }

  func strike(_ fault: Fault, at number: Int) {
    postkit_faults_set(faults, fault.kinds, number, fault.isLasting, fault.isFull)
  }

  func heal() { postkit_faults_set(faults, 0, 0, false, false) }

  var hasStruck: Bool { postkit_faults_have_struck(faults) }
}

@Suite(.timeLimit(.minutes(10))) struct FaultyDiskTests {
  @Test(arguments: Fault.all)
  func `recording survives a fault at each operation`(fault: Fault) async throws {
    try await walk(fault) { place in
      let store = try await Store.open(place.store)
      var kept = [10, 11, 12].map { Sample.exchange($0).id }
      for number in 20..<23 {
        let exchange = Sample.exchange(number, body: .bytes(large(1, count: 60_000)))
        do {
          try await store.record(exchange)
          kept.append(exchange.id)
        } catch { #expect(isAboutTheDisk(error)) }
      }
      await store.close()
      return kept
    }
  }

  @Test(arguments: Fault.all)
  func `what waits survives a fault at each operation`(fault: Fault) async throws {
    try await walk(fault) { place in
      let waiting = [20, 21, 22].map { Sample.exchange($0, body: .bytes(large(1, count: 60_000))) }
      for exchange in waiting {
        try place.store.keepWaiting(exchange, bodyByteLimit: 1 << 20)
      }
      do {
        let store = try await Store.open(place.store)
        _ = try? await store.forget(.ids([Sample.exchange(10).id]))
        await store.close()
      } catch { #expect(isAboutTheDisk(error)) }
      return [11, 12].map { Sample.exchange($0).id } + waiting.map(\.id)
    }
  }

  @Test func `a group that meets a full disk is not tried again one by one`() async throws {
    let place = try TemporaryDirectory()
    let disk = FaultyDisk(place.path)
    let store = try await Store.open(place.store)
    try await store.record(Sample.exchange(1))
    // Full for one operation: whoever tried again would have room.
    disk.strike(.passing, at: 1)
    for number in 2..<8 { store.enqueue(Sample.exchange(number)) }
    await #expect(throws: StoreFailure.diskFull(path: place.store.historyPath)) {
      try await store.flush()
    }
    #expect(disk.hasStruck)
    disk.heal()
    #expect(try await store.history(HistoryQuery()).count == 1)
    await store.close()
  }

  @Test(arguments: Fault.all)
  func `forgetting survives a fault at each operation`(fault: Fault) async throws {
    try await walk(fault) { place in
      let store = try await Store.open(place.store)
      do { try await store.forget(.ids([Sample.exchange(10).id])) } catch {
        #expect(isAboutTheDisk(error))
      }
      await store.close()
      return [11, 12].map { Sample.exchange($0).id }
    }
  }

  @Test(arguments: Fault.all)
  func `emptying the log survives a fault at each operation`(fault: Fault) async throws {
    try await walk(fault) { place in
      let store = try await Store.open(place.store)
      do { try await store.emptyLog() } catch {}
      await store.close()
      return [10, 11, 12].map { Sample.exchange($0).id }
    }
  }

  @Test(arguments: Fault.all)
  func `a migration that meets a fault leaves the old format or the new one`(
    fault: Fault
  ) async throws {
    let original = try await prepared()
    let before = try content(original)
    try await faults(fault, original) { place in
      var notices: [StoreNotice] = []
      try place.openHistory(.newerMajor, &notices).close()
    } then: { place in
      let after = try content(place)
      guard after.first == "format \(2 << 16)" else {
        #expect(after == before)
        return
      }
      let file = try Connection(path: place.store.historyPath)
      #expect(try file.rows("SELECT method FROM call") { $0.text(0) } == ["get", "get", "get"])
      file.close()
      let copy = place.store.historyPath + ".format-\(Schema.history.version)"
      #expect(FileSystem.exists(copy))
    }
  }

  @Test func `where processes can't share memory another journal is used, and told of`() async throws
  {
    let place = try TemporaryDirectory()
    postkit_faults_share_nothing(FaultyDisk(place.path).faults)
    let store = try await Store.open(place.store)
    let other = try await Store.open(place.store)
    for number in 0..<20 {
      try await (number % 2 == 0 ? store : other).record(Sample.exchange(number))
    }
    #expect(try await store.history(HistoryQuery()).count == 20)
    #expect(try await other.health().files.map(\.journalMode) == ["delete", "delete"])
    for notices in [await store.takeNotices(), await other.takeNotices()] {
      #expect(notices.count == 2)
      for notice in notices {
        guard case .slowJournal = notice.kind else {
          Issue.record("the notice is \(notice)")
          return
        }
      }
    }
    try await store.forget(.all)
    #expect(try await other.history(HistoryQuery()) == [])
    await other.close()
    await store.close()
  }

  /// Three exchanges, closed in order.
  private func prepared() async throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    for number in 10..<13 { try await store.record(Sample.exchange(number)) }
    await store.close()
    return place
  }

  private func content(_ place: TemporaryDirectory) throws -> [String] {
    let connection = try Connection(path: place.store.historyPath)
    defer { connection.close() }
    return try connection.everything()
  }

  /// Does something on a copy of a store again and again, each time with a fault some operations
  /// later, until it gets through without meeting one. Each time the disk is well afterwards.
  private func faults(
    _ fault: Fault, _ original: TemporaryDirectory,
    _ action: (TemporaryDirectory) async throws -> Void,
    then check: (TemporaryDirectory) async throws -> Void
  ) async throws {
    var (number, tried) = (1, 0)
    while true {
      let place = try TemporaryDirectory()
      try FileManager.default.copyItem(
        atPath: original.store.directory, toPath: place.store.directory)
      let disk = FaultyDisk(place.path)
      disk.strike(fault, at: number)
      do { try await action(place) } catch { #expect(isAboutTheDisk(error), "at \(number)") }
      let hasStruck = disk.hasStruck
      disk.heal()
      // What a disk does is no damage of the file.
      let names = try FileSystem.list(place.store.directory)
      #expect(names.allSatisfy { !$0.contains(".set-aside-") }, "at \(number)")
      try await check(place)
      if !hasStruck { break }
      tried += 1
      // Where an action begins and ends much happens.
      number += 1 + number / 8
    }
    #expect(tried > 5)
  }

  /// What `action` answers as kept is there afterwards, in files that are whole.
  private func walk(
    _ fault: Fault, _ action: @escaping (TemporaryDirectory) async throws -> [String]
  ) async throws {
    var kept: [String] = []
    try await faults(fault, prepared()) { place in
      // Where the store can't even be opened what was there stays.
      kept = [11, 12].map { Sample.exchange($0).id }
      kept = try await action(place)
    } then: { place in
      let store = try await Store.open(place.store)
      #expect(try await store.health().problems == [])
      let found = Set(try await store.history(HistoryQuery()).map(\.id))
      #expect(kept.filter { !found.contains($0) } == [])
      try await store.record(Sample.exchange(99))
      await store.close()
    }
  }
}

/// Whether a failure says that the disk is full or broken, and not that the file is damaged.
private func isAboutTheDisk(_ error: any Error) -> Bool {
  switch error as? StoreFailure {
  case .diskFull, .cannotOpen, .database, .notErasedYet: true
  default: false
  }
}
