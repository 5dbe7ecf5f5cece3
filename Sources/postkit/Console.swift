// Standard output and standard error, and what is different on a terminal.

import Libc
import PostKitJSON
import PostKitLanguage
import PostKitSupport
import PostKitText
import Synchronization

/// The first error of standard output. Nothing is written after it.
private final class OutputFailure: Sendable {
  let code = Mutex<Int32?>(nil)
}

/// Writes to the streams of the process.
struct Console: Sendable {
  /// Whether standard output is a terminal.
  let outputIsTerminal = isatty(1) == 1
  /// Whether standard error is a terminal.
  let errorIsTerminal = isatty(2) == 1

  private let outputFailure = OutputFailure()

  /// Writes bytes to standard output as they are.
  func write(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes(write) }

  /// Writes bytes to standard output as they are; answers whether all were written.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    outputFailure.code.withLock { code in
      if code == nil, !StandardStream.writeAll(bytes, to: 1) { code = errno }
      return code == nil
    }
  }

  /// The exit code of a command that is done: one whose output did not fit anywhere has failed. A
  /// reader that has gone away, such as `head`, has what it wanted.
  func exitCode(_ code: Int32) -> Int32 {
    guard let failure = outputFailure.code.withLock({ $0 }), failure != EPIPE else { return code }
    complain("standard output can't be written: \(String(cString: strerror(failure)))")
    return code == 130 ? code : 5
  }

  /// Writes a line to standard output.
  func line(_ text: String) { write(Array((text + "\n").utf8)) }

  /// Writes a value to standard output as a line of JSON.
  func line(_ value: JSONValue) { write(value.bytes + [0x0A]) }

  /// Writes a line to standard error; names and values in it are shown, not obeyed.
  func note(_ text: String) { noteStyled(Display.safe(text)) }

  /// Writes a line with colours to standard error, in which all that comes from elsewhere is safe.
  func noteStyled(_ text: String) { StandardStream.writeAll(text + "\n", to: 2) }

  /// Writes bytes to standard output as they are, on a terminal so that it shows them and does not
  /// obey.
  func writeShown(_ bytes: [UInt8]) {
    guard outputIsTerminal else { return write(bytes) }
    write(Array(Display.safe(String(decoding: bytes, as: UTF8.self)).utf8))
  }

  /// Says what went wrong, in one line that begins with the program's name.
  func complain(_ text: String) { note("postkit: \(text)") }

  /// A text in a colour on a terminal, where the user did not ask for none (`NO_COLOR`).
  func styled(_ text: String, _ code: String, onError: Bool = true) -> String {
    guard onError ? errorIsTerminal : outputIsTerminal else { return text }
    let refuses = ProcessEnvironment.value("NO_COLOR").map { !$0.isEmpty } ?? false
    if refuses { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

/// One line of standard error that says how far something is; only on a terminal.
struct ProgressLine: Sendable {
  private let console: Console

  init(_ console: Console) { self.console = console }

  /// Shows a text in place of the one before.
  func show(_ text: String) {
    if console.errorIsTerminal { StandardStream.writeAll("\r\(text)\u{1B}[K", to: 2) }
  }

  /// Takes the text away.
  func clear() { if console.errorIsTerminal { StandardStream.writeAll("\r\u{1B}[K", to: 2) } }
}

/// Texts for people.
enum Display {
  /// A number of bytes, such as `4.1 kB`.
  static func size(_ bytes: Int) -> String { SizeText.text(bytes) }

  /// A text of lines that a terminal shows without obeying it.
  static func safe(_ text: String) -> String { text.withoutControls }

  /// A name or another text that stands in one line.
  static func line(_ text: String) -> String { text.oneLine }

  /// A message as a terminal shows it, without the middle of what it quotes at length.
  static func sentence(_ message: String) -> String { safe(message.excerpt) }

  /// A text cut or filled up with blanks to a width in characters.
  static func fitted(_ text: String, _ width: Int) -> String {
    if text.count > width { return String(text.prefix(max(0, width - 1))) + "…" }
    return text + String(repeating: " ", count: width - text.count)
  }
}
