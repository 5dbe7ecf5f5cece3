// The start of the script engine's process.

import CJavaScriptCore
import CSystem
import Libc
import PostKitJSON
import PostKitScriptFrames
import PostKitSupport

/// The script engine as a program. It is started by PostKit itself and speaks with it alone.
package enum ScriptHostMain {
  /// The only argument of a program that shall be the script engine.
  package static let argument = "__script-host"
  /// The variable of its environment that names another library.
  package static let libraryVariable = "POSTKIT_JAVASCRIPT_LIBRARY"

  /// Whether the program was started as the script engine.
  package static var isWanted: Bool {
    postkit_argument_count() == 2
      && postkit_argument(1).map { String(cString: $0) == argument } == true
  }

  /// Is the script engine until the program that started it closes the pipe. A `probe` answers
  /// messages that only tests send, inside the confinement.
  package static func run(probe: (@Sendable (String) -> String)? = nil) -> Never {
    guard isatty(0) == 0 else {
      StandardStream.writeAll("postkit: PostKit itself starts its script engine\n", to: 2)
      _exit(64)
    }
    // An end of the program that came before this is seen at the end of the pipe.
    _ = postkit_end_with_parent(getppid())
    postkit_close_from(3)
    _ = chdir("/")
    signal(SIGPIPE, SIG_IGN)
    Crashes.keepSilent()
    _ = postkit_end_at_hang_up(0)
    // With the system's allocator the engine starts a millisecond earlier, and does not give pages
    // back to the system for each piece that it frees: a twentieth of the time of many scripts.
    setenv("Malloc", "1", 1)
    let named = ProcessEnvironment.value(libraryVariable)
    guard let library = Library.open(named.map { [$0] } ?? Library.names),
      let group = library.functions.pointee.JSContextGroupCreate()
    else { refuse() }
    let host = ScriptHostProcess(library, group, probe: probe)
    ScriptHostProcess.current = host
    warmUp(host)
    let isConfined = postkit_confine() == 0 && postkit_confinement_holds()
    host.confined = !isConfined ? "none" : library.canTerminate ? "full" : "partial"
    host.serve()
  }

  /// Says that there is no library, and waits to be told to end.
  private static func refuse() -> Never {
    let channel = Channel()
    while true {
      if let message = channel.next(), message.kind == "hello" {
        channel.send(["kind": "missing"])
      }
    }
  }

  /// Has the engine read what it reads of the system, such as the time zone, and start what threads
  /// it needs, while it still can.
  private static func warmUp(_ host: ScriptHostProcess) {
    host.watchDog.arm()
    guard let context = host.context(-2) else { return }
    let text = "new Date().toString(); Promise.resolve(1).then(() => 2); 'x'.normalize('NFC')"
    _ = context.realm.evaluate(Array(text.utf8), url: [], line: 1)
    _ = host.watchDog.usedBytes
    host.contexts.removeValue(forKey: -2)?.close()
  }
}
