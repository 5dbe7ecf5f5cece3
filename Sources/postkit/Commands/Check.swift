// `postkit check`: the diagnostics of an editor, for CI.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSupport
import PostKitSyntax

extension Command {
  /// Reports mistakes in request files.
  static let check = Command(
    name: "check", operands: "FILE... [--env NAME] [--json]",
    summary: "Reports mistakes in request files; sends nothing.",
    options: [
      Option(
        names: ["--env", "-e"], value: "NAME", help: "check with this environment",
        isRepeatable: true),
      Option(names: ["--json"], value: nil, help: "print a JSON object for each file"),
    ]
  ) { invocation throws(Arguments.Problem) in
    guard !invocation.arguments.positional.isEmpty else {
      throw Arguments.Problem(message: "name at least one request file")
    }
    let command = CheckCommand(invocation: invocation)
    return invocation.arguments.positional.map(command.check).max() ?? 0
  }
}

/// One call of `postkit check`.
struct CheckCommand: Sendable {
  let invocation: Invocation

  /// Checks one file: 0 well or only remarks, 3 an error, 2 the file can't be read.
  func check(_ path: String) -> Int32 {
    let console = invocation.console
    switch RequestFile.read(path) {
    case .failure(let failure):
      console.complain(failure.message)
      return 2
    case .success(let file):
      let diagnostics = analysis(file).diagnostics(limit: Limits.diagnosticsPerFile)
      if invocation.arguments.has("--json") {
        console.line(json(file, path, diagnostics).text)
      } else {
        for diagnostic in diagnostics { show(diagnostic, path, file.document) }
      }
      return diagnostics.contains { $0.severity == .error } ? 3 : 0
    }
  }

  private func analysis(_ file: RequestFile) -> Analysis {
    let settings = file.settings(invocation)
    let environment = invocation.arguments.environment ?? settings.environment
    let dialect = file.dialect(nil, settings)
    return Analysis(
      document: file.document,
      scope: file.workspace.scope(of: file.document, environment: environment, dialect: dialect),
      context: file.workspace.analysisContext(environment: environment) { _ in nil },
      defaults: settings.requestDefaults)
  }

  private func show(_ diagnostic: Diagnostic, _ path: String, _ document: ParsedDocument) {
    let (line, column) = place(diagnostic.range.lowerBound, document)
    let word =
      switch diagnostic.severity {
      case .error: "error"
      case .warning: "warning"
      case .information: "info"
      case .hint: "hint"
      }
    let message = Display.safe(diagnostic.message)
    invocation.console.line(
      "\(path):\(line + 1):\(column + 1): \(word): \(message) [\(diagnostic.code)]")
  }

  /// Line and column in characters of UTF-8, from 0.
  private func place(_ offset: Int, _ document: ParsedDocument) -> (line: Int, column: Int) {
    let line = document.line(at: offset)
    return (line, offset - (document.offset(ofLine: line) ?? 0))
  }

  private func json(
    _ file: RequestFile, _ path: String, _ diagnostics: [Diagnostic]
  ) -> JSONValue {
    let document = file.document
    let requests = document.requests.map { block -> JSONValue in
      let request = block.syntax.request
      let start = block.absolute(request?.line ?? 0..<0).lowerBound
      return [
        "line": .int(document.line(at: start) + 1), "name": .optional(block.name),
        "method": .string(block.writtenMethod), "url": .string(block.writtenTarget),
      ]
    }
    return [
      "file": .string(path), "requests": .array(requests),
      "diagnostics": .array(diagnostics.map { self.json($0, document) }),
    ]
  }

  private func json(_ diagnostic: Diagnostic, _ document: ParsedDocument) -> JSONValue {
    func position(_ offset: Int) -> JSONValue {
      let (line, column) = place(offset, document)
      return ["line": .int(line), "character": .int(column)]
    }
    return [
      "range": [
        "start": position(diagnostic.range.lowerBound),
        "end": position(diagnostic.range.upperBound),
      ],
      "severity": .int(diagnostic.severity.rawValue), "code": .string(diagnostic.code),
      "source": "postkit", "message": .string(diagnostic.message),
    ]
  }
}
