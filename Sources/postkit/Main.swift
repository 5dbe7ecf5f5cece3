// The entry point: finds the subcommand and leaves the main actor at once.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import PostKitSupport

/// The program.
@main
struct PostKit {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let words = Array(CommandLine.arguments.dropFirst())
    let code = await Task.detached { await Command.run(words) }.value
    // Nothing is buffered, and the destructors of libraries must not run under threads that still use
    // them, such as the one that is just opening libcurl.
    _exit(code)
  }
}
