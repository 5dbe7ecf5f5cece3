// A file with fixed surroundings, and what an editor would be told about it, as text.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitLanguage
import PostKitSyntax
import PostKitTestSupport

/// Analyses of texts in a world in which nothing changes by itself.
struct Bench {
  var environment: String? = "dev"
  var sources: [(EnvironmentSource.Kind, String)] = [
    (
      .publicFile,
      """
      {
        "$shared": {"tenant": "acme"},
        "dev": {"host": "https://dev.test", "user": "ann"}
      }
      """
    ),
    (.privateFile, #"{"dev": {"token": "s3cr3t-value", "pin": "4711"}}"#),
  ]
  var dialect = Dialect()
  /// Whether a line of the text says in place of that how it is read.
  var readsPragma = false
  var files: Set<String> = []
  /// What is in them; nothing unless it stands here.
  var contents: [String: String] = [:]
  /// Request files that others can import and run.
  var requestFiles: [String: String] = [:]
  /// The text of the dotenv file beside the request file.
  var dotEnv = ""
  /// Paths that lead to two files.
  var ambiguous: Set<String> = []
  var exchanges: [String: ReferencedExchange] = [:]
  /// Those of them that are not shown as they are.
  var shownExchanges: [String: ReferencedExchange] = [:]
  var exchangeSecrets: Set<String> = []
  var results: [LastResult] = []
  /// What becomes of XPaths, where a library would be asked.
  var xpath: XPathOutcome?
  /// What is wrong with texts that are to be XML, where a library would be asked.
  var xmlMistake: XMLMistake?
  /// The description of the API that all requests mean, as JSON.
  var description: String?
  var descriptionSeverity: DiagnosticSeverity? = .hint

  /// The analysis of a text.
  func analysis(_ bytes: [UInt8], reusing previous: ParsedDocument? = nil) -> Analysis {
    analysis(of: ParsedDocument(bytes: bytes, reusing: previous))
  }

  /// The analysis of a parsed file.
  func analysis(of document: ParsedDocument) -> Analysis {
    var analysis = Analysis(
      document: document,
      scope: Scope(
        files: reached(from: document), environments: environments(environment),
        dialect: readsPragma ? FileReading().dialect(of: document) : dialect),
      context: context, defaults: RequestDefaults(userAgent: "test"), results: results)
    if let index = description.flatMap(Bench.index) {
      analysis.descriptions = RequestDescriptions(
        revision: 1, severity: descriptionSeverity
      ) { _, _ in index }
      let named = Bench.index(
        #"{"openapi": "3.1.0", "paths": {"/users": {"get": {"operationId": "getUsers"}}}}"#)
      analysis.descriptions?.tagged = { tag in
        guard tag.path == "./named.json", let named else {
          return .failed("There is no file \(tag.path) for `@openapi`.")
        }
        return .known(named)
      }
    }
    return analysis
  }

  /// The index of a description in JSON.
  static func index(_ text: String) -> DescriptionIndex? {
    guard let tree = try? JSONTree(parsing: Array(text.utf8)) else { return nil }
    return APIDescription(DescriptionDocuments(tree)).map { DescriptionIndex($0) }
  }

  /// What is defined where an environment is in force.
  func environments(_ active: String?) -> EnvironmentSet {
    EnvironmentSet(
      sources: sources.map { kind, text in
        EnvironmentSource(
          kind: kind, file: SourceFile(path: "/project/\(kind).json", bytes: Array(text.utf8)))
      }, active: active)
  }

  private func reached(from document: ParsedDocument) -> RequestFiles {
    let files = requestFiles
    return RequestFiles(
      document, path: "./main.http",
      loader: RequestFileLoader(
        resolve: { path, _ in path == "./main.http" || files[path] != nil ? path : nil },
        read: { path in
          let document = ParsedDocument(bytes: Array((files[path] ?? "").utf8))
          return .parsed(document, FileReading().dialect(of: document))
        }))
  }

  /// The analysis of a text.
  func analysis(_ text: String) -> Analysis { analysis(Array(text.utf8)) }

  private var context: EvaluationContext {
    let (files, exchanges) = (files, exchanges)
    let (contents, ambiguous) = (contents, ambiguous)
    var context = EvaluationContext(
      now: { 1_770_271_628_009 }, localOffsetSeconds: { _ in 3_600 }, random: { 4 },
      processEnvironment: { $0 == "API_KEY" ? "k-e-y-1" : nil },
      readFile: { .bytes(Array((contents[$0] ?? "").utf8)) },
      resolvePath: { files.contains($0) ? $0 : nil },
      exampleServer: { "http://127.0.0.1:4000" }, exchange: { exchanges[$0] })
    let shown = exchanges.merging(shownExchanges) { _, masked in masked }
    context.shownExchange = { shown[$0] }
    context.exchangeSecrets = exchangeSecrets
    context.dotEnvFiles = [SourceFile(path: "/project/.env", bytes: Array(dotEnv.utf8))]
    context.isAmbiguous = { ambiguous.contains($0) }
    let names = requestFiles.keys.sorted()
    context.requestFiles = { names }
    context.processNames = { ["API_KEY"] }
    if let xpath { context.xpath = { _ in xpath } }
    let xmlMistake = xmlMistake
    context.xmlMistake = { _ in xmlMistake }
    return context
  }

  /// An exchange with a JSON response.
  static func exchange(_ body: String, headers: HeaderFields) -> ReferencedExchange {
    ReferencedExchange(
      request: SentRequest(method: "POST", url: "http://t.test/login", headers: [:]),
      requestBody: [],
      response: Response(
        httpVersion: "HTTP/1.1", status: 201, reason: "Created", headers: headers,
        body: .bytes(Array(body.utf8)), wireSize: body.utf8.count, decodedSize: body.utf8.count),
      responseBody: Array(body.utf8), milliseconds: 12)
  }

  /// A file of `count` small requests, as long as people's largest files are.
  static func large(_ count: Int) -> String {
    var text = "@base = https://dev.test\n"
    for number in 1...count {
      text += """

        ### Item \(number)
        # @name item\(number)
        POST {{base}}/items/\(number)?page=1&size=20
        Content-Type: application/json
        Authorization: Bearer {{token}}

        {"name": "item {{user}}", "number": \(number), "tags": ["alpha", "beta", "gamma"]}

        """
    }
    return text
  }
}
