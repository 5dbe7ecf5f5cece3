// `postkit check`: the diagnostics of an editor, for CI.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax

extension Command {
  /// Reports mistakes in request files.
  static let check = Command(
    name: .check, operands: "FILE... [--env NAME] [--target TOOL] [--openapi FILE] [--json]",
    summary: "Reports mistakes in request files; sends nothing.",
    options: [
      Option(
        names: ["--env", "-e"], value: "NAME", help: "check with this environment",
        isRepeatable: true),
      Option(
        names: ["--target"], value: "TOOL",
        help: "also report what would not work or mean something else in "
          + TargetTool.allCases.map(\.rawValue).joined(separator: ", ")),
      Option(
        names: ["--openapi"], value: "FILE",
        help: "also report where requests differ from this OpenAPI description; if one does, "
          + "the exit code is 1"),
      Option(names: ["--json"], value: nil, help: "print a JSON object for each file"),
    ]
  ) { invocation throws(Arguments.Problem) in
    guard !invocation.arguments.positional.isEmpty else {
      throw Arguments.Problem(message: "name at least one request file")
    }
    var command = CheckCommand(invocation: invocation, target: try target(invocation.arguments))
    if let path = invocation.arguments.value("--openapi") {
      do throws(DescriptionFailure) {
        command.description = try LoadedDescription(commandLine: path).index
      } catch {
        invocation.console.complain(Display.safe(error.message))
        return 2
      }
    }
    return await command.check(invocation.arguments.positional)
  }

  /// The tool that `--target` names.
  private static func target(_ arguments: Arguments) throws(Arguments.Problem) -> TargetTool? {
    guard let word = arguments.value("--target") else { return nil }
    if let tool = TargetTool(rawValue: word.lowercased()) { return tool }
    let known = TargetTool.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    throw Arguments.Problem(message: "unknown tool `\(word)` for `--target`; write one of \(known)")
  }
}

/// One call of `postkit check`.
struct CheckCommand: Sendable {
  let invocation: Invocation
  /// The tool whose reading is asked for.
  let target: TargetTool?
  /// The description that requests are compared with.
  var description: DescriptionIndex?

  /// Checks files, and the scripts that they name: 0 well or only remarks, 1 a request differs from
  /// the description, 3 an error, 2 a file can't be read, 5 the script engine has failed.
  func check(_ paths: [String]) async -> Int32 {
    var scripts = ScriptsCheck()
    var code: Int32 = 0
    for path in paths { code = max(code, await check(path, &scripts)) }
    scripts.end()
    return code
  }

  private func check(_ path: String, _ scripts: inout ScriptsCheck) async -> Int32 {
    let console = invocation.console
    switch RequestFile.read(path, invocation) {
    case .failure(let failure):
      console.complain(failure.message)
      return 2
    case .success(let file):
      var analysis = file.analysis(invocation.arguments.environment)
      let (description, tagged) = (description, file.taggedDescriptions)
      if description != nil || tagged != nil {
        analysis.descriptions = RequestDescriptions(revision: 0, severity: .hint) { _, _ in
          description
        }
      }
      if let tagged {
        analysis.descriptions?.tagged = { TaggedDescription(tagged, $0) }
      }
      let found = await scripts.check(file, analysis)
      var diagnostics = analysis.diagnostics(limit: Limits.diagnosticsPerFile)
      if let target { diagnostics = join(diagnostics, analysis.portability(to: target)) }
      diagnostics = inOrder(diagnostics + found.own + file.graphQLFindings(analysis))
      tell(diagnostics, path, file.document)
      let paths = ShownPaths(besides: path)
      for (file, mistakes) in found.files { tell(mistakes, paths.shown(file.path), file.text) }
      if let failure = found.failure { console.complain(failure) }
      let isBad = (diagnostics + found.files.flatMap(\.1)).contains { $0.severity == .error }
      let differs = diagnostics.contains {
        $0.code.isAboutDescription && $0.code != .openAPIFile
      }
      return found.failure != nil ? 5 : isBad ? 3 : differs ? 1 : 0
    }
  }

  private func tell(_ diagnostics: [Diagnostic], _ path: String, _ document: ParsedDocument) {
    if invocation.arguments.has("--json") {
      invocation.console.line(json(path, document, diagnostics))
    } else {
      for diagnostic in diagnostics { show(diagnostic, path, document) }
    }
  }

  private func inOrder(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    // What stands at one place keeps its order.
    diagnostics.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }.map(\.element)
  }

  /// Mistakes and what another tool can't read, in the order of the file; the hints that speak of
  /// other tools in general are answered by the latter.
  private func join(_ diagnostics: [Diagnostic], _ portability: [Diagnostic]) -> [Diagnostic] {
    (diagnostics.filter { $0.code != .differsElsewhere } + portability)
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
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
      "\(Display.line(path)):\(line + 1):\(column + 1): \(word): \(message) "
        + "[\(diagnostic.code.rawValue)]")
  }

  /// Line and column in characters of UTF-8, from 0.
  private func place(_ offset: Int, _ document: ParsedDocument) -> (line: Int, column: Int) {
    let line = document.line(at: offset)
    return (line, offset - (document.offset(ofLine: line) ?? 0))
  }

  private func json(
    _ path: String, _ document: ParsedDocument, _ diagnostics: [Diagnostic]
  ) -> JSONValue {
    let isScript = ScriptFile.isNamedSo(path)
    let requests = (isScript ? [] : document.requests).map { block -> JSONValue in
      let start = block.requestLine.lowerBound
      return [
        "line": .int(document.line(at: start) + 1), "name": .optional(block.name),
        "method": .string(block.writtenMethod),
        "url": .string(SecretMask(secrets: []).maskURL(block.writtenTarget).text),
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
      "severity": .int(diagnostic.severity.rawValue),
      "code": .string(diagnostic.code.rawValue),
      "source": "postkit", "message": .string(diagnostic.message),
    ]
  }
}
