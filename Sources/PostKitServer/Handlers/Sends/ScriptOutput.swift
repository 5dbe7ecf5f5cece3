// What scripts print, told to the client while their request is being sent.

import JSONRPC
import LanguageServerProtocol
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport

/// Tells what the scripts of a run print.
struct ScriptOutput: Sendable {
  let snapshot: Snapshot
  let place: SendPlace

  /// Tells lines that scripts of an exchange printed: a client that knows us as such, any other in
  /// its log. `path` is the file of the request where it isn't the document.
  func tell(_ lines: [OutputLine], of id: String, path: String?) {
    guard snapshot.client.profile.postkit?.output == true else { return }
    for line in lines {
      var shown = LSP.PostkitOutputLine(line, place, path: path)
      // A line of another file, whose text has not moved.
      if !line.path.isEmpty, line.line > 0 { shown.line = line.line - 1 }
      snapshot.client.notify(
        LSP.PostkitDidPrintNotification.self,
        LSP.PostkitDidPrintParams(
          id: id, level: shown.level, text: shown.text,
          uri: uri(line.path.isEmpty ? path : line.path), line: shown.line))
    }
  }

  /// Writes lines into the log of a client that shows them nowhere else.
  func log(_ lines: [OutputLine], path: String?) {
    guard snapshot.client.profile.postkit?.output != true else { return }
    let now = Clock.monotonicMicroseconds
    let isDue = snapshot.session.update { values in
      lines.reduce(false) { isDue, line in
        let file = line.path.isEmpty ? path ?? place.context.file : line.path
        let name = FilePath.name(file)
        let start = place.line(line, path: path).map { "\(name):\($0 + 1): " } ?? "\(name): "
        let type = LSP.MessageType(printed: line.level)
        return values.printed.add(type, start + line.shown, at: now) || isDue
      }
    }
    if isDue { flushLater() }
  }

  private func flushLater() {
    Alarm.shared.schedule(afterMicroseconds: Int64(Limits.printedMilliseconds) * 1_000) {
      let now = Clock.monotonicMicroseconds
      let (messages, again) = snapshot.session.update { $0.printed.take(at: now) }
      for message in messages { snapshot.client.logMessage(message.type, message.text) }
      if again { flushLater() }
    }
  }

  private func uri(_ path: String?) -> String {
    path.map { DocumentURI(path: $0).spelling } ?? place.context.document.uri.spelling
  }
}

extension LSP.PostkitOutputLine {
  /// The protocol's form of a line of a script of a request of the document, or of another file.
  init(_ line: OutputLine, _ place: SendPlace, path: String?) {
    self.init(
      level: LSP.PostkitOutputLevel(rawValue: line.level) ?? .log, text: line.text,
      line: line.path.isEmpty ? place.line(line, path: path) : nil)
  }
}

extension LSP.PostkitCheck {
  /// The protocol's form of a check's result of a request of the document, or of another file.
  init(_ result: TestResult, _ place: SendPlace, path: String?) {
    self.init(
      name: result.name, passed: result.passed,
      message: result.message.isEmpty ? nil : result.message,
      line: result.path.isEmpty ? place.line(result.line, path: path) : nil,
      ms: result.milliseconds.map(Double.init))
  }
}
