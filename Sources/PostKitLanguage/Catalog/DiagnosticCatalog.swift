// Every diagnostic, an entry each: what it is called, how serious it is, when it is raised, what to
// do about it, and what can do it. DIAGNOSTICS.md and `protocol/diagnostics.json` derive from it.

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
  case graphQLSchema = "graphql-schema"
  case graphQLSyntax = "graphql-syntax"
  case graphQLExecutableDefinitions = "graphql-executable-definitions"
  case graphQLOperationName = "graphql-operation-name"
  case graphQLLoneAnonymous = "graphql-lone-anonymous"
  case graphQLSingleRoot = "graphql-single-root"
  case graphQLOperationType = "graphql-operation-type"
  case graphQLField = "graphql-field"
  case graphQLFieldMerge = "graphql-field-merge"
  case graphQLLeaf = "graphql-leaf"
  case graphQLArgumentName = "graphql-argument-name"
  case graphQLArgumentUnique = "graphql-argument-unique"
  case graphQLArgumentRequired = "graphql-argument-required"
  case graphQLFragmentName = "graphql-fragment-name"
  case graphQLFragmentType = "graphql-fragment-type"
  case graphQLFragmentUnused = "graphql-fragment-unused"
  case graphQLFragmentUnknown = "graphql-fragment-unknown"
  case graphQLFragmentCycle = "graphql-fragment-cycle"
  case graphQLFragmentImpossible = "graphql-fragment-impossible"
  case graphQLValue = "graphql-value"
  case graphQLInputField = "graphql-input-field"
  case graphQLInputFieldUnique = "graphql-input-field-unique"
  case graphQLInputFieldRequired = "graphql-input-field-required"
  case graphQLDirective = "graphql-directive"
  case graphQLDirectiveLocation = "graphql-directive-location"
  case graphQLDirectiveUnique = "graphql-directive-unique"
  case graphQLVariableName = "graphql-variable-name"
  case graphQLVariableType = "graphql-variable-type"
  case graphQLVariableUnknown = "graphql-variable-unknown"
  case graphQLVariableUnused = "graphql-variable-unused"
  case graphQLVariableUsage = "graphql-variable-usage"
  case graphQLVariablesMissing = "graphql-variables-missing"
  case graphQLVariablesUnknown = "graphql-variables-unknown"
  case graphQLVariablesValue = "graphql-variables-value"
  case graphQLDeprecated = "graphql-deprecated"
  case fileNotFound = "file-not-found"
  case fileHasVariables = "file-has-variables"
  case ambiguousPath = "ambiguous-path"
  case curlOption = "curl-option"
  case metadataUnknown = "metadata-unknown"
  case metadataInBody = "metadata-in-body"
  case durationUnit = "duration-unit"
  case deprecated
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
  case scriptSyntax = "script-syntax"
  case scriptFailed = "script-failed"
  case scriptEngineMissing = "script-engine-missing"
  case scriptDialect = "script-dialect"
  case scriptUnknownMember = "script-unknown-member"
  case scriptPhase = "script-phase"
  case scriptUnknownModule = "script-unknown-module"
  case scriptReferenceInText = "script-reference-in-text"
  case scriptImportBlock = "script-import-block"
  case scriptAssignmentLost = "script-assignment-lost"
  case scriptPromiseDropped = "script-promise-dropped"
  case scriptRequestFrozen = "script-request-frozen"
  case credentialShape = "credential-shape"
  case insecureAuthorization = "insecure-auth"
  case secretInFile = "secret-in-file"
  case authUnknownID = "auth-unknown-id"
  case authUnknownKey = "auth-unknown-key"
  case authIncomplete = "auth-incomplete"
  case authGrantUnknown = "auth-grant-unknown"
  case authGrantLegacy = "auth-grant-legacy"
  case authCleartext = "auth-cleartext"
  case authSecretPublic = "auth-secret-public"
  case authParameterReserved = "auth-parameter-reserved"
  case authRedirectUnlistenable = "auth-redirect-unlistenable"
  case environmentFile = "environment-file"
  case duplicateKey = "duplicate-key"
  case missingKey = "missing-key"
  case settingsFile = "settings-file"
  case dialectSuggestion = "dialect-suggestion"
  case differsElsewhere = "differs-elsewhere"
  case targetUnsupported = "target-unsupported"
  case targetDiffers = "target-differs"
  case protocolUnsupported = "protocol-unsupported"
  case openAPIPath = "openapi-path"
  case openAPIMethod = "openapi-method"
  case openAPIQuery = "openapi-query"
  case openAPIMissing = "openapi-missing"
  case openAPIType = "openapi-type"
  case openAPIHeader = "openapi-header"
  case openAPIContentType = "openapi-content-type"
  case openAPIBody = "openapi-body"
  case openAPIResponsePath = "openapi-response-path"
  case openAPIFile = "openapi-file"
  case syntax
  case usage
  case tooMany = "too-many"
  case tooLong = "too-long"

  /// What is known of it.
  package var entry: DiagnosticEntry {
    switch self {
    case .byteOrderMark: .init(
        .information, "The file begins with a byte order mark.", "Save it as UTF-8 without one.",
        edit: \.markRemoval, isSafe: true)
    case .mixedLineEnds: .init(
        .information, "Some lines end in LF and some in CRLF.",
        "Save the file with one kind of line end.", edit: \.lineEnds, isSafe: true)
    case .invalidUTF8: .init(
        .warning, "Some bytes are not UTF-8.",
        "Save the file as UTF-8, unless you mean to send them as they are.")
    case .indentedSeparator: .init(
        .information, "Blanks precede `###`.", "Move it to the start of the line.",
        edit: \.separatorAtStart, isSafe: true)
    case .missingSeparator: .init(
        .warning, "A line of a body looks like a request line.", "Add `###` before it.",
        edit: \.separatorAbove)
    case .noRequestLine: .init(.error, "A named block has no request.", "Write a method and a URL.")
    case .duplicateName: .init(
        .warning, "Two requests have the same name.", "Rename one of them.", edit: \.rename)
    case .unknownMethod: .init(
        .information, "The method is not registered.",
        "Check its spelling; PostKit sends it as written.", edit: \.method)
    case .schemeAssumed: .init(
        .information, "The URL has no scheme.", "Write `http://` or `https://` before the host.",
        edit: \.scheme)
    case .urlEncoding: .init(
        .hint, "A URL contains a character that PostKit sends as `%XX`.",
        "Write `%XX`, so that every tool sends the same.", edit: \.encodedTarget, isSafe: true)
    case .malformedHeader: .init(
        .error, "A line is neither a header nor the start of a body.",
        "Write `Name: value`, or add a blank line before the body.", edit: \.header)
    case .duplicateHeader: .init(
        .warning, "A header that may occur once occurs twice.",
        "Remove one of them: a server takes either, or refuses the request.", edit: \.headerRemoval)
    case .unknownHeader: .init(
        .warning, "A header looks like a misspelt known one.", "Correct its name.",
        edit: \.headerName)
    case .contentLength: .init(
        .hint, "PostKit computes `Content-Length` and ignores the written one.", "Remove it.",
        tag: .unnecessary, edit: \.headerRemoval, isSafe: true)
    case .contentTypeMissing: .init(
        .hint, "A body that looks like JSON or XML has no `Content-Type`.",
        "Add one: many servers refuse such a body or misread it.", edit: \.contentType)
    case .missingBlankLine: .init(
        .warning, "A body follows the headers without a blank line.", "Add one before it.",
        edit: { $0.blankLine("Add a blank line before the body") }, isSafe: true)
    case .commentInBody: .init(
        .hint, "A line of a body looks like a comment and is sent.",
        "Move it above the request if it is a comment.", edit: \.commentsAbove)
    case .bodyOnGet: .init(
        .information, "A GET, HEAD or TRACE request has a body.",
        "Write `POST`, unless you know that the server reads it.", edit: \.post)
    case .jsonBody: .init(
        .warning, "A body of a JSON type is not JSON.", "Correct it, or change its `Content-Type`.",
        edit: \.comma)
    case .xmlBody: .init(
        .warning, "A body of an XML type is not XML.", "Correct it, or change its `Content-Type`.")
    case .formMissingAmpersand: .init(
        .warning, "Two pairs of a form have no `&` between them.",
        "Add one at the end of the upper line.", edit: \.ampersand)
    case .multipartBoundary: .init(
        .error, "The delimiters of a multipart body do not match its header.",
        "Write the boundary of the header before each part, and `--` after the last.",
        edit: \.boundary)
    case .graphQLVariables: .init(
        .error, "The variables of a query are not a JSON object.",
        #"Write an object, such as `{"id": 1}`."#)
    case .graphQLSchema, .graphQLSyntax, .graphQLExecutableDefinitions, .graphQLOperationName,
      .graphQLLoneAnonymous, .graphQLSingleRoot, .graphQLOperationType, .graphQLField,
      .graphQLFieldMerge, .graphQLLeaf, .graphQLArgumentName, .graphQLArgumentUnique,
      .graphQLArgumentRequired, .graphQLFragmentName, .graphQLFragmentType,
      .graphQLFragmentUnused, .graphQLFragmentUnknown, .graphQLFragmentCycle,
      .graphQLFragmentImpossible, .graphQLValue, .graphQLInputField, .graphQLInputFieldUnique,
      .graphQLInputFieldRequired, .graphQLDirective, .graphQLDirectiveLocation,
      .graphQLDirectiveUnique, .graphQLVariableName, .graphQLVariableType,
      .graphQLVariableUnknown, .graphQLVariableUnused, .graphQLVariableUsage,
      .graphQLVariablesMissing, .graphQLVariablesUnknown, .graphQLVariablesValue,
      .graphQLDeprecated:
      .graphQL(self)
    case .fileNotFound: .init(
        .error, "A file is missing or can't be read.",
        "Check the path; it counts from the request file, then from the root folder.",
        file: { place, _ in place.missingFile })
    case .fileHasVariables: .init(
        .hint, "PostKit sends an included file without resolving its references.",
        "Write `<@` instead of `<`.", edit: \.resolvingInclude)
    case .ambiguousPath: .init(.hint, "A path matches two files.", "Write a path that matches one.")
    case .curlOption: .init(
        .warning, "PostKit ignores a word of a curl command.", "Check its spelling, or remove it.",
        edit: \.wordRemoval)
    case .metadataUnknown: .init(
        .hint, "A tag is unknown and has no effect.", "Check its spelling.", edit: \.tag)
    case .metadataInBody: .init(
        .warning, "A tag is inside a body.", "Move it above the request line.", edit: \.tagAbove)
    case .durationUnit: .init(
        .information, "A duration has no unit.", "Add one: `30 s`, `500 ms`.", edit: \.duration,
        isSafe: true)
    case .deprecated: .init(
        .hint, "A header or tag is obsolete.", "Use the one that the message names.",
        tag: .deprecated, edit: \.successor)
    case .commandsDisabled: .init(
        .warning, "A tag asks for a shell command.", "Run the command outside of PostKit.")
    case .importUnresolved: .init(
        .error, "An imported file can't be read.", "Check the path.",
        file: { place, _ in place.missingFile })
    case .importCycle: .init(.error, "Files import each other.", "Remove one of the imports.")
    case .runUnresolved: .init(
        .error, "A `run` line names an unknown request or file.", "Check the name or the path.",
        edit: { $0.request($0.range) }, file: { place, _ in place.runFile })
    case .requestNotFound: .init(
        .error, "A tag names an unknown request.", "Give the request that name with `# @name`.",
        edit: \.requestOfTag)
    case .requestCycle: .init(
        .error, "Requests need each other.", "Remove one of the references.",
        edit: { $0.lineRemoval($0.text) })
    case .requestNotRun: .init(
        .hint, "A reference reads a response that does not exist yet; the first place is marked.",
        "Send that request first.", other: .send)
    case .variableSyntax: .init(
        .error, "A line that begins with `@` is not a definition.", "Write `@name = value`.",
        edit: \.definition, isSafe: true)
    case .unclosedVariable: .init(
        .error, "A reference is not closed.", "Add `}}`.", edit: \.closing, isSafe: true)
    case .unresolvedVariable: .init(
        .error, "A name is not defined.", "Define it in the file or in an environment.",
        edit: \.variable, file: { $0.definitions(in: $1) })
    case .noEnvironment: .init(
        .error,
        "Environments define names of the file, but none is selected; editors mark the first one.",
        "Select an environment. `postkit check` marks each name as `unresolved-variable`.",
        other: .select)
    case .setByScript: .init(
        .information, "A script sets a name, or may set it, and has not done so yet.",
        "Send the request of the script first, or define the name with `@name = value`.")
    case .variableCycle: .init(
        .error, "Definitions use each other.", "Give one of them a value of its own.")
    case .variableRedefined: .init(
        .information, "A name is defined more than once.", "Rename one of them.")
    case .variableShadowed: .init(
        .hint, "The file and the environment define the same name.", "Rename one of them.")
    case .variableUnused: .init(
        .hint,
        "A variable is never used; editors mark it if the setting `diagnostics.unused` is on.",
        "Remove it, or write `{{name}}` where you mean it.", tag: .unnecessary,
        edit: \.definitionRemoval,
        environment: { document, range, _ in document.removal(of: range) })
    case .quotedValue: .init(
        .hint, "A value has quotes, which are sent.", "Remove them unless you mean them.",
        edit: \.unquoted)
    case .backslashValue: .init(
        .hint, "REST Client drops a backslash of a value.", "Write it without one.", edit: \.slash)
    case .dynamicArguments: .init(
        .error, "The arguments of a dynamic variable are wrong.", "Write them as the message says.")
    case .jsonPathSyntax: .init(
        .error, "A JSONPath is invalid.", "Correct it where the message says.")
    case .xpathSyntax: .init(.error, "An XPath is invalid.", "Correct it where the message says.")
    case .assertionInBody: .init(
        .hint, "A line that looks like a check is part of the body.", "Add a blank line above it.",
        edit: { $0.blankLine("Add a blank line above it") })
    case .assertionSyntax: .init(
        .error, "A `??` line is not a check.", "Write, for example, `?? status == 200`.",
        edit: \.check)
    case .assertionFailed: .init(
        .warning, "A check failed when you last sent its request.",
        "Correct the request or the check, and send it again.")
    case .textAfterHandler: .init(
        .error, "Text follows the response handler.",
        "Move it above, or start a new request with `###`.", edit: \.newRequest)
    case .scriptLanguage: .init(.warning, "A script is in Lua.", "Write it in JavaScript.")
    case .scriptSyntax: .scriptSyntax
    case .scriptFailed: .scriptFailed
    case .scriptEngineMissing: .scriptEngineMissing
    case .scriptDialect: .scriptDialect
    case .scriptUnknownMember: .scriptUnknownMember
    case .scriptPhase: .scriptPhase
    case .scriptUnknownModule: .scriptUnknownModule
    case .scriptReferenceInText: .scriptReferenceInText
    case .scriptImportBlock: .scriptImportBlock
    case .scriptAssignmentLost: .scriptAssignmentLost
    case .scriptPromiseDropped: .scriptPromiseDropped
    case .scriptRequestFrozen: .scriptRequestFrozen
    case .credentialShape: .init(
        .error, "A password is missing, or the login does not show where it begins.",
        "Write `Basic user password`.")
    case .insecureAuthorization: .init(
        .warning, "A password goes to another machine over `http`, where others can read it.",
        "Write `https://`.")
    case .secretInFile: .init(
        .warning,
        "A request or environment file contains a password, a token or a webhook address.",
        "Move it to `http-client.private.env.json`.", file: { $0.secretMove(to: $1) },
        environment: { $0.move(of: $1, $2) })
    case .authUnknownID, .authUnknownKey, .authIncomplete, .authGrantUnknown, .authGrantLegacy,
      .authCleartext, .authSecretPublic, .authParameterReserved, .authRedirectUnlistenable:
      .auth(self)
    case .environmentFile: .init(
        .warning, "An environment file can't be read.", "Correct it where the message says.")
    case .duplicateKey: .init(
        .warning, "An environment or dotenv file defines a name twice.",
        "Remove all but the last, which counts.", tag: .unnecessary,
        environment: { document, range, _ in document.removal(of: range) })
    case .missingKey: .init(
        .information, "An environment does not define a name that others define.",
        "Give it a value there, or in `$shared`.",
        environment: { document, range, _ in document.completion(of: range) })
    case .settingsFile: .init(
        .warning, "Something in `postkit.json` has no effect.", "Correct it as the message says.")
    case .dialectSuggestion: .init(
        .information, "The file looks like that of another tool, which reads it differently.",
        "Write `# @dialect NAME` at its top, or `# @dialect auto`.", edit: \.dialects)
    case .differsElsewhere: .init(
        .hint, "Other tools read this differently.", "Change it if the file is for them, too.",
        edit: \.portable)
    case .targetUnsupported: .init(
        .warning, "The tool of `--target` does not support this.", "Remove or change it.")
    case .targetDiffers: .init(
        .warning, "The tool of `--target` reads this differently.", "Change it.")
    case .protocolUnsupported: .init(
        .information, "This version does not support something.",
        "Remove it; the message says what happens without.")
    case .openAPIPath: .openAPIPath
    case .openAPIMethod: .openAPIMethod
    case .openAPIQuery: .openAPIQuery
    case .openAPIMissing: .openAPIMissing
    case .openAPIType: .openAPIType
    case .openAPIHeader: .openAPIHeader
    case .openAPIContentType: .openAPIContentType
    case .openAPIBody: .openAPIBody
    case .openAPIResponsePath: .openAPIResponsePath
    case .openAPIFile: .openAPIFile
    case .syntax: .init(
        .error, "Something can't be read as it is written.", "Correct it as the message says.")
    case .usage: .init(
        .error, "The selected environment does not exist.",
        "Select one that the message names, or define it.")
    case .tooMany: .init(
        .information, "The file has more problems than the limit shows.", "Fix the first ones.")
    case .tooLong: .init(
        .information, "The file is too long to be checked.",
        "Split it into files of some thousand requests.")
    }
  }
}
