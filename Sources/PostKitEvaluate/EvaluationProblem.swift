// What is wrong with a request's meaning, with its place and its sentence.

import PostKitAuth
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

  /// The kinds of mistake.
  package enum Kind: Sendable, Hashable {
    /// A name that is not defined; the environments are those that define it, and `selected` is
    /// the one that is in force.
    case unresolvedVariable(
      name: String, suggestion: String?, environments: [String] = [], selected: String? = nil)
    /// A name that a script sets: the words for that script, with a capital. It is not certain
    /// where the script puts names together.
    case setByScript(name: String, script: String, isCertain: Bool = true)
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
    /// The left side of a `??` line is no check and no name that is defined.
    case assertionSubject(written: String, suggestion: String)
    case requestNotFound(tag: String, name: String)
    case credentialShape(scheme: String)
    case signatureService
    /// A sign-in that no chosen environment has; `known` are those of the chosen ones.
    case unknownSignIn(
      id: String, suggestion: String?, known: [String], environments: [String], selected: String?)
    /// What is wrong with the configuration of a sign-in, and the sentence that says so.
    case signIn(SignInMistake, String)
    case badDuration(String)
    case inputMissing([String], wasDeclined: Bool = false)
    case notAChoice(name: String, answer: String, options: [String])
    case processVariableMissing(String)
    /// A file names a secret of the process environment, which it may not read.
    case processVariableWithheld(name: String, path: String, explanation: String)
    case assertionSpelling(written: String, read: String)
    /// JavaScript that failed: why, and where.
    case scriptFailed(String)
    /// A script in Lua, which is left out.
    case luaScript
    /// JavaScript that has not been evaluated yet.
    case expressionPending(String)
    /// What this version does not do, in a sentence.
    case unsupported(String)
    case syntax(String)
    /// What is wrong with the variables of a GraphQL body (PK-21).
    case graphQLVariables(String)
    /// What keeps a server from reading a multipart body (PK-19).
    case multipartBoundary(String)
    case unknownEncoding(String)
    case curlOption(String, CurlOptionProblem)
  }

  /// What is wrong with the configuration of a sign-in (AU-54).
  package enum SignInMistake: Sendable, Hashable {
    case incomplete, unknownGrant, reservedParameter
    /// An ID token proves nobody's identity (AU-60).
    case idToken
    /// No token could be got, as this word says.
    case failed(FailureCode)

    /// The mistake that a failure tells of.
    init(_ failure: AuthFailure) {
      let written: [SignInMistake] = [.incomplete, .unknownGrant, .reservedParameter]
      self = written.first { $0.code == failure.code } ?? .incomplete
    }

    fileprivate var code: FailureCode {
      switch self {
      case .incomplete: .authIncomplete
      case .unknownGrant: .authGrantUnknown
      case .reservedParameter: .authParameterReserved
      case .idToken: .authIDToken
      case .failed(let code): code
      }
    }
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
  /// The places that led there, the innermost first, where a script has thrown.
  package var frames: [Frame] = []

  /// A place in a file of the user; line and column count from 1, the column in UTF-16 units.
  package struct Frame: Sendable, Hashable {
    package let path: String
    package let line: Int
    package let column: Int

    /// Makes a place.
    package init(path: String, line: Int, column: Int) {
      (self.path, self.line, self.column) = (path, line, column)
    }
  }

  /// Makes a problem.
  package init(_ kind: Kind, range: Range<Int>, severity: Severity = .error, path: String? = nil) {
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
    case .unresolvedVariable, .setByScript, .processVariableMissing, .providerValue, .noMatch,
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
    case .environmentNotFound, .inputMissing, .notAChoice, .processVariableWithheld: .usage
    case .missingHost, .badURL, .headerInjection, .syntax: .syntax
    case .malformedHeader: FailureCode("malformed-header")
    case .textAfterHandler: FailureCode("text-after-handler")
    case .requestNotFound: .requestNotFound
    case .credentialShape, .signatureService: FailureCode("credential-shape")
    case .unknownSignIn: .authUnknownID
    case .signIn(let mistake, _): mistake.code
    case .badDuration: .syntax
    case .assertionSyntax, .assertionSpelling, .assertionSubject: FailureCode("assertion-syntax")
    case .scriptFailed, .expressionPending: .scriptFailed
    case .luaScript: FailureCode("script-language")
    case .unsupported: FailureCode("protocol-unsupported")
    case .graphQLVariables: FailureCode("graphql-variables-json")
    case .multipartBoundary: FailureCode("multipart-boundary")
    case .unknownEncoding: .syntax
    case .curlOption: FailureCode("curl-option")
    }
  }
}

extension EvaluationProblem.Kind {
  /// Whether a file can't be used.
  var isOfFile: Bool {
    if case .fileNotFound = self { return true }
    if case .fileUnreadable = self { return true }
    if case .fileOutside = self { return true }
    return false
  }

  /// Whether nothing is sent for it, though the dialect sends bodies with names that have no value.
  var stopsAnyBody: Bool {
    switch self {
    case .variableCycle, .redactedResponse, .fileNotFound, .fileUnreadable, .fileOutside,
      .selectorSyntax, .dynamicArguments, .placeholder:
      true
    // What is asked for is not sent unanswered.
    case .inputMissing, .processVariableWithheld, .scriptFailed, .expressionPending: true
    case .unknownSignIn, .signIn: true
    case .unresolvedVariable, .setByScript, .requestNotRun, .noMatch, .selectorUnavailable,
      .nothingReceived, .certificateNotFound, .importUnresolved, .runFileUnresolved, .importCycle,
      .runUnresolved, .runNotInFile, .requestCycle, .environmentFileBroken, .environmentNotFound,
      .environmentRemark, .providerValue, .missingHost, .badURL, .headerInjection,
      .malformedHeader, .textAfterHandler, .assertionSyntax, .assertionSubject, .requestNotFound,
      .credentialShape, .signatureService, .badDuration, .notAChoice, .processVariableMissing,
      .assertionSpelling, .unsupported, .luaScript, .syntax, .graphQLVariables, .multipartBoundary,
      .unknownEncoding, .curlOption:
      false
    }
  }
}

extension FailureCode {
  /// Makes a code from a word of the diagnostics catalogue.
  init(_ word: String) { self.init(rawValue: word) }
}
