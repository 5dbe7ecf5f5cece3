// Every code that a diagnostic can have, with its usual severity, when it is raised, and what to
// do.
// DIAGNOSTICS.md shows the same table.

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
  case urlEncoding = "url-encoding"
  case malformedHeader = "malformed-header"
  case duplicateHeader = "duplicate-header"
  case unknownHeader = "unknown-header"
  case contentLength = "content-length"
  case contentTypeMissing = "content-type-missing"
  case missingBlankLine = "missing-blank-line"
  case commentInBody = "comment-in-body"
  case bodyOnGet = "body-on-get"
  case jsonBody = "json-body"
  case xmlBody = "xml-body"
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
  case deprecated = "deprecated"
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
  case noEnvironment = "no-environment"
  case setByScript = "set-by-script"
  case variableCycle = "variable-cycle"
  case variableRedefined = "variable-redefined"
  case variableShadowed = "variable-shadowed"
  case variableUnused = "variable-unused"
  case quotedValue = "quoted-value"
  case backslashValue = "backslash-value"
  case dynamicArguments = "dynamic-arguments"
  case jsonPathSyntax = "jsonpath-syntax"
  case xpathSyntax = "xpath-syntax"
  case assertionInBody = "assertion-in-body"
  case assertionSyntax = "assertion-syntax"
  case assertionFailed = "assertion-failed"
  case textAfterHandler = "text-after-handler"
  case scriptLanguage = "script-language"
  case credentialShape = "credential-shape"
  case insecureAuthorization = "insecure-auth"
  case secretInFile = "secret-in-file"
  case environmentFile = "environment-file"
  case duplicateKey = "duplicate-key"
  case missingKey = "missing-key"
  case settingsFile = "settings-file"
  case dialectSuggestion = "dialect-suggestion"
  case differsElsewhere = "differs-elsewhere"
  case targetUnsupported = "target-unsupported"
  case targetDiffers = "target-differs"
  case protocolUnsupported = "protocol-unsupported"
  case syntax = "syntax"
  case usage = "usage"
  case tooMany = "too-many"
  case tooLong = "too-long"

  /// How serious it is, unless the place says otherwise.
  package var severity: DiagnosticSeverity {
    switch self {
    case .malformedHeader, .multipartBoundary, .graphQLVariables, .fileNotFound, .importUnresolved,
      .importCycle, .runUnresolved, .requestNotFound, .requestCycle, .variableSyntax,
      .unclosedVariable, .unresolvedVariable, .noEnvironment, .variableCycle, .dynamicArguments,
      .jsonPathSyntax,
      .xpathSyntax, .assertionSyntax, .textAfterHandler, .credentialShape, .syntax, .usage,
      .noRequestLine:
      .error
    case .missingSeparator, .missingBlankLine, .duplicateName, .invalidUTF8, .jsonBody, .xmlBody,
      .formMissingAmpersand, .curlOption, .metadataInBody, .commandsDisabled, .scriptLanguage,
      .duplicateHeader, .unknownHeader, .duplicateKey, .insecureAuthorization, .assertionFailed,
      .secretInFile,
      .environmentFile, .settingsFile, .targetUnsupported, .targetDiffers:
      .warning
    case .byteOrderMark, .mixedLineEnds, .indentedSeparator, .unknownMethod, .schemeAssumed,
      .bodyOnGet, .durationUnit, .setByScript, .variableRedefined, .dialectSuggestion,
      .protocolUnsupported, .missingKey, .tooMany, .tooLong:
      .information
    case .commentInBody, .requestNotRun, .fileHasVariables, .ambiguousPath, .metadataUnknown,
      .variableShadowed,
      .variableUnused, .quotedValue, .backslashValue, .differsElsewhere, .urlEncoding,
      .contentLength, .contentTypeMissing, .deprecated, .assertionInBody:
      .hint
    }
  }

  /// How an editor may draw what it is about, beside the severity.
  package enum Tag: Sendable, Hashable {
    /// It has no effect.
    case unnecessary
    /// It is obsolete.
    case deprecated
  }

  /// How what it is about may be drawn; `nil` for like anything else.
  package var tag: Tag? {
    switch self {
    case .contentLength, .duplicateKey, .variableUnused: .unnecessary
    case .deprecated: .deprecated
    default: nil
    }
  }

  /// What a fix of a diagnostic does.
  package enum FixKind: String, Sendable, Hashable {
    /// It changes the file itself.
    case edit
    /// It changes or makes another file.
    case file
    /// It sends a request.
    case send
    /// It selects an environment.
    case select
  }

  /// What its fixes do; empty where there is none that can be made without thinking.
  package var fixes: [FixKind] {
    switch self {
    case .unresolvedVariable, .runUnresolved: [.edit, .file]
    case .secretInFile, .fileNotFound, .importUnresolved: [.file]
    case .requestNotRun: [.send]
    case .noEnvironment: [.select]
    case .byteOrderMark, .mixedLineEnds, .indentedSeparator, .missingSeparator, .duplicateName,
      .unknownMethod, .schemeAssumed, .urlEncoding, .malformedHeader, .duplicateHeader,
      .unknownHeader,
      .contentLength, .contentTypeMissing, .missingBlankLine, .commentInBody, .jsonBody,
      .bodyOnGet, .formMissingAmpersand, .multipartBoundary, .fileHasVariables, .curlOption,
      .metadataUnknown, .metadataInBody, .durationUnit, .deprecated, .requestNotFound,
      .requestCycle, .variableSyntax, .unclosedVariable, .quotedValue, .backslashValue,
      .assertionInBody, .assertionSyntax, .textAfterHandler, .duplicateKey, .missingKey,
      .variableUnused, .dialectSuggestion, .differsElsewhere:
      [.edit]
    default: []
    }
  }
}
