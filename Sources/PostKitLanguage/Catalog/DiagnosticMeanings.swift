// What each code of a diagnostic means and what to do about it, in a sentence each.

extension DiagnosticCode {
  /// When it is raised.
  package var meaning: String { words.meaning }

  /// What to do about it.
  package var remedy: String { words.remedy }

  private var words: (meaning: String, remedy: String) { DiagnosticCode.words[self] ?? ("", "") }

  private static let words: [DiagnosticCode: (meaning: String, remedy: String)] = [
    .byteOrderMark: ("The file begins with a byte order mark.", "Save it as UTF-8 without one."),
    .mixedLineEnds: (
      "Some lines end in LF and some in CRLF.",
      "Save the file with one kind of line end."
    ),
    .invalidUTF8: (
      "Some bytes are not UTF-8.",
      "Save the file as UTF-8, unless you mean to send them as they are."
    ),
    .indentedSeparator: ("Blanks precede `###`.", "Move it to the start of the line."),
    .missingSeparator: ("A line of a body looks like a request line.", "Add `###` before it."),
    .noRequestLine: ("A named block has no request.", "Write a method and a URL."),
    .duplicateName: ("Two requests have the same name.", "Rename one of them."),
    .unknownMethod: (
      "The method is not registered.",
      "Check its spelling; PostKit sends it as written."
    ),
    .schemeAssumed: ("The URL has no scheme.", "Write `http://` or `https://` before the host."),
    .malformedHeader: (
      "A line is neither a header nor the start of a body.",
      "Write `Name: value`, or add a blank line before the body."
    ),
    .urlEncoding: (
      "A URL contains a character that PostKit sends as `%XX`.",
      "Write `%XX`, so that every tool sends the same."
    ),
    .duplicateHeader: (
      "A header that may occur once occurs twice.",
      "Remove one of them: a server takes either, or refuses the request."
    ),
    .unknownHeader: ("A header looks like a misspelt known one.", "Correct its name."),
    .contentLength: (
      "PostKit computes `Content-Length` and ignores the written one.",
      "Remove it."
    ),
    .contentTypeMissing: (
      "A body that looks like JSON or XML has no `Content-Type`.",
      "Add one: many servers refuse such a body or misread it."
    ),
    .missingBlankLine: ("A body follows the headers without a blank line.", "Add one before it."),
    .commentInBody: (
      "A line of a body looks like a comment and is sent.",
      "Move it above the request if it is a comment."
    ),
    .jsonBody: ("A body of a JSON type is not JSON.", "Correct it, or change its `Content-Type`."),
    .xmlBody: ("A body of an XML type is not XML.", "Correct it, or change its `Content-Type`."),
    .bodyOnGet: (
      "A GET, HEAD or TRACE request has a body.",
      "Write `POST`, unless you know that the server reads it."
    ),
    .formMissingAmpersand: (
      "Two pairs of a form have no `&` between them.",
      "Add one at the end of the upper line."
    ),
    .multipartBoundary: (
      "The delimiters of a multipart body do not match its header.",
      "Write the boundary of the header before each part, and `--` after the last."
    ),
    .graphQLVariables: (
      "The variables of a query are not a JSON object.",
      #"Write an object, such as `{"id": 1}`."#
    ),
    .fileNotFound: (
      "A file is missing or can't be read.",
      "Check the path; it counts from the request file, then from the root folder."
    ),
    .fileHasVariables: (
      "PostKit sends an included file without resolving its references.",
      "Write `<@` instead of `<`."
    ),
    .ambiguousPath: ("A path matches two files.", "Write a path that matches one."),
    .curlOption: ("PostKit ignores a word of a curl command.", "Check its spelling, or remove it."),
    .metadataUnknown: ("A tag is unknown and has no effect.", "Check its spelling."),
    .metadataInBody: ("A tag is inside a body.", "Move it above the request line."),
    .durationUnit: ("A duration has no unit.", "Add one: `30 s`, `500 ms`."),
    .deprecated: ("A header or tag is obsolete.", "Use the one that the message names."),
    .commandsDisabled: ("A tag asks for a shell command.", "Run the command outside of PostKit."),
    .importUnresolved: ("An imported file can't be read.", "Check the path."),
    .importCycle: ("Files import each other.", "Remove one of the imports."),
    .runUnresolved: (
      "A `run` line names an unknown request or file.",
      "Check the name or the path."
    ),
    .requestNotFound: (
      "A tag names an unknown request.",
      "Give the request that name with `# @name`."
    ),
    .requestCycle: ("Requests need each other.", "Remove one of the references."),
    .requestNotRun: (
      "A reference reads a response that does not exist yet; the first place is marked.",
      "Send that request first."
    ),
    .variableSyntax: ("A line that begins with `@` is not a definition.", "Write `@name = value`."),
    .unclosedVariable: ("A reference is not closed.", "Add `}}`."),
    .unresolvedVariable: ("A name is not defined.", "Define it in the file or in an environment."),
    .noEnvironment: (
      "Environments define names of the file, but none is selected; editors mark the first one.",
      "Select an environment. `postkit check` marks each name as `unresolved-variable`."
    ),
    .setByScript: (
      "A script sets a name, and this version does not run scripts.",
      "Define the name with `@name = value`."
    ),
    .variableCycle: ("Definitions use each other.", "Give one of them a value of its own."),
    .variableRedefined: ("A name is defined more than once.", "Rename one of them."),
    .variableShadowed: (
      "The file and the environment define the same name.",
      "Rename one of them."
    ),
    .variableUnused: (
      "A variable is never used; editors mark it if the setting `diagnostics.unused` is on.",
      "Remove it, or write `{{name}}` where you mean it."
    ),
    .quotedValue: ("A value has quotes, which are sent.", "Remove them unless you mean them."),
    .backslashValue: ("REST Client drops a backslash of a value.", "Write it without one."),
    .dynamicArguments: (
      "The arguments of a dynamic variable are wrong.",
      "Write them as the message says."
    ),
    .jsonPathSyntax: ("A JSONPath is invalid.", "Correct it where the message says."),
    .xpathSyntax: ("An XPath is invalid.", "Correct it where the message says."),
    .assertionInBody: (
      "A line that looks like a check is part of the body.",
      "Add a blank line above it."
    ),
    .assertionSyntax: ("A `??` line is not a check.", "Write, for example, `?? status == 200`."),
    .assertionFailed: (
      "A check failed when you last sent its request.",
      "Correct the request or the check, and send it again."
    ),
    .textAfterHandler: (
      "Text follows the response handler.",
      "Move it above, or start a new request with `###`."
    ),
    .scriptLanguage: ("A script is in Lua.", "Write it in JavaScript."),
    .credentialShape: (
      "A password is missing, or the login does not show where it begins.",
      "Write `Basic user password`."
    ),
    .insecureAuthorization: (
      "A password goes to another machine over `http`, where others can read it.",
      "Write `https://`."
    ),
    .secretInFile: (
      "A request or environment file contains a password, a token or a webhook address.",
      "Move it to `http-client.private.env.json`."
    ),
    .environmentFile: ("An environment file can't be read.", "Correct it where the message says."),
    .duplicateKey: (
      "An environment or dotenv file defines a name twice.",
      "Remove all but the last, which counts."
    ),
    .missingKey: (
      "An environment does not define a name that others define.",
      "Give it a value there, or in `$shared`."
    ),
    .settingsFile: (
      "Something in `postkit.json` has no effect.",
      "Correct it as the message says."
    ),
    .dialectSuggestion: (
      "The file looks like that of another tool, which reads it differently.",
      "Write `# @dialect NAME` at its top, or `# @dialect auto`."
    ),
    .differsElsewhere: (
      "Other tools read this differently.",
      "Change it if the file is for them, too."
    ),
    .targetUnsupported: ("The tool of `--target` does not support this.", "Remove or change it."),
    .targetDiffers: ("The tool of `--target` reads this differently.", "Change it."),
    .protocolUnsupported: (
      "This version does not support something.",
      "Remove it; the message says what happens without."
    ),
    .syntax: ("Something can't be read as it is written.", "Correct it as the message says."),
    .usage: (
      "The selected environment does not exist.",
      "Select one that the message names, or define it."
    ),
    .tooLong: (
      "The file is too long to be checked.",
      "Split it into files of some thousand requests."
    ),
    .tooMany: ("The file has more problems than the limit shows.", "Fix the first ones."),
  ]
}
