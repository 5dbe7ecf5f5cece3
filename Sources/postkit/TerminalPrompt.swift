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
  /// Asks for a value; `nil` where standard input is no terminal or the task is cancelled.
  static func ask(_ prompt: Prompt) async -> String? {
    guard isatty(0) == 1, isatty(2) == 1 else { return nil }
    guard let (woken, waking) = Descriptors.pipe() else { return nil }
    defer {
      close(waking)
      close(woken)
    }
    let executor = SerialQueueExecutor()
    return await withTaskCancellationHandler {
      await executor.perform { () -> String? in read(prompt, unless: woken) }
    } onCancel: {
      StandardStream.writeAll("\n", to: waking)
    }
  }

  /// Reads a line, unless the other descriptor has something to read first.
  private static func read(_ prompt: Prompt, unless woken: Int32) -> String? {
    StandardStream.writeAll("\(Display.safe(prompt.label)): ", to: 2)
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
    var wait = [
      pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
      pollfd(fd: woken, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&wait, nfds_t(wait.count), -1) < 0 { if errno != EINTR { return nil } }
    return wait[1].revents == 0 ? readLine() : nil
  }
}
