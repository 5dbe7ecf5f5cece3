// Asks for a value on the terminal; in CI nobody answers (PK-54).

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import PostKitEvaluate
import PostKitSupport

/// Prompts on standard error, answers from standard input.
enum TerminalPrompt {
  /// Asks for a value; `nil` where standard input is no terminal.
  static func ask(_ prompt: Prompt) async -> String? {
    guard isatty(0) == 1, isatty(2) == 1 else { return nil }
    let executor = SerialQueueExecutor()
    return await executor.perform { () -> String? in read(prompt) }
  }

  private static func read(_ prompt: Prompt) -> String? {
    StandardStream.writeAll("\(prompt.label): ", to: 2)
    var saved = termios()
    let hides = prompt.isSecret && tcgetattr(0, &saved) == 0
    if hides {
      var silent = saved
      silent.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(0, TCSANOW, &silent)
    }
    defer {
      if hides {
        tcsetattr(0, TCSANOW, &saved)
        StandardStream.writeAll("\n", to: 2)
      }
    }
    return readLine()
  }
}
