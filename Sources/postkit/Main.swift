// The entry point: finds the subcommand and leaves the first thread at once.

import Libc
import PostKitScriptHost
import PostKitSupport
import PostKitTransport

/// The program.
@main
struct PostKit {
  /// Starts the subcommand on other threads and never returns; its end ends the process.
  static func main() {
    // Before anything else is touched: the script engine shall have nothing of the program's.
    if ScriptHostMain.isWanted { ScriptHostMain.run() }
    Crashes.keepSilent()
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the limit of `ulimit -f` becomes an error, as on a full disk.
    signal(SIGXFSZ, SIG_IGN)
    openStandardStreams()
    let words = Array(ProgramArguments.all.dropFirst())
    // Before any thread is started, so that every thread leaves the signals to the one that waits.
    let name = words.first.flatMap(Command.Name.init(rawValue:))
    let isRun = name == .run
    let sendsStored = name == .collections && words.contains(CollectionsForm.send.rawValue)
    let endsInOrder = isRun || sendsStored || [.auth, .import, .mock].contains(name)
    if endsInOrder { Interrupts.block() }
    if name == .import || isRun && !Command.mayBeBatch(words) { Transport.prepareHeap() }
    // While libcurl is being loaded, no thread can be started: those of the command and of the
    // sending are there before.
    let loadsCurl = isRun || name == .demo
    if loadsCurl { SystemThread.prepare(2) }
    // On a thread of its own: the first task given to Dispatch would start three.
    let executor = SerialQueueExecutor()
    Task.detached(executorPreference: executor) {
      let code = await Command.run(words, on: executor)
      // Not `exit`: it would take libraries down while threads of ours are still inside them.
      // Nothing of ours waits in a buffer of the C library.
      _exit(code)
    }
    if loadsCurl { Transport.prewarm() }
    // This thread only waits. An asynchronous `main` would hand it to Dispatch, which lets every
    // signal through on it.
    if endsInOrder { Interrupts.wait() }
    while true { pause() }
  }

  /// Gives a standard stream that the caller has closed to `/dev/null`. Otherwise the next file
  /// opened, perhaps the history, would get its number and what is printed would be written there.
  private static func openStandardStreams() {
    for stream in Int32(0)...2 where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is the one just found closed.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
