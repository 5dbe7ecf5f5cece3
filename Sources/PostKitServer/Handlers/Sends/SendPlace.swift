// Where the requests of a send stand for its client, which may have sent a text of its own.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSyntax
import PostKitText

/// The document of a send, and where a text that was sent by itself is told to stand.
struct SendPlace: Sendable {
  let context: DocumentContext
  private let snapshot: Snapshot
  private let movedLines: MovedLines?

  /// The place of an order.
  init(_ context: DocumentContext, _ snapshot: Snapshot, _ movedLines: MovedLines?) {
    (self.context, self.snapshot, self.movedLines) = (context, snapshot, movedLines)
  }

  /// A range of the document as the client has it.
  func range(_ range: Range<Int>) -> LSP.Range {
    let found = context.converter(snapshot).lsp(range)
    guard let movedLines else { return found }
    func moved(_ position: LSP.Position) -> LSP.Position {
      LSP.Position(line: movedLines.shown(position.line), character: position.character)
    }
    return LSP.Range(start: moved(found.start), end: moved(found.end))
  }

  /// The line of the client that stands for one of the run, which counts from 1; that from 0.
  /// `path` names the file of another one. `nil` where none is known.
  func line(_ line: Int, path: String?) -> Int? {
    guard line > 0 else { return nil }
    guard path == nil, let movedLines else { return line - 1 }
    return movedLines.shown(line - 1)
  }

  /// The line that printed something.
  func line(_ output: OutputLine, path: String?) -> Int? {
    line(output.line, path: output.path.isEmpty ? path : output.path)
  }

  /// What the client is told of a problem.
  func remark(_ problem: EvaluationProblem) -> LSP.PostkitRemark {
    LSP.PostkitRemark(
      code: problem.code.rawValue, message: problem.message.excerpt, file: problem.path,
      range: problem.path == nil ? range(problem.range) : nil)
  }

  /// The problem as a line of a log: file, line and column as `postkit run` gives them.
  func line(_ problem: EvaluationProblem) -> String {
    let place: String
    if let path = problem.path {
      place = problem.position.map { "\(path):\($0.line):\($0.column)" } ?? path
    } else {
      let start = range(problem.range).start
      place = "\(context.file):\(start.line + 1):\(start.character + 1)"
    }
    return "\(place): \(problem.message.excerpt) [\(problem.code.rawValue)]"
  }
}

/// Builds the error for a request that could not be built; nothing was sent then.
struct NotBuilt: Sendable {
  let context: DocumentContext
  let snapshot: Snapshot
  let block: ParsedBlock
  /// Where a text that was to be sent by itself is told to stand.
  var movedLines: MovedLines?

  /// The error with the word and the place of the mistake (CONTRACTS.md, section 3).
  func error(_ failure: Failure, _ problems: [EvaluationProblem]) -> RPCError {
    let problem = problems.first { $0.severity == .error && $0.path == nil }
    let line = block.absolute(block.leadingLine)
    let range = SendPlace(context, snapshot, movedLines).range(problem?.range ?? line)
    var data = [
      JSONMember("code", .string(failure.code.rawValue)), JSONMember("range", JSONValue(range)),
    ]
    let words = ResultText.unsent(.failed, failure)
    data.append(JSONMember("summary", .string(words.text)))
    data.append(JSONMember("mood", .string(words.mood.rawValue)))
    if failure.wasDeclined { data.append(JSONMember("declined", .bool(true))) }
    return RPCError(.requestFailed, failure.message.excerpt, data: .object(data))
  }
}
