// `postkit copy`: a request as a program in another language.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitRunner
import PostKitSupport
import PostKitSyntax
import PostKitTransfer

extension Command {
  /// Prints a request for another program.
  static let copy = Command(
    name: .copy,
    operands: "FILE[:LINE|#NAME] --as LANGUAGE [--reveal] [--env NAME]... [--name NAME | --line N] "
      + "[--input KEY=VALUE]... [--var KEY=VALUE]... [--dialect PRESET] [--json]",
    summary: "Prints a request as a program in another language; sends nothing.",
    options: options
  ) { invocation throws(Arguments.Problem) in
    try await CopyCommand(invocation).execute()
  }

  /// The options of `postkit copy`.
  fileprivate static let options = [
    Option(
      names: ["--as"], value: "LANGUAGE",
      help: CopyTarget.allCases.map(\.rawValue).joined(separator: ", ")),
    Option(
      names: ["--reveal"], value: nil,
      help: "write secrets into code, which else reads them from its environment"),
    Option(names: ["--name"], value: "NAME", help: "copy the request with this name"),
    Option(names: ["--line"], value: "N", help: "copy the request on this line, counted from 1"),
    Option(names: ["--json"], value: nil, help: "print a JSON object"),
  ] + RunCommand.sendingOptions.filter {
    ["--env", "--input", "--var", "--dialect"].contains($0.names[0])
  }
}

/// One call of `postkit copy`.
struct CopyCommand: Sendable {
  private let run: RunCommand
  private let target: CopyTarget

  private var arguments: Arguments { run.arguments }
  private var console: Console { run.console }

  /// Takes up a call.
  init(_ invocation: Invocation) throws(Arguments.Problem) {
    let arguments = invocation.arguments
    guard arguments.positional.count == 1 else {
      throw Arguments.Problem(message: "name one request file")
    }
    guard let word = arguments.value("--as") else {
      throw Arguments.Problem(message: "the language is missing: --as \(Self.languages)")
    }
    guard let target = CopyTarget(rawValue: word) else {
      throw Arguments.Problem(message: "unknown language `\(word)`; write one of \(Self.languages)")
    }
    self.target = target
    let (path, choice) = Self.parts(of: arguments.positional[0])
    var own = invocation
    if let choice {
      guard !arguments.has("--name"), !arguments.has("--line") else {
        throw Arguments.Problem(
          message: "`\(arguments.positional[0])` names a request already, so that `--name` and "
            + "`--line` have no place")
      }
      own.arguments.choose(choice.option, choice.value)
    }
    run = try RunCommand(own, path: path)
  }

  /// The words for the languages, as they are told.
  private static let languages = CopyTarget.allCases.map(\.rawValue).joined(separator: ", ")

  /// A file and the request in it: `api.http:12`, `api.http#login`. What is a file as it is written
  /// is meant so.
  private static func parts(
    of word: String
  ) -> (path: String, choice: (option: String, value: String)?) {
    if FileSystem.exists(FileSystem.absolute(word)) { return (word, nil) }
    if let mark = word.lastIndex(of: "#"), mark > word.startIndex {
      return (String(word[..<mark]), ("--name", String(word[word.index(after: mark)...])))
    }
    if let mark = word.lastIndex(of: ":"), mark > word.startIndex,
      Int(word[word.index(after: mark)...]) != nil
    {
      return (String(word[..<mark]), ("--line", String(word[word.index(after: mark)...])))
    }
    return (word, nil)
  }

  /// Prints the copy and answers the exit code.
  func execute() async throws(Arguments.Problem) -> Int32 {
    switch run.chosen(oneOnly: true) {
    case .failure(let failure): return run.fail(failure)
    case .success(let (file, blocks)):
      guard let index = blocks.first, blocks.count == 1 else {
        return run.fail(Failure(.usage, "Choose one request with --name or --line."))
      }
      return copy(file, file.document.blocks[index])
    }
  }

  private func copy(_ file: RequestFile, _ block: ParsedBlock) -> Int32 {
    let environment = arguments.environment ?? file.settings[.environment]
    let known = file.workspace.environments(active: nil, file.dialect)
    if let environment, let missing = known.missing(in: environment) {
      let kind = EvaluationProblem.Kind.environmentNotFound(name: missing, known: known.names)
      return run.fail(Failure(.usage, EvaluationProblem(kind, range: 0..<0).message))
    }
    let analysis = file.analysis(environment)
    let answers = run.inputs.merging(run.overrides) { input, _ in input }
    let asking = analysis.lowered(block, overrides: run.overrides)
    let lowered = analysis.lowered(block, overrides: run.overrides, answers: answers)
    // What an answer stands for may ask for more.
    if let problem = Self.problem(of: asking, answers) ?? Self.problem(of: lowered, answers) {
      return run.fail(Self.failure(problem))
    }
    guard let spec = lowered.spec else {
      let ending = Failure(.internal, "The request ended without a result.")
      return run.fail(lowered.failure.map(Self.failure) ?? ending)
    }
    var scope = analysis.scope
    for prompt in lowered.settings.prompts { scope.prompted[prompt.name] = answers[prompt.name] }
    let hidden = lowered.settings.prompts.filter(\.isSecret).compactMap { answers[$0.name] }
    let secrets = CopySecret.all(
      of: lowered, and: analysis.context.exchangeSecrets.union(hidden), at: block.range.lowerBound,
      analysis.context, scope)
    for need in lowered.needs.compactMap(\.token) { console.note(need.standInRemark) }
    let text =
      arguments.has("--reveal")
      ? target.text(for: spec) : target.text(for: spec, reading: secrets)
    guard arguments.has("--json") else {
      console.writeShown(Array((text + "\n").utf8))
      return 0
    }
    let line = file.document.line(at: block.absolute(block.leadingLine).lowerBound) + 1
    console.line(
      JSONValue.object([
        JSONMember("file", .string(file.path)), JSONMember("line", .int(line)),
        JSONMember("name", block.name.map { .string($0) } ?? .null),
        JSONMember("as", .string(target.rawValue)), JSONMember("text", .string(text)),
      ]).text)
    return 0
  }

  /// Why answers are none to what a request asks for; `nil` where they are.
  private static func problem(
    of asking: LoweredRequest, _ answers: [String: String]
  ) -> EvaluationProblem? {
    let needs = asking.needs.compactMap(\.prompt)
    var missing: [String] = []
    for prompt in asking.settings.prompts + needs where answers[prompt.name] == nil {
      if !prompt.name.isEmpty, !missing.contains(prompt.name) { missing.append(prompt.name) }
    }
    if !missing.isEmpty { return EvaluationProblem(.inputMissing(missing), range: 0..<0) }
    for prompt in needs where !prompt.options.isEmpty {
      guard let answer = answers[prompt.name], !prompt.options.contains(answer) else { continue }
      return EvaluationProblem(
        .notAChoice(name: prompt.name, answer: answer, options: prompt.options), range: 0..<0)
    }
    return nil
  }

  /// What is said of a problem where nothing is sent that could solve it.
  private static func failure(_ problem: EvaluationProblem) -> Failure {
    let sent =
      switch problem.kind {
      case .requestNotRun(let name): "`\(name)`"
      case .setByScript(let name, _, _): "the request whose script sets `\(name)`"
      default: ""
      }
    guard !sent.isEmpty else { return Failure(problem.code, problem.message(on: .commandLine)) }
    return Failure(
      problem.code,
      "`postkit copy` sends nothing: copy it in an editor after \(sent) was sent there, or give "
        + "the value with `--var`.")
  }
}
