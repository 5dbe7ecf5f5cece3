// What is wrong with a request's meaning, with its place and its sentence.

package import PostKitHTTP
package import PostKitSyntax

/// A line and a column, counted from 1.
package struct SourcePosition: Sendable, Hashable {
  package var line: Int
  package var column: Int

  /// Makes a position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A mistake found while a request is evaluated.
package struct EvaluationProblem: Error, Sendable, Hashable {
  /// How bad it is: errors keep a request from being sent.
  package enum Severity: Sendable, Hashable { case error, warning, information }

  /// The kinds of mistake (dialects.md, section 9).
  package enum Kind: Sendable, Hashable {
    /// A name that nothing in force defines; the environments are those that would.
    case unresolvedVariable(name: String, suggestion: String?, environments: [String] = [])
    case variableCycle([String])
    case requestNotRun(name: String)
    case noMatch(reference: String, explanation: String)
    case redactedResponse(reference: String)
    case selectorSyntax(reference: String, SelectorMistake)
    case selectorUnavailable(reference: String, explanation: String)
    case dynamicArguments(name: String, expected: String)
    case placeholder
    /// A tag that gives a variable a part of a response has found none.
    case nothingReceived(variable: String, tag: String, explanation: String)
    case fileNotFound(path: String)
    case fileUnreadable(path: String, explanation: String)
    case fileOutside(path: String, explanation: String)
    /// A client's certificate or key; the place is where its path is written.
    case certificateNotFound(path: String, place: String)
    case importUnresolved(path: String, explanation: String?)
    /// The file of a `run` line can't be had.
    case runFileUnresolved(path: String, explanation: String?)
    case importCycle([String])
    case runUnresolved(name: String)
    /// A `run` line names a request that the file on it doesn't have.
    case runNotInFile(name: String, path: String)
    /// Requests that need each other, the first again at the end.
    case requestCycle([String])
    case environmentFileBroken(path: String, line: Int, explanation: String)
    case environmentNotFound(name: String, known: [String])
    case environmentRemark(path: String, line: Int, sentence: String)
    case providerValue(name: String, provider: String)
    case missingHost
    case badURL(String, explanation: String)
    case headerInjection(name: String)
    case malformedHeader
    case textAfterHandler
    case assertionSyntax
    case requestNotFound(tag: String, name: String)
    case credentialShape(scheme: String)
    case signatureService
    case badDuration(String)
    case inputMissing([String], wasDeclined: Bool = false)
    case notAChoice(name: String, answer: String, options: [String])
    case processVariableMissing(String)
    case assertionSpelling(written: String, read: String)
    case unsupported(String)
    case syntax(String)
    /// What is wrong with the variables of a GraphQL body (PK-21).
    case graphQLVariables(String)
    /// What keeps a server from reading a multipart body (PK-19).
    case multipartBoundary(String)
    case unknownEncoding(String)
    case curlOption(String, CurlOptionProblem)
  }

  /// What is wrong with a word of a curl command (PK-30).
  package enum CurlOptionProblem: Sendable, Hashable {
    case unknown, ignored, valueMissing, secondURL, shell
  }

  package var kind: Kind
  /// The bytes concerned: in the request file, or in `path` where that is set.
  package var range: Range<Int>
  package var severity: Severity
  /// The file concerned where it isn't the request file.
  package var path: String?
  /// The line and column in that file, counted from 1, where they are known.
  package var position: SourcePosition?

  /// Makes a problem.
  package init(
    _ kind: Kind, range: Range<Int>, severity: Severity = .error, path: String? = nil
  ) {
    self.kind = kind
    self.range = range
    self.severity = severity
    self.path = path
  }

  /// The problem with its place in a file that isn't the one that was asked for.
  package func located(in path: String, _ document: ParsedDocument) -> EvaluationProblem {
    guard self.path == nil else { return self }
    var result = self
    let line = document.line(at: range.lowerBound)
    result.path = path
    result.position = SourcePosition(
      line: line + 1, column: range.lowerBound - (document.offset(ofLine: line) ?? 0) + 1)
    return result
  }

  /// The word for reports and diagnostics.
  package var code: FailureCode {
    switch kind {
    case .unresolvedVariable, .processVariableMissing, .providerValue, .noMatch,
      .redactedResponse, .selectorUnavailable, .placeholder, .nothingReceived:
      .unresolvedVariable
    case .requestNotRun: severity == .error ? .unresolvedVariable : FailureCode("request-not-run")
    case .variableCycle: .variableCycle
    case .selectorSyntax(_, let mistake):
      FailureCode(mistake.language == .jsonPath ? "jsonpath-syntax" : "xpath-syntax")
    case .dynamicArguments: FailureCode("dynamic-arguments")
    case .fileNotFound, .fileUnreadable, .fileOutside, .certificateNotFound, .importUnresolved,
      .runFileUnresolved:
      .fileNotFound
    case .importCycle, .requestCycle: .includeCycle
    case .runUnresolved, .runNotInFile: .requestNotFound
    case .environmentFileBroken, .environmentRemark: FailureCode("environment-file")
    case .environmentNotFound, .inputMissing, .notAChoice: .usage
    case .missingHost, .badURL, .headerInjection, .syntax: .syntax
    case .malformedHeader: FailureCode("malformed-header")
    case .textAfterHandler: FailureCode("text-after-handler")
    case .requestNotFound: .requestNotFound
    case .credentialShape, .signatureService: FailureCode("credential-shape")
    case .badDuration: .syntax
    case .assertionSyntax, .assertionSpelling: FailureCode("assertion-syntax")
    case .unsupported: FailureCode("protocol-unsupported")
    case .graphQLVariables: FailureCode("graphql-variables-json")
    case .multipartBoundary: FailureCode("multipart-boundary")
    case .unknownEncoding: .syntax
    case .curlOption: FailureCode("curl-option")
    }
  }

  /// What is wrong and what to do about it in an editor.
  package var message: String { message(on: .editor) }

  /// What is wrong, and what to do about it in the words of a surface.
  package func message(on surface: Surface) -> String {
    switch kind {
    case .unresolvedVariable(let name, let suggestion, let environments):
      environments.isEmpty
        ? unresolvedMessage(name, suggestion)
        : "Nothing in force defines the variable `\(name)`. "
          + surface.choosing(environments, for: name)
    case .inputMissing(let names, let wasDeclined):
      inputMessage(names) + surface.giving(names, wasDeclined: wasDeclined)
    case .variableCycle(let names):
      "`\(names.joined(separator: "` uses `"))`: the definitions go round in a circle. "
        + "Give one of them a value of its own."
    case .requestNotRun(let name):
      Surface.editor.needing(name, isSentFirst: false)
    case .noMatch(let reference, let explanation):
      "`{{\(reference)}}` finds nothing: \(ended(explanation))"
    case .nothingReceived(let variable, let tag, let explanation):
      "`@\(tag)` gives `\(variable)` no value: \(ended(explanation)) "
        + "Compare the tag with the response and correct it."
    case .redactedResponse(let reference):
      "`{{\(reference)}}` would read a masked secret from the history. "
        + "Send that request again in this session."
    case .selectorSyntax(let reference, let mistake):
      "The \(mistake.language == .jsonPath ? "JSONPath" : "XPath") in `{{\(reference)}}` can't be "
        + "read: \(mistake.explanation)."
    case .selectorUnavailable(let reference, let explanation):
      "`{{\(reference)}}` can't be read: \(explanation)."
    case .dynamicArguments(let name, let expected):
      "`$\(name)` is written `\(expected)`."
    case .placeholder:
      "`{{$placeholder}}` is to be filled in. Write the value in its place."
    case .environmentFileBroken(let path, let line, let explanation):
      "\(path):\(line) is not valid JSON and is skipped: \(explanation)."
    case .environmentNotFound(let name, let known):
      environmentMessage(name, known)
    case .environmentRemark(let path, let line, let sentence):
      "\(path):\(line): \(sentence)"
    case .providerValue(let name, let provider):
      EnvironmentSet.sentence(name, provider, on: surface)
    default:
      fileMessage
    }
  }

  private var fileMessage: String {
    switch kind {
    case .fileNotFound(let path):
      "There is no file `\(path)`. Looked beside the request file and in the root folder."
    case .fileUnreadable(let path, let explanation), .fileOutside(let path, let explanation):
      "The file `\(path)` can't be read: \(ended(explanation))"
    case .certificateNotFound(let path, let place):
      "There is no file `\(path)`, which \(place) names for a client certificate. Correct the path "
        + "there, or send without one with `# @no-client-cert`."
    case .importUnresolved(let path, let explanation),
      .runFileUnresolved(let path, let explanation):
      if let explanation {
        "The file `\(path)` can't be used: \(ended(explanation))"
      } else {
        "There is no file `\(path)`. Looked beside this file and in the root folder."
      }
    case .importCycle(let files):
      "The files import each other in a circle: \(files.joined(separator: " imports ")). "
        + "Take one of the imports away."
    case .requestCycle(let titles):
      "The requests need each other in a circle: \(titles.joined(separator: " needs ")). "
        + "Take one of the references away."
    case .runUnresolved(let name):
      "There is no request `\(name)`, neither in this file nor in those that it imports. "
        + "Name one with `# @name \(name)`, or import its file."
    case .runNotInFile(let name, let path):
      name.isEmpty
        ? "Write the name of a request of `\(path)` behind the `#`, or take the `#` away."
        : "The file `\(path)` has no request `\(name)`, nor have those that it imports. Check the "
          + "name, or give the request that name with `# @name \(name)`."
    default:
      requestMessage
    }
  }

  /// The problem as displays and logs may have it: values that stand in it may hold secrets.
  package func masked(by mask: SecretMask) -> EvaluationProblem {
    func hide(_ text: String) -> String { mask.mask(text).text }
    var result = self
    switch kind {
    case .unresolvedVariable(let name, let suggestion, let environments):
      result.kind = .unresolvedVariable(
        name: hide(name), suggestion: suggestion, environments: environments)
    case .noMatch(let reference, let explanation):
      result.kind = .noMatch(reference: reference, explanation: hide(explanation))
    case .nothingReceived(let variable, let tag, let explanation):
      result.kind = .nothingReceived(
        variable: variable, tag: tag, explanation: hide(explanation))
    case .fileNotFound(let path): result.kind = .fileNotFound(path: hide(path))
    case .fileUnreadable(let path, let explanation):
      result.kind = .fileUnreadable(path: hide(path), explanation: hide(explanation))
    case .fileOutside(let path, let explanation):
      result.kind = .fileOutside(path: hide(path), explanation: hide(explanation))
    case .certificateNotFound(let path, let place):
      result.kind = .certificateNotFound(path: hide(path), place: place)
    case .badURL(let url, let explanation):
      result.kind = .badURL(mask.maskURL(url).text, explanation: hide(explanation))
    case .headerInjection(let name): result.kind = .headerInjection(name: hide(name))
    case .badDuration(let text): result.kind = .badDuration(hide(text))
    case .unsupported(let what): result.kind = .unsupported(hide(what))
    case .syntax(let sentence): result.kind = .syntax(hide(sentence))
    default: break
    }
    return result
  }

  private var requestMessage: String {
    switch kind {
    case .missingHost:
      "The target begins with `/` but there is no `Host` header and no variable `host`. "
        + "Write the whole URL or add a `Host` header."
    case .badURL(let url, let explanation):
      "`\(url.prefix(200))\(url.utf8.count > 200 ? "…" : "")` is not a URL that can be sent to: "
        + "\(explanation)."
    case .headerInjection(let name):
      "The value of the header `\(name)` has a line break or a NUL byte in it, which no header "
        + "can have. Take it out."
    case .malformedHeader:
      "This line is neither a header (`Name: value`) nor the start of a body. "
        + "Put a blank line before the body."
    case .textAfterHandler:
      "There is text after the response handler. Move it above, or begin a new request with `###`."
    case .assertionSyntax:
      "This is not an assertion. Write `?? status == 200`, for example."
    case .requestNotFound(let tag, let name):
      "`@\(tag) \(name)` names a request that is neither in this file nor in those that it "
        + "imports. Name one with `# @name \(name)`, or import its file."
    case .credentialShape(let scheme) where scheme.lowercased() == "aws":
      "The credentials are not whole. Write `\(scheme) accessKey secretKey`, and after it "
        + "`token:`, `region:` and `service:` where they are needed."
    case .signatureService:
      "The host does not say which AWS service it is. Add `service:NAME`, and `region:NAME` "
        + "unless it is us-east-1."
    case .credentialShape(let scheme):
      "The password is missing. Write `\(scheme) user password` or `\(scheme) user:password`."
    case .badDuration(let text):
      "`\(text)` is not a duration. Write a number with a unit, such as `30 s` or `500 ms`."
    case .notAChoice(let name, let answer, let options):
      "`\(answer)` is no choice for `\(name)`. There are: \(options.joined(separator: ", "))."
    case .processVariableMissing(let name):
      "The process environment has no variable `\(name)`, so nothing stands in its place. Set it "
        + "where PostKit is started."
    case .assertionSpelling(let written, let read):
      "`\(written)` is read as `\(read)`; httpYac would check nothing. Write `\(read)`."
    case .unsupported(let what):
      "\(what) not supported yet by this version of PostKit."
    case .syntax(let sentence), .multipartBoundary(let sentence):
      sentence
    case .graphQLVariables(let explanation):
      "The variables of a GraphQL query must be a JSON object: \(explanation)."
    case .unknownEncoding(let name):
      "PostKit can't read the encoding `\(name)`. It reads \(CharacterEncoding.names)."
    case .curlOption(let text, let problem):
      curlMessage(text, problem)
    default:
      ""
    }
  }

  /// An explanation with one full stop; those of the system have theirs.
  private func ended(_ explanation: String) -> String {
    explanation.hasSuffix(".") ? explanation : explanation + "."
  }

  private func curlMessage(_ text: String, _ problem: CurlOptionProblem) -> String {
    switch problem {
    case .unknown: "curl has no option `\(text)`; it is left out. Check its spelling."
    case .ignored: "`\(text)` has no counterpart in PostKit; it is left out."
    case .valueMissing: "`\(text)` needs a value. Write one behind it."
    case .secondURL:
      "Only the first URL of a command is sent to. Put `\(text)` into a request of its own."
    case .shell:
      "No shell runs this command, so `\(text)` is left out. Remove it, or put quotes around it "
        + "if it is part of a value."
    }
  }

  private func unresolvedMessage(_ name: String, _ suggestion: String?) -> String {
    let hint = suggestion.map { "Did you mean `\($0)`?" }
    if name.hasPrefix("$dotenv ") {
      let key = name.dropFirst("$dotenv ".count)
      return "No `.env` file has `\(key)`. "
        + (hint ?? "Add the line `\(key)=value` to one beside the request file or above it.")
    }
    if name.hasPrefix("$") {
      return "There is no dynamic variable `\(name)`. "
        + (hint ?? DynamicVariables.randomHint(String(name.dropFirst()))
          ?? "There are `$uuid`, `$timestamp`, `$randomInt` and others.")
    }
    return "Nothing defines the variable `\(name)`. "
      + (hint ?? "Define it with `@\(name) = value` or in an environment file.")
  }

  private func inputMessage(_ names: [String]) -> String {
    let list = names.map { "`\($0)`" }.joined(separator: " and ")
    return names.count == 1
      ? "A value for \(list) is asked for. " : "Values for \(list) are asked for. "
  }

  private func environmentMessage(_ name: String, _ known: [String]) -> String {
    let list =
      known.isEmpty
      ? "No environment file defines any; write one into `http-client.env.json`."
      : "There are: \(known.joined(separator: ", "))."
    return "There is no environment `\(name)`. \(list)"
  }
}

extension FailureCode {
  /// Makes a code from a word of the diagnostics catalogue.
  init(_ word: String) { self.init(rawValue: word) }
}
