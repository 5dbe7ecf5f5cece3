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
      "Save the file as UTF-8, unless they are meant: they are sent as they are."
    ),
    .indentedSeparator: ("Blanks stand before `###`.", "Move it to the start of the line."),
    .missingSeparator: ("A line of a body looks like a request line.", "Put `###` before it."),
    .noRequestLine: ("A named block has no request.", "Write a method and a URL."),
    .duplicateName: ("Two requests have the same name.", "Give one of them another name."),
    .unknownMethod: ("The method is not registered.", "Check its spelling; it is sent as it is."),
    .schemeAssumed: ("The URL begins with its host.", "Write `http://` or `https://` before it."),
    .malformedHeader: (
      "A line is neither a header nor the start of a body.",
      "Write `Name: value`, or a blank line before the body."
    ),
    .urlEncoding: (
      "A URL has a character that no URL may have; it is sent as `%XX`.",
      "Write `%XX` for it, so that every tool sends the same."
    ),
    .duplicateHeader: (
      "A header that may be there once is there twice.",
      "Remove one of them: a server takes either, or refuses the request."
    ),
    .contentLength: (
      "`Content-Length` is written, but worked out when the request is sent.",
      "Remove it."
    ),
    .contentTypeMissing: (
      "A body that looks like JSON or XML is sent without a `Content-Type`.",
      "Add one: many servers refuse such a body, or take it for something else."
    ),
    .missingBlankLine: ("A body follows the headers at once.", "Put a blank line before it."),
    .commentInBody: (
      "A line of a body looks like a comment and is sent.",
      "Put it above the request if it is a comment."
    ),
    .jsonBody: (
      "A body of a JSON type is not JSON.",
      "Mend it, or give it another `Content-Type`."
    ),
    .xmlBody: (
      "A body of an XML type is not XML.",
      "Mend it, or give it another `Content-Type`."
    ),
    .bodyOnGet: (
      "A GET, HEAD or TRACE request has a body.",
      "Write `POST`, unless the server is known to read it."
    ),
    .formMissingAmpersand: (
      "Two pairs of a form have no `&` between.",
      "Put one at the end of the upper line."
    ),
    .multipartBoundary: (
      "The delimiters of a multipart body do not fit.",
      "Write the boundary of the header before each part, and `--` behind the last."
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
      "An included file has references that are not resolved.",
      "Write `<@` in place of `<`."
    ),
    .ambiguousPath: ("A path leads to two files.", "Write it so that it is clear."),
    .curlOption: ("A word of a curl command is left out.", "Check its spelling, or take it away."),
    .metadataUnknown: ("No tool knows a tag.", "Check its spelling."),
    .metadataInBody: ("A tag stands in a body.", "Move it above the request line."),
    .durationUnit: ("A duration is a bare number.", "Write its unit: `30 s`, `500 ms`."),
    .deprecated: ("A header or tag is obsolete.", "Write what the sentence names in its place."),
    .commandsDisabled: ("A tag would run a shell command.", "Run the command outside of PostKit."),
    .importUnresolved: ("An imported file can't be read.", "Check the path."),
    .importCycle: ("Files import each other.", "Take one of the imports away."),
    .runUnresolved: ("A `run` line names nothing.", "Check the name or the path."),
    .requestNotFound: (
      "A tag names no request of the file.",
      "Give the request that name with `# @name`."
    ),
    .requestCycle: ("Requests need each other.", "Take one of the references away."),
    .requestNotRun: (
      "A reference reads a response that is not there yet.",
      "Send that request first."
    ),
    .variableSyntax: ("A line that begins with `@` defines nothing.", "Write `@name = value`."),
    .unclosedVariable: ("A reference has no end.", "Close it with `}}`."),
    .unresolvedVariable: ("Nothing defines a name.", "Define it in the file or in an environment."),
    .variableCycle: ("Definitions go round in a circle.", "Give one of them a value of its own."),
    .variableRedefined: ("A name is defined more than once.", "Give one of them another name."),
    .variableShadowed: (
      "A name is defined in the file and in the environment.",
      "Give one of them another name."
    ),
    .variableUnused: (
      "Nothing reads a variable; said in editors where the setting `diagnostics.unused` is on.",
      "Remove it, or write `{{name}}` where it is meant."
    ),
    .quotedValue: (
      "A value stands in quotes, which are sent.",
      "Take them away unless they are meant."
    ),
    .backslashValue: (
      "A value has a backslash that REST Client leaves out.",
      "Write it without one."
    ),
    .dynamicArguments: (
      "The arguments of a dynamic variable are wrong.",
      "Write them as the sentence says."
    ),
    .jsonPathSyntax: ("A JSONPath can't be read.", "Mend it where the sentence says."),
    .xpathSyntax: ("An XPath can't be read.", "Mend it where the sentence says."),
    .assertionInBody: (
      "A line that looks like a check is a part of the body.",
      "Put a blank line above it."
    ),
    .assertionSyntax: ("A `??` line is no assertion.", "Write `?? status == 200`, for example."),
    .assertionFailed: (
      "A check failed when its request was sent last.",
      "Look at the response, mend the request or the check, and send it again."
    ),
    .textAfterHandler: (
      "Text follows the response handler.",
      "Move it above, or begin a new request with `###`."
    ),
    .scriptLanguage: ("A script is in Lua.", "Write it in JavaScript."),
    .credentialShape: (
      "A password is missing or can't be told from the name.",
      "Write `Basic user password`."
    ),
    .insecureAuthorization: (
      "A password goes to another machine over `http`, so that it can be read on the way.",
      "Write `https://`."
    ),
    .secretInFile: (
      "A password or token stands in the file.",
      "Put it into `http-client.private.env.json`."
    ),
    .environmentFile: ("An environment file can't be read.", "Mend it where the sentence says."),
    .duplicateKey: (
      "A name stands more than once in an environment, or in a dotenv file.",
      "Remove all but the last, which counts."
    ),
    .missingKey: (
      "An environment lacks a name that others have.", "Give it a value there, or in `$shared`."
    ),
    .settingsFile: (
      "Something in `postkit.json` has no effect.", "Mend it as the sentence says."
    ),
    .dialectSuggestion: (
      "The file looks like that of another tool, which reads it otherwise.",
      "Write `# @dialect NAME` at its top, or `# @dialect auto`."
    ),
    .differsElsewhere: (
      "Other tools read this otherwise.",
      "Write it in another way if the file is for them, too."
    ),
    .targetUnsupported: (
      "The tool of `--target` does not know this.",
      "Leave it out, or write it in another way."
    ),
    .targetDiffers: ("The tool of `--target` reads this otherwise.", "Write it in another way."),
    .protocolUnsupported: (
      "This version does not do that yet.",
      "Leave it out; the sentence says what happens without."
    ),
    .syntax: ("Something can't be read as it is written.", "Mend it as the sentence says."),
    .usage: (
      "The environment that was chosen does not exist.",
      "Choose one that the sentence names, or define it."
    ),
    .tooLong: (
      "The file is too long to be looked into.", "Split it into files of some thousand requests."
    ),
    .tooMany: ("There is more to say than the limit lets through.", "Mend the first ones."),
  ]
}
