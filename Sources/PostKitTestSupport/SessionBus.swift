// A D-Bus session of a test's own, with or without a keyring, so that none of the user's is asked.

import Libc
import PostKitSupport

/// A message bus that starts a keyring of its own when the first client asks for one.
package final class SessionBus: Sendable {
  /// What the bus has to offer.
  package enum Keyring: Sendable {
    /// No program that keeps secrets.
    case absent
    /// One whose password was given.
    case unlocked
    /// One that nobody has given its password, or that has no keyring where none was made before.
    case locked
  }

  /// What `DBUS_SESSION_BUS_ADDRESS` has to be.
  package let address: String
  private let process: ChildProcess
  private let pidFile: String

  /// Whether this machine has what a bus with a keyring needs.
  package static func isPossible() throws -> Bool {
    let names = ["dbus-daemon", "gnome-keyring-daemon"]
    return try names.allSatisfy {
      try Require.tool($0, reason: "secrets can't be kept in a keyring without it") != nil
    }
  }

  /// Starts a bus; keyrings are files in the directory, which a later bus may use again.
  package init(in directory: TemporaryDirectory, _ keyring: Keyring) async throws {
    pidFile = directory.path("keyring.pid")
    try FileSystem.makeDirectory(directory.path("services"))
    try FileSystem.makeDirectory(directory.path("run"))
    let service = directory.path("services/keyring.service")
    switch keyring {
    case .absent: try FileSystem.remove(service)
    case .unlocked, .locked:
      try directory.write("services/keyring.service", SessionBus.service(directory))
      try directory.write("password", "open sesame")
      try directory.write("start", SessionBus.start(directory, isUnlocked: keyring == .unlocked))
    }
    try directory.write("bus.conf", SessionBus.configuration(directory))
    guard let path = Subprocess.find("dbus-daemon") else {
      throw Subprocess.NotFound(program: "dbus-daemon")
    }
    process = try ChildProcess(
      path, ["--config-file=\(directory.path("bus.conf"))", "--nofork", "--print-address"])
    let reader = process.output
    // It tells the address when it can be reached.
    let line = await SerialQueueExecutor().perform { ChildProcess.read(reader) }
    address = String(decoding: line.prefix { $0 != 10 }, as: UTF8.self)
  }

  /// Ends the bus, and with it the keyring.
  deinit {
    process.send(signal: SIGTERM)
    resume()
    _ = process.waitForEnd(timeoutSeconds: 10)
    for stream in [process.input, process.output, process.error] { close(stream) }
  }

  /// Stops the running keyring so that it answers nothing.
  package func pause() { signal(SIGSTOP) }

  /// Lets the keyring go on.
  package func resume() { signal(SIGCONT) }

  private func signal(_ number: Int32) {
    guard let text = try? FileSystem.read(path: pidFile, limit: 64),
      let pid = Int32(String(decoding: text, as: UTF8.self).prefix { $0.isNumber })
    else { return }
    kill(pid, number)
  }

  private static func service(_ directory: TemporaryDirectory) -> String {
    """
    [D-BUS Service]
    Name=org.freedesktop.secrets
    Exec=/bin/sh \(directory.path("start"))

    """
  }

  private static func start(_ directory: TemporaryDirectory, isUnlocked: Bool) -> String {
    """
    echo $$ > '\(directory.path("keyring.pid"))'
    export HOME='\(directory.path)' XDG_DATA_HOME='\(directory.path("data"))'
    export XDG_RUNTIME_DIR='\(directory.path("run"))'
    exec gnome-keyring-daemon --foreground --components=secrets \
      \(isUnlocked ? "--unlock < '\(directory.path("password"))'" : "")

    """
  }

  private static func configuration(_ directory: TemporaryDirectory) -> String {
    """
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(directory.path("bus"))</listen>
      <auth>EXTERNAL</auth>
      <servicedir>\(directory.path("services"))</servicedir>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>

    """
  }
}
