// The desktop's keyring, a real one on a bus of the test's own. GLib knows one bus in each process,
// so every test has a process of its own.

import Foundation
import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct KeyringTests {
  /// What the process of a test is told: a bus, and the directory of a store.
  struct Session: Codable, Sendable {
    var address: String
    var directory: String

    /// Makes the bus that of this process.
    func join() throws {
      guard setenv("DBUS_SESSION_BUS_ADDRESS", address, 1) == 0 else { throw Unexpected() }
    }

    /// The secrets as the program opens them.
    func open() throws -> KeptSecrets {
      try join()
      // More than the program's: other tests may take all processors.
      let patience = KeyringPatience(probeSeconds: 60, answerSeconds: 60)
      return KeptSecrets(
        StoreLocation(directory: directory), executor: SerialQueueExecutor(),
        keyring: Keyring(directory: directory, patience: patience))
    }
  }

  @Test func `the keyring keeps secrets, and no file does`() async throws {
    guard try SessionBus.isPossible() else { return }
    let place = try TemporaryDirectory()
    let bus = try await SessionBus(in: place, .unlocked)
    let session = Session(address: bus.address, directory: place.path("store"))
    await #expect(processExitsWith: .success) { [session = session as Session] in
      let secrets = try session.open()
      let found = await secrets.place()
      #expect(found == .keyring(isLocked: false))
      #expect(try await secrets.secret(of: "a") == nil)
      try await secrets.setSecret("grüße", of: "a")
      try await secrets.setSecret("two", of: "b")
      try await secrets.setSecret("hello", of: "a")
      #expect(try await session.open().secret(of: "a") == "hello")
      let other = Session(address: session.address, directory: session.directory + "2")
      #expect(try await other.open().secret(of: "a") == nil)
      try await secrets.deleteSecret(of: "a")
      try await secrets.deleteSecret(of: "a")
      #expect(try await secrets.secret(of: "a") == nil)
      #expect(try await secrets.secret(of: "b") == "two")
      #expect(!FileSystem.exists(session.directory))
    }
  }

  @Test func `what the file has is found when a keyring appears, and moves with a new value`()
    async throws
  {
    guard try SessionBus.isPossible() else { return }
    let place = try TemporaryDirectory()
    let directory = place.path("store")
    let without = KeptSecrets(
      StoreLocation(directory: directory), executor: SerialQueueExecutor(), keyring: nil)
    try await without.setSecret("from the file", of: "a")
    let bus = try await SessionBus(in: place, .unlocked)
    let session = Session(address: bus.address, directory: directory)
    await #expect(processExitsWith: .success) { [session = session as Session] in
      let secrets = try session.open()
      #expect(try await secrets.secret(of: "a") == "from the file")
      try await secrets.setSecret("newer", of: "a")
      #expect(try await secrets.secret(of: "a") == "newer")
    }
    #expect(try await without.secret(of: "a") == nil)
    // Without the keyring for a while: what is set then is the newest.
    try await without.setSecret("newest", of: "a")
    await #expect(processExitsWith: .success) { [session = session as Session] in
      let secrets = try session.open()
      #expect(try await secrets.secret(of: "a") == "newest")
      try await secrets.deleteSecret(of: "a")
      #expect(try await secrets.secret(of: "a") == nil)
    }
    #expect(try await without.secret(of: "a") == nil)
  }

  @Test func `a locked keyring is told, and nothing falls back to the file`() async throws {
    guard try SessionBus.isPossible() else { return }
    let place = try TemporaryDirectory()
    let directory = place.path("store")
    try await keepOne(place, directory)
    let bus = try await SessionBus(in: place, .locked)
    let session = Session(address: bus.address, directory: directory)
    await #expect(processExitsWith: .success) { [session = session as Session] in
      let secrets = try session.open()
      let found = await secrets.place()
      #expect(found == .keyring(isLocked: true))
      for work in 0..<3 {
        await #expect(throws: StoreFailure.secret(.locked)) {
          switch work {
          case 0: _ = try await secrets.secret(of: "a")
          case 1: try await secrets.setSecret("two", of: "a")
          default: try await secrets.deleteSecret(of: "a")
          }
        }
      }
      #expect(try await secrets.secret(of: "never set") == nil)
      #expect(!FileSystem.exists(session.directory))
    }
  }

  /// Makes a keyring with the secret of `a` in it, on a bus that is gone afterwards.
  private func keepOne(_ place: TemporaryDirectory, _ directory: String) async throws {
    let bus = try await SessionBus(in: place, .unlocked)
    let session = Session(address: bus.address, directory: directory)
    await #expect(processExitsWith: .success) { [session = session as Session] in
      try await session.open().setSecret("one", of: "a")
    }
  }

  @Test func `a keyring that says nothing is not waited for longer than the patience lasts`()
    async throws
  {
    guard try SessionBus.isPossible() else { return }
    let place = try TemporaryDirectory()
    let directory = place.path("store")
    let bus = try await SessionBus(in: place, .unlocked)
    let session = Session(address: bus.address, directory: directory)
    await #expect(processExitsWith: .success) { [session = session as Session] in
      try await session.open().setSecret("one", of: "a")
    }
    bus.pause()
    await #expect(processExitsWith: .success) { [session = session as Session] in
      let patience = KeyringPatience(probeSeconds: 1, answerSeconds: 1)
      try session.join()
      let keyring = Keyring(directory: session.directory, patience: patience)
      await #expect(throws: StoreFailure.secret(.silent(seconds: 1))) {
        try await keyring.value(of: "a")
      }
      let state = await keyring.probe()
      #expect(state == .silent(seconds: 1))
      let call = Task { try await Keyring(directory: session.directory).value(of: "a") }
      call.cancel()
      await #expect(throws: StoreFailure.secret(.cancelled)) { try await call.value }
    }
  }

  @Test func `without a keyring the file is used, and the reason told`() async throws {
    guard try SessionBus.isPossible() else { return }
    let place = try TemporaryDirectory()
    let directory = place.path("store")
    let absent = try await SessionBus(in: place, .absent)
    let session = Session(address: absent.address, directory: directory)
    await #expect(processExitsWith: .success) { [session = session as Session] in
      let secrets = try session.open()
      guard case .file(let path, let reason) = await secrets.place() else { throw Unexpected() }
      #expect(reason.hasPrefix("no keyring service can be reached: "))
      try await secrets.setSecret("one", of: "a")
      #expect(try await secrets.secret(of: "a") == "one")
      #expect(FileSystem.mode(path) == 0o600)
    }
    // A service of a session in which nobody has ever made a keyring.
    let fresh = try TemporaryDirectory()
    let empty = try await SessionBus(in: fresh, .locked)
    let first = Session(address: empty.address, directory: directory)
    await #expect(processExitsWith: .success) { [first = first as Session] in
      let reason = "the keyring service has no default keyring"
      guard case .file(_, reason) = try await first.open().place() else { throw Unexpected() }
    }
    let none = Session(address: "", directory: directory)
    await #expect(processExitsWith: .success) { [none = none as Session] in
      let reason = "there is no D-Bus session to reach a keyring by"
      guard case .file(_, reason) = try await none.open().place() else { throw Unexpected() }
    }
  }

  @Test func `a library that is missing is told with its remedy`() {
    guard case .failure(let missing) = SecretLibrary.open(["libnone-1.so.7"]) else {
      Issue.record("it was opened")
      return
    }
    #expect(missing.explanation.contains("libnone-1.so.7"))
    #expect(missing.explanation.hasSuffix("`apt install libsecret-1-0`"))
    guard case .failure(let wrong) = SecretLibrary.open(["libc.so.6"]) else {
      Issue.record("it was taken")
      return
    }
    #expect(wrong.explanation.contains("it has no function g_cancellable_new"))
  }

  /// Something else than what a test waits for.
  private struct Unexpected: Error {}
}
