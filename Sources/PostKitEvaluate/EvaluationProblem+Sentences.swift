// The sentences of problems: what happened, and what to do about it.

package import PostKitHTTP
import PostKitText

extension EvaluationProblem {
  /// What is wrong and what to do about it in an editor.
  package var message: String { message(on: .editor) }

  /// What is wrong, and what to do about it in the words of a surface.
  package func message(on surface: Surface) -> String {
    switch kind {
    case .unresolvedVariable(let name, let suggestion, let environments, let selected):
      environments.isEmpty
        ? unresolvedMessage(name, suggestion)
        : surface.choosing(environments, for: [name], selected: selected)
    case .setByScript(let name, let script, let isCertain):
      scriptMessage(name, script, isCertain, surface)
    case .inputMissing(let names, let wasDeclined):
      inputMessage(names) + surface.giving(names, wasDeclined: wasDeclined)
    case .variableCycle(let names):
      "These definitions use each other: `\(names.joined(separator: "` uses `"))`. "
        + "Give one of them a value of its own."
    case .requestNotRun(let name):
      Surface.editor.needing(name, isSentFirst: false)
    case .noMatch(let reference, let explanation):
      "`{{\(reference)}}` finds nothing: \(ended(explanation))"
    case .nothingReceived(let variable, let tag, let explanation):
      "`@\(tag)` gives `\(variable)` no value: \(ended(explanation)) "
        + "Compare the tag with the response and correct it."
    case .redactedResponse(let reference):
      "`{{\(reference)}}` reads a secret that the history has masked. Send that request again."
    case .selectorSyntax(let reference, let mistake):
      "Invalid \(mistake.language == .jsonPath ? "JSONPath" : "XPath") in `{{\(reference)}}`: "
        + "\(mistake.explanation)."
    case .selectorUnavailable(let reference, let explanation):
      "`{{\(reference)}}` can't be read: \(explanation)."
    case .dynamicArguments(let name, let expected):
      "`$\(name)` has wrong arguments. Write `\(expected)`."
    case .scriptFailed(let sentence): sentence
    case .expressionPending(let text):
      "`{{\(text)}}` is JavaScript; it is evaluated when the request is sent."
    case .luaScript: "Lua scripts are not run; PostKit runs JavaScript."
    case .placeholder:
      "`{{$placeholder}}` is not filled in. Replace it with a value."
    case .environmentFileBroken(let path, let line, let explanation):
      "\(path):\(line)\(EvaluationProblem.broken(explanation))"
    case .environmentNotFound(let name, let known):
      environmentMessage(name, known)
    case .environmentRemark(let path, let line, let sentence):
      "\(path):\(line): \(sentence)"
    case .providerValue(let name, let provider):
      EnvironmentSet.sentence(name, provider, on: surface)
    case .fileNotFound(let path):
      "File `\(path)` not found. PostKit looked beside the request file and in the root folder."
    case .fileUnreadable(let path, let explanation), .fileOutside(let path, let explanation):
      "File `\(path)` can't be read: \(ended(explanation))"
    case .certificateNotFound(let path, let place):
      "Client certificate `\(path)`, named by \(place), not found. Correct the path, or send "
        + "without it: `# @no-client-cert`."
    case .importUnresolved(let path, let explanation),
      .runFileUnresolved(let path, let explanation):
      explanation.map { "File `\(path)` can't be used: \(ended($0))" }
        ?? "File `\(path)` not found. PostKit looked beside this file and in the root folder."
    case .importCycle(let files):
      "These files import each other: \(files.joined(separator: " imports ")). Remove one import."
    case .requestCycle(let titles):
      "These requests need each other: \(titles.joined(separator: " needs ")). "
        + "Remove one of the references."
    case .runUnresolved(let name):
      "Request `\(name)` not found in this file or its imports. "
        + "Name one with `# @name \(name)`, or import its file."
    case .runNotInFile(let name, let path):
      name.isEmpty
        ? "The name after `#` is missing. Write the name of a request of `\(path)`, or remove `#`."
        : "Request `\(name)` not found in `\(path)` or its imports. Check the name, or add "
          + "`# @name \(name)` there."
    case .missingHost:
      "The target begins with `/`, but the host is not defined. Write the whole URL or add a "
        + "`Host` header."
    case .badURL(let url, let explanation):
      "Invalid URL `\(url.prefix(200))\(url.utf8.count > 200 ? "…" : "")`: \(explanation)."
    case .headerInjection(let name):
      "The value of header `\(name)` contains a line break or a NUL byte. Remove it."
    case .malformedHeader:
      "This line is neither a header (`Name: value`) nor the start of a body. "
        + "Add a blank line before the body."
    case .textAfterHandler:
      "This text follows the response handler. Move it above the handler, or start a new request "
        + "with `###`."
    case .assertionSyntax:
      "This is not a check. Write, for example, `?? status == 200`."
    case .assertionSubject(let written, let suggestion):
      "`\(written)` is not a check. Did you mean `\(suggestion)`?"
    case .requestNotFound(let tag, let name):
      "`@\(tag)`: request `\(name)` not found in this file or its imports. "
        + "Name one with `# @name \(name)`, or import its file."
    case .credentialShape(let scheme) where scheme.lowercased() == "aws":
      "The AWS credentials are incomplete. Write `\(scheme) accessKey secretKey`, then `token:`, "
        + "`region:` and `service:` if needed."
    case .signatureService:
      "The host name does not tell the AWS service. Add `service:NAME`, and `region:NAME` unless "
        + "it is us-east-1."
    case .credentialShape(let scheme):
      "The password is missing. Write `\(scheme) user password` or `\(scheme) user:password`."
    case .unknownSignIn(let id, let suggestion, let known, let environments, let selected):
      signInMessage(id, suggestion, known, environments, selected, surface)
    case .signIn(_, let sentence): sentence
    case .badDuration(let text):
      "`\(text)` is not a duration. Write a number with a unit, such as `30 s` or `500 ms`."
    case .notAChoice(let name, let answer, let options):
      "`\(answer)` is not an option for `\(name)`. Options: \(options.joined(separator: ", "))."
    case .processVariableMissing(let name):
      "Environment variable `\(name)` is not set, so the value is empty. Set it before you start "
        + "PostKit."
    case .processVariableWithheld(let name, let path, let explanation):
      "Nothing is sent: \(path) would send the environment variable `\(name)`, and \(explanation)."
    case .assertionSpelling(let written, let read):
      "PostKit reads `\(written)` as `\(read)`, but httpYac would check nothing. Write `\(read)`."
    case .unsupported(let sentence), .syntax(let sentence), .multipartBoundary(let sentence):
      sentence
    case .graphQLVariables(let explanation):
      "The variables of a GraphQL query must be a JSON object: \(explanation)."
    case .unknownEncoding(let name):
      "PostKit does not know the encoding `\(name)`. It reads \(CharacterEncoding.names)."
    case .curlOption(let text, let problem):
      curlMessage(text, problem)
    }
  }

  /// What is wrong with a line of an environment file, for those who say the line themselves; `nil`
  /// for other problems, whose messages name no place.
  package var remark: (path: String, line: Int, sentence: String)? {
    if case .environmentRemark(let path, let line, let sentence) = kind {
      return (path, line, sentence)
    }
    guard case .environmentFileBroken(let path, let line, let explanation) = kind else {
      return nil
    }
    return (path, line, "The line" + EvaluationProblem.broken(explanation))
  }

  private func scriptMessage(
    _ name: String, _ script: String, _ isCertain: Bool, _ surface: Surface
  ) -> String {
    let what =
      isCertain
      ? "sets `\(name)`, but has not done so yet" : "puts names together and may set `\(name)`"
    // A global has a definition of its own, and no value for one run.
    return "\(script) \(what). Send its request first, or add `@"
      + (name.hasPrefix("$")
        ? "\(name.dropFirst()) = …`." : "\(name) = …`\(surface.givingForOneRun(name)).")
  }

  private static func broken(_ explanation: String) -> String {
    " is not valid JSON, so the file is ignored: \(explanation)."
  }

  /// An explanation with one full stop; those of the system have theirs.
  private func ended(_ explanation: String) -> String {
    explanation.hasSuffix(".") ? explanation : explanation + "."
  }

  private func curlMessage(_ text: String, _ problem: CurlOptionProblem) -> String {
    switch problem {
    case .unknown: "Unknown curl option `\(text)` is ignored. Check its spelling."
    case .ignored: "PostKit has no counterpart of `\(text)` and ignores it."
    case .valueMissing: "`\(text)` needs a value. Write one after it."
    case .secondURL:
      "PostKit sends only the first URL of a command. Move `\(text)` to a request of its own."
    case .shell:
      "PostKit runs no shell, so `\(text)` is ignored. Remove it, or quote it if it is part of a "
        + "value."
    }
  }

  /// Bytes of a name up to which a sentence quotes it whole.
  private static let nameBytes = 400

  private func unresolvedMessage(_ name: String, _ suggestion: String?) -> String {
    let limit = EvaluationProblem.nameBytes
    let shown = name.excerpt(upTo: limit)
    let hint = suggestion.map { "Did you mean `\($0.excerpt(upTo: limit))`?" }
    if name.hasPrefix("$dotenv ") {
      let key = name.dropFirst("$dotenv ".count)
      return "`\(key)` is not defined in a `.env` file. "
        + (hint ?? "Add `\(key)=…` to one beside the request file or above it.")
    }
    if name.hasPrefix("$global.") {
      let global = name.dropFirst()
      return "`\(shown)` is not set. Add `@\(String(global).excerpt(upTo: limit)) = …`."
    }
    if name.hasPrefix("$") {
      return "`\(name)` is not a dynamic variable. "
        + (hint ?? DynamicVariables.randomHint(String(name.dropFirst()))
          ?? "Examples are `$uuid`, `$timestamp` and `$randomInt`.")
    }
    let variable = name.prefix { $0 != "[" }
    return "`\(shown)` is not defined. "
      + (hint ?? "Add `@\(String(variable).excerpt(upTo: limit)) = …` here "
        + "or put it in an environment file.")
  }

  private func signInMessage(
    _ id: String, _ suggestion: String?, _ known: [String], _ environments: [String],
    _ selected: String?, _ surface: Surface
  ) -> String {
    let what =
      selected.map { "Environment `\($0)` has no sign-in `\(id)`. " }
      ?? "No environment is selected that has the sign-in `\(id)`. "
    if let suggestion { return what + "Did you mean `\(suggestion)`?" }
    if let first = environments.first {
      let list = environments.prefix(5).map { "`\($0)`" }.joined(separator: ", ")
      return what + "It is defined in \(list): choose "
        + (surface == .commandLine ? "it with `-e \(first)`." : "that environment.")
    }
    if known.isEmpty { return what + "Add it to `Security.Auth` in `http-client.env.json`." }
    return what + "It has: \(known.prefix(10).joined(separator: ", "))."
  }

  private func inputMessage(_ names: [String]) -> String {
    let list = names.map { "`\($0)`" }.joined(separator: " and ")
    return names.count == 1
      ? "The request asks for a value of \(list). " : "The request asks for values of \(list). "
  }

  private func environmentMessage(_ name: String, _ known: [String]) -> String {
    let list =
      known.isEmpty
      ? "Add it to `http-client.env.json`." : "Defined are: \(known.joined(separator: ", "))."
    return "Environment `\(name)` is not defined. \(list)"
  }
}
