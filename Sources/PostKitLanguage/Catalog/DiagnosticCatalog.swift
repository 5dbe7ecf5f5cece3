// Every code that a diagnostic can have, with its usual severity, when it is raised, and what to do
// (dialects.md, section 9). DIAGNOSTICS.md shows the same table.

/// The code of a diagnostic.
package enum DiagnosticCode: String, Sendable, Hashable, CaseIterable {
  case byteOrderMark = "bom"
  case mixedLineEnds = "mixed-eol"
  case invalidUTF8 = "invalid-utf8"
  case indentedSeparator = "indented-separator"
  case missingSeparator = "missing-separator"
  case noRequestLine = "no-request-line"
  case duplicateName = "duplicate-name"
  case unknownMethod = "unknown-method"
  case schemeAssumed = "scheme-assumed"
  case malformedHeader = "malformed-header"
  case missingBlankLine = "missing-blank-line"
  case commentInBody = "comment-in-body"
  case jsonBody = "json-body"
  case formMissingAmpersand = "form-missing-ampersand"
  case multipartBoundary = "multipart-boundary"
  case graphQLVariables = "graphql-variables-json"
  case fileNotFound = "file-not-found"
  case fileHasVariables = "file-has-variables"
  case ambiguousPath = "ambiguous-path"
  case curlOption = "curl-option"
  case metadataUnknown = "metadata-unknown"
  case metadataInBody = "metadata-in-body"
  case durationUnit = "duration-unit"
  case commandsDisabled = "commands-disabled"
  case importUnresolved = "import-unresolved"
  case importCycle = "import-cycle"
  case runUnresolved = "run-unresolved"
  case requestNotFound = "request-not-found"
  case requestCycle = "request-cycle"
  case requestNotRun = "request-not-run"
  case variableSyntax = "variable-syntax"
  case unclosedVariable = "unclosed-variable"
  case unresolvedVariable = "unresolved-variable"
  case variableCycle = "variable-cycle"
  case variableRedefined = "variable-redefined"
  case variableShadowed = "variable-shadowed"
  case quotedValue = "quoted-value"
  case backslashValue = "backslash-value"
  case dynamicArguments = "dynamic-arguments"
  case jsonPathSyntax = "jsonpath-syntax"
  case xpathSyntax = "xpath-syntax"
  case assertionSyntax = "assertion-syntax"
  case assertionFailed = "assertion-failed"
  case textAfterHandler = "text-after-handler"
  case scriptLanguage = "script-language"
  case credentialShape = "credential-shape"
  case secretInFile = "secret-in-file"
  case environmentFile = "environment-file"
  case settingsFile = "settings-file"
  case dialectSuggestion = "dialect-suggestion"
  case differsElsewhere = "differs-elsewhere"
  case targetUnsupported = "target-unsupported"
  case targetDiffers = "target-differs"
  case protocolUnsupported = "protocol-unsupported"
  case syntax = "syntax"
  case usage = "usage"
  case tooMany = "too-many"

  /// How serious it is, unless the place says otherwise.
  package var severity: DiagnosticSeverity {
    switch self {
    case .malformedHeader, .multipartBoundary, .graphQLVariables, .fileNotFound, .importUnresolved,
      .importCycle, .runUnresolved, .requestNotFound, .requestCycle, .variableSyntax,
      .unclosedVariable, .unresolvedVariable, .variableCycle, .dynamicArguments, .jsonPathSyntax,
      .xpathSyntax, .assertionSyntax, .textAfterHandler, .credentialShape, .syntax, .usage,
      .noRequestLine:
      .error
    case .missingSeparator, .missingBlankLine, .duplicateName, .invalidUTF8, .jsonBody,
      .formMissingAmpersand, .curlOption, .metadataInBody, .commandsDisabled, .scriptLanguage,
      .assertionFailed, .secretInFile, .environmentFile, .settingsFile, .targetUnsupported,
      .targetDiffers:
      .warning
    case .byteOrderMark, .mixedLineEnds, .indentedSeparator, .unknownMethod, .schemeAssumed,
      .durationUnit, .requestNotRun, .variableRedefined, .dialectSuggestion, .protocolUnsupported,
      .tooMany:
      .information
    case .commentInBody, .fileHasVariables, .ambiguousPath, .metadataUnknown, .variableShadowed,
      .quotedValue, .backslashValue, .differsElsewhere:
      .hint
    }
  }
}
