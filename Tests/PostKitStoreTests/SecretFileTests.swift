// Secrets on a machine without a keyring: one file, for its owner alone.

import Foundation
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct SecretFileTests {
  private let place: TemporaryDirectory
  private let secrets: KeptSecrets

  init() throws {
    place = try TemporaryDirectory()
    secrets = SecretFileTests.open(place)
  }

  /// Another process's view on the same store.
  private static func open(_ place: TemporaryDirectory) -> KeptSecrets {
    KeptSecrets(
      StoreLocation(directory: place.path("store")), executor: SerialQueueExecutor(), keyring: nil)
  }

  private var path: String { place.path("store/secrets.json") }

  @Test func `a secret is there until it is forgotten`() async throws {
    #expect(try await secrets.secret(of: "a") == nil)
    try await secrets.setSecret("one", of: "a")
    try await secrets.setSecret("zwei \"ü\"\n\u{1}", of: "b")
    #expect(try await SecretFileTests.open(place).secret(of: "a") == "one")
    #expect(try await SecretFileTests.open(place).secret(of: "b") == "zwei \"ü\"\n\u{1}")
    try await secrets.setSecret("two", of: "a")
    #expect(try await secrets.secret(of: "a") == "two")
    try await secrets.deleteSecret(of: "a")
    try await secrets.deleteSecret(of: "a")
    #expect(try await secrets.secret(of: "a") == nil)
    expect(
      try place.read("store/secrets.json"),
      is: #"{"format":1,"secrets":{"b":"zwei \"ü\"\n\u0001"}}"#)
  }

  @Test func `reading and forgetting make no file`() async throws {
    _ = try await secrets.secret(of: "a")
    try await secrets.deleteSecret(of: "a")
    #expect(!FileSystem.exists(place.path("store")))
    let told = await secrets.place()
    #expect(told == .file(path: path, reason: "no keyring is looked for"))
  }

  @Test func `nobody else can read the file, whatever the umask and whoever opened it`()
    async throws
  {
    let old = umask(0)
    defer { umask(old) }
    try await secrets.setSecret("one", of: "a")
    umask(old)
    #expect(FileSystem.mode(place.path("store")) == 0o700)
    #expect(FileSystem.mode(path) == 0o600)
    chmod(path, 0o644)
    #expect(try await secrets.secret(of: "a") == "one")
    #expect(FileSystem.mode(path) == 0o600)
  }

  @Test func `writers at the same time lose nothing of each other`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        let secrets = SecretFileTests.open(place)
        group.addTask {
          for number in 0..<10 {
            try await secrets.setSecret("value \(number)", of: "\(writer)-\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    for writer in 0..<4 {
      for number in 0..<10 {
        #expect(try await secrets.secret(of: "\(writer)-\(number)") == "value \(number)")
      }
    }
  }

  @Test(arguments: [
    "", "{", "[]", #"{"format":1}"#, #"{"secrets":{}}"#, #"{"format":1,"secrets":{"a":1}}"#,
    "\0\0\0",
  ])
  func `a damaged file is set aside and told, once`(_ text: String) async throws {
    try place.write("store/secrets.json", text)
    #expect(try await secrets.secret(of: "a") == nil)
    let notice = try #require(secrets.takeNotices().first)
    #expect(secrets.takeNotices() == [])
    guard case .setAside(path: path, let kept) = notice.kind else {
      Issue.record("\(notice)")
      return
    }
    #expect(notice.message.contains(kept))
    #expect(String(decoding: try FileSystem.read(path: kept, limit: 99), as: UTF8.self) == text)
    #expect(FileSystem.mode(kept) == 0o600)
    try await secrets.setSecret("one", of: "a")
    #expect(try await secrets.secret(of: "a") == "one")
  }

  @Test func `the file of a newer PostKit is left as it is`() async throws {
    let newer = #"{"format":2,"secrets":{"a":"one"}}"#
    try place.write("store/secrets.json", newer)
    let failure = StoreFailure.secret(.newerFile(path: path))
    await #expect(throws: failure) { try await secrets.secret(of: "a") }
    await #expect(throws: failure) { try await secrets.setSecret("two", of: "a") }
    expect(try place.read("store/secrets.json"), is: newer)
  }

  @Test func `what a killed writer left is removed by the next one`() async throws {
    let left = place.path("store/secrets.json.\(Identifier.next())")
    try place.write(FilePath.join("store", FilePath.name(left)), "a secret")
    try place.write("store/secrets.json.mine", "of somebody else")
    try await secrets.setSecret("one", of: "a")
    #expect(!FileSystem.exists(left))
    #expect(FileSystem.exists(place.path("store/secrets.json.mine")))
  }

  @Test func `a file that can't be read is told by its name`() async throws {
    try FileSystem.makeDirectory(path)
    await #expect(throws: StoreFailure.secret(.file("\(FileFailure.isDirectory(path: path))"))) {
      try await secrets.secret(of: "a")
    }
  }

  @Test func `a NUL byte is refused before anything is written`() async throws {
    await #expect(throws: StoreFailure.secret(.nulByte)) {
      try await secrets.setSecret("a\0b", of: "a")
    }
    #expect(!FileSystem.exists(path))
  }
}
