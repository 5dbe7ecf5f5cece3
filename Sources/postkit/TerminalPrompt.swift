// Asks for a value on the terminal; in CI nobody answers (PK-54).

import Libc
import PostKitEvaluate
import PostKitRunner
import PostKitSupport

/// Prompts on standard error, answers from standard input.
enum TerminalPrompt {
  /// Whether somebody can be asked.
  static var canAsk: Bool { isatty(0) == 1 && isatty(2) == 1 }

  /// Asks for a value; `nil` where there is no terminal or the task is cancelled. An empty answer
  /// is what was offered; of choices the number is an answer, too.
  static func ask(_ prompt: Prompt) async -> String? {
    guard canAsk else { return nil }
    guard let (woken, waking) = Descriptors.pipe() else { return nil }
    defer {
      close(waking)
      close(woken)
    }
    let executor = SerialQueueExecutor()
    return await withTaskCancellationHandler {
      await executor.perform { () -> String? in
        read(prompt, unless: woken).map { answer($0, to: prompt) }
      }
    } onCancel: {
      StandardStream.writeAll("\n", to: waking)
    }
  }

  private static func answer(_ line: String, to prompt: Prompt) -> String {
    if line.isEmpty, let proposal = prompt.proposal { return proposal }
    if let number = Int(line), prompt.options.indices.contains(number - 1),
      !prompt.options.contains(line)
    {
      return prompt.options[number - 1]
    }
    return line
  }

  /// The question with what can be chosen and what is offered.
  private static func question(_ prompt: Prompt) -> String {
    let choices = prompt.options.enumerated().map { index, option in
      "  \(index + 1)  \(Display.line(option))\n"
    }
    let offer = prompt.isSecret ? nil : prompt.proposal.map { " [\(Display.line($0))]" }
    return choices.joined() + Display.safe(prompt.label) + (offer ?? "") + ": "
  }

  /// Asks whether a request is to be sent; `nil` where nobody can be asked.
  static func confirm(_ request: PlannedRequest, _ question: String) async -> Bool? {
    let reason = question.isEmpty ? "" : " (\(question))"
    let prompt = Prompt(name: "", label: "Send `\(request.title)`?\(reason) [y/N]", isSecret: false)
    guard let answer = await ask(prompt) else { return nil }
    return ["y", "yes"].contains(answer.lowercased())
  }

  /// Reads a line, unless the other descriptor has something to read first.
  private static func read(_ prompt: Prompt, unless woken: Int32) -> String? {
    StandardStream.writeAll(question(prompt), to: 2)
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
