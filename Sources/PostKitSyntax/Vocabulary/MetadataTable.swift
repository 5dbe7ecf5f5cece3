// What is known of each metadata tag. The parser's keys, completion, hover, the remarks for other
// tools and the page of the language derive from this table.

/// A tag that some tool gives a meaning.
package enum MetadataTag: UInt8, Sendable, Hashable, CaseIterable {
  // What a request is called, and what goes before it.
  case name, title, description, example, label, note, prompt, kulalaPrompt, secret, ref,
    forceRef, importFile, loop, disabled, onlyIf, sleep, delay, weight, openAPI,
    graphQLSchema
  // How it is sent.
  case noRedirect, postRedirectGet, noCookieJar, attachCookieJar, noLog, noAutoEncoding,
    noAuthRetry, timeout, connectionTimeout, keepStreaming, insecure, noRejectUnauthorized,
    noClientCert, proxy, noProxy, curlOption, curlDataURLEncode
  // How its body, its response and its file are read.
  case injectVariables, graphQL, noGraphQLParsing, expectStatusCode, envJSONKey, envHeaderKey,
    fileContents, dialect, forceRegionDelimiter, xpathNamespace
  // What has no effect here.
  case useOSCredentials, rateLimit, save, openWith, fileExtension, language, noStreamingLog,
    noResponseView, verbose, debug, metadataLogging, jwt, responseRef, grpcReflection, grpcOption,
    scriptLanguage, accept, stdinCommand, stdinCommandBefore, envStdinCommand,
    envStdinCommandBefore, jq, restClientCompatibility
}

/// What is known of one tag.
package struct MetadataEntry: Sendable {
  /// Which tag it is.
  package let tag: MetadataTag
  /// Its spelling; upper and lower case and hyphens don't count.
  package let key: String
  /// What follows the key.
  package let form: Form
  /// What becomes of it.
  package let status: Status
  /// The tools that act on it, too.
  package let tools: TargetTools
  /// What it does, in one sentence.
  package let summary: String
  /// The requests that it is about.
  package var reach = Reach.sharing
  /// Whether the keys only begin those of the tag, such as `curl-max-time`.
  package var isOpen = false
  /// Whether a line in a doubtful place is this tag.
  var isUnmistakable = true
  /// Other spellings.
  var aliases: [String] = []
  /// The spelling that its tool has given up.
  package var formerKey: String?

  /// What follows a key.
  package enum Form: Sendable, Hashable {
    case none
    /// Any text, described by these words.
    case text(String)
    case newName, requestName, requestFile, labels, condition, loop, statusCodes, preset
    /// A duration; the dialect says what a bare number counts.
    case duration
    /// A duration whose bare number counts milliseconds.
    case pause
    case prompt, labelledPrompt
    /// A variable, and what its value is: a member or a header of the response, a file's content.
    case member, header, fileContent
  }

  /// What becomes of a tag.
  package enum Status: Sendable, Hashable {
    case works
    /// A later version may bring it; until then a send says that it is ignored.
    case later
    /// It starts a command, which PostKit doesn't; a send says so.
    case command
    /// It is about the windows and logs of another tool, so nothing is lost.
    case elsewhere
  }

  /// The requests that a tag is about.
  package enum Reach: Sendable, Hashable {
    /// Its own request; of a shared block, all those that share it.
    case sharing
    /// Its own block alone.
    case block
    /// The whole file, so that it stands above the first request.
    case file
  }

  /// All spellings.
  package var keys: [String] { [key] + aliases + (formerKey.map { [$0] } ?? []) }

  /// The key and what follows it.
  package var usage: String { usage(key) }

  /// The same by one of its spellings.
  package func usage(_ key: String) -> String {
    let key = isOpen ? key + "-OPTION" : key
    return form.words.isEmpty ? key : key + " " + form.words
  }

  /// What it does, and that it does nothing here.
  package var explanation: String {
    switch status {
    case .works: summary
    case .later: summary + " This version ignores it."
    case .command: summary + " PostKit runs no shell commands, so it has no effect."
    case .elsewhere: summary + " It has no effect in PostKit."
    }
  }
}

extension MetadataEntry.Form {
  /// The words for it; empty where nothing follows.
  package var words: String {
    switch self {
    case .none: ""
    case .text(let words): words
    case .newName, .requestName: "NAME"
    case .requestFile: "PATH"
    case .labels: "NAMES"
    case .condition: "[VARIABLE]"
    case .loop: "for N | for NAME of PATH"
    case .statusCodes: "NUMBERS"
    case .preset: "PRESET"
    case .duration: "NUMBER UNIT"
    case .pause: "DURATION"
    case .prompt: "VARIABLE [LABEL]"
    case .labelledPrompt: "\"LABEL\" VARIABLE"
    case .member, .fileContent: "VARIABLE PATH"
    case .header: "VARIABLE HEADER"
    }
  }
}

/// The table of the tags.
package enum MetadataTable {
  /// All of them: those that work, the commonest first, then the others.
  package static let all = working + others

  /// Those that completion offers.
  package static let offered = working.filter { !$0.isOpen && $0.tag != .xpathNamespace }

  /// The same in the order of their numbers.
  static let byTag = all.sorted { $0.tag.rawValue < $1.tag.rawValue }

  private static let working: [MetadataEntry] = [
    tag(.name, "name", .newName, .all, "Names the request, so others can refer to it.", .block),
    tag(
      .note, "note", .text("[TEXT]"), [.restclient, .httpyac],
      "Asks whether to send the request, with this text.", .block),
    tag(
      .prompt, "prompt", .prompt, [.restclient, .kulala, .restnvim],
      "Asks for a value before the request is sent."),
    tag(
      .kulalaPrompt, "kulala-prompt", .labelledPrompt, .kulala,
      "Asks for a value before the request is sent."),
    tag(.secret, "secret", .prompt, .kulala, "Asks for a value that is never shown."),
    tag(
      .ref, "ref", .requestName, .httpyac, "Sends the named request first, once in a run.", .block),
    tag(
      .forceRef, "forceRef", .requestName, .httpyac,
      "Sends the named request first, every time.", .block),
    tag(
      .importFile, "import", .requestFile, .httpyac,
      "Imports the requests and variables of another file."),
    tag(.loop, "loop", .loop, .httpyac, "Repeats the request; `$index` counts."),
    tag(
      .disabled, "disabled", .condition, .httpyac,
      "Does not send the request, or not if the variable is true."),
    tag(.onlyIf, "if", .condition, .httpyac, "Sends the request only if the condition holds."),
    tag(
      .sleep, "sleep", .pause, .httpyac,
      "Waits before the request is sent; a bare number is milliseconds."),
    tag(
      .delay, "delay", .pause, .kulala,
      "Waits before the request is sent; a bare number is milliseconds."),
    tag(
      .weight, "weight", .text("NUMBER"), [],
      "Says how often an exported load test picks the request, compared with others.", .block),
    tag(.noRedirect, "no-redirect", .none, .notPlain, "Does not follow redirects."),
    tag(.noCookieJar, "no-cookie-jar", .none, .notPlain, "Neither sends nor stores cookies."),
    tag(
      .jwt, "jwt", .text("[NAMES]"), .httpyac,
      "Decodes the JSON Web Tokens of the response: `NAME_parsed` is the payload of `NAME`."),
    tag(
      .noLog, "no-log", .none, [.jetbrains, .httpyac, .kulala],
      "Keeps the request out of the history."),
    tag(
      .noAutoEncoding, "no-auto-encoding", .none, [.jetbrains, .kulala],
      "Sends the URL and forms as written."),
    tag(
      .noAuthRetry, "no-auth-retry", .none, [],
      "Does not send the request again with a new token where the server refuses the kept one."),
    tag(
      .timeout, "timeout", .duration, [.jetbrains, .httpyac, .kulala],
      "Limits the time of the whole request, such as `30 s`."),
    tag(
      .connectionTimeout, "connection-timeout", .duration, [.jetbrains, .kulala],
      "Limits the time to connect, such as `5 s`."),
    tag(
      .keepStreaming, "keepStreaming", .none, .httpyac,
      "Receives a stream until it ends, however long it is silent."),
    // A common word, and it switches a check off: it counts only where it can be nothing else.
    tag(
      .insecure, "insecure", .none, [],
      "Does not verify the server's certificate.") { $0.isUnmistakable = false },
    tag(
      .noRejectUnauthorized, "no-reject-unauthorized", .none, .httpyac,
      "Does not verify the server's certificate."),
    tag(.noClientCert, "no-client-cert", .none, .httpyac, "Sends no client certificate."),
    tag(.proxy, "proxy", .text("URL"), .httpyac, "Uses this proxy."),
    tag(.noProxy, "no-proxy", .none, .httpyac, "Uses no proxy."),
    tag(
      .injectVariables, "injectVariables", .none, .httpyac,
      "Resolves references inside `< file` bodies."),
    tag(.label, "tag", .labels, .httpyac, "Tags the request for `postkit run --tag`.", .block),
    tag(
      .expectStatusCode, "kulala-expect-status-code", .statusCodes, .kulala,
      "Fails on any other status."),
    tag(
      .envJSONKey, "env-json-key", .member, .kulala,
      "Sets the variable to a member of the JSON response, such as `data.items[0].id`."),
    tag(
      .envHeaderKey, "env-header-key", .header, .kulala,
      "Sets the variable to that header of the response."),
    tag(
      .fileContents, "kulala-file-contents-to-variable", .fileContent, .kulala,
      "Sets the variable to the content of the file.") { $0.formerKey = "file-to-variable" },
    tag(.dialect, "dialect", .preset, [], "Reads the file as that tool would.", .file),
    tag(.title, "title", .text("TEXT"), .httpyac, "Sets the title that is displayed.", .block),
    tag(.description, "description", .text("TEXT"), .httpyac, "Describes the request.", .block),
    tag(
      .example, "example", .text("STATUS PATH"), [],
      "Names the file of a response that the request can get.", .block
    ) { $0.isUnmistakable = false },
    tag(
      .openAPI, "openapi", .text("PATH[#OPERATION]"), [],
      "Names the OpenAPI description of the request, in the first block that of all requests."),
    tag(
      .graphQLSchema, "graphql-schema", .text("PATH"), [],
      "Names the GraphQL schema of the request, in the first block that of all requests."),
    tag(.graphQL, "graphql", .none, .kulala, "Reads the body as GraphQL."),
    tag(
      .noGraphQLParsing, "no-gql-parsing", .none, .httpyac,
      "Sends a body that looks like GraphQL as it is."),
    tag(
      .postRedirectGet, "post-redirect-get", .none, .httpyac,
      "Makes a GET of a POST that is redirected."),
    tag(
      .attachCookieJar, "attach-cookie-jar", .none, .kulala,
      "Sends and stores cookies where the dialect does not."),
    tag(
      .forceRegionDelimiter, "forceRegionDelimiter", .none, .httpyac,
      "Begins a request only behind `###`."),
    tag(
      .curlOption, "curl", .text("[VALUE]"), .kulala,
      "Gives an option of curl, such as `@curl-max-time 5`."
    ) {
      $0.isOpen = true
      $0.aliases = ["kulala-curl"]
    },
    tag(
      .xpathNamespace, "xpath_ns", .text("PREFIX=URI"), .httpyac,
      "Gives a namespace of XPath a prefix; it stands outside of comments."
    ) { $0.isUnmistakable = false },
  ]

  private static let others: [MetadataEntry] =
    others(.later, .httpyac, [.rateLimit: "ratelimit", .save: "save"])
    + others(.later, .kulala, [.jq: "jq"]) { $0.aliases = ["kulala-jq"] }
    + others(
      .command, .kulala,
      [
        .stdinCommand: "stdin-cmd", .stdinCommandBefore: "stdin-cmd-pre",
        .envStdinCommand: "env-stdin-cmd", .envStdinCommandBefore: "env-stdin-cmd-pre",
      ])
    + others(
      .elsewhere, .httpyac,
      [
        .openWith: "openWith", .fileExtension: "extension", .language: "language",
        .noStreamingLog: "noStreamingLog", .noResponseView: "noResponseView", .verbose: "verbose",
        .debug: "debug", .metadataLogging: "metadataLogging",
        .responseRef: "responseRef", .grpcReflection: "grpcReflection",
      ])
    + others(.elsewhere, .httpyac, [.grpcOption: "grpc"]) { $0.isOpen = true }
    + others(.elsewhere, .jetbrains, [.useOSCredentials: "use-os-credentials"])
    + others(.elsewhere, .restnvim, [.scriptLanguage: "lang"])
    + others(
      .elsewhere, .kulala,
      [
        .accept: "accept", .curlDataURLEncode: "curl-data-urlencode",
        .restClientCompatibility: "kulala-vscode-restclient-compat",
      ])

  private static func others(
    _ status: MetadataEntry.Status, _ tools: TargetTools,
    _ keys: KeyValuePairs<MetadataTag, String>, change: (inout MetadataEntry) -> Void = { _ in }
  ) -> [MetadataEntry] {
    let owner = TargetTool.allCases.first(where: tools.holds)?.name ?? ""
    return keys.map {
      tag($0, $1, .text("[VALUE]"), tools, "A tag of \(owner).", status: status, change: change)
    }
  }

  private static func tag(
    _ tag: MetadataTag, _ key: String, _ form: MetadataEntry.Form, _ tools: TargetTools,
    _ summary: String, _ reach: MetadataEntry.Reach = .sharing,
    status: MetadataEntry.Status = .works, change: (inout MetadataEntry) -> Void = { _ in }
  ) -> MetadataEntry {
    var entry = MetadataEntry(
      tag: tag, key: key, form: form, status: status, tools: tools, summary: summary, reach: reach)
    change(&entry)
    return entry
  }
}
