// The world for looking at a file without touching anything: no server starts, nothing is sent.

package import PostKitEvaluate
package import PostKitHTTP
import PostKitSupport
package import PostKitSyntax

extension Workspace {
  /// The context in which an editor or `postkit check` looks at this file. `exchange` finds earlier
  /// responses by the request's name.
  package func analysisContext(
    environment: String?, exchange: @escaping @Sendable (String) -> ReferencedExchange?
  ) -> EvaluationContext {
    let workspace = self
    var context = EvaluationContext(
      now: { Clock.wallMilliseconds },
      localOffsetSeconds: { Clock.localOffsetSeconds(at: $0) },
      random: { UInt64.random(in: .min ... .max) },
      processEnvironment: { ProcessEnvironment.value($0) },
      readFile: { workspace.content($0) },
      resolvePath: { workspace.resolve($0) },
      // The server is started by sending; until then its address is only a word.
      exampleServer: { "http://127.0.0.1" },
      exchange: exchange)
    context.unsavedBytes = { workspace.unsavedBytes($0) }
    context.fileObstacle = { workspace.obstacle($0) }
    context.isAmbiguous = { workspace.isAmbiguous($0) }
    context.dotEnvFiles = dotEnvFiles(active: environment)
    context.processNames = { ProcessEnvironment.names }
    context.requestFiles = { workspace.requestFilesBelow }
    context.projectRoot = root
    context.xpath = { XPathOutcome(of: $0) }
    context.xmlMistake = { XMLMistake(in: $0) }
    context.placePath = { workspace.place($0) }
    return context
  }

  /// The scope of a file in an environment.
  package func scope(of document: ParsedDocument, environment: String?, dialect: Dialect) -> Scope {
    let environments = environments(active: environment, dialect)
    let files = requestFiles(of: document, environments, dialect)
    return Scope(files: files, environments: environments, dialect: dialect)
  }

  /// A request file with all those that it reaches through `import` and `run` lines, as they are
  /// in an editor where they are open there. References in paths may use definitions.
  package func requestFiles(
    of document: ParsedDocument, _ environments: EnvironmentSet, _ dialect: Dialect,
    overrides: [String: String] = [:]
  ) -> RequestFiles {
    RequestFiles(
      document, path: file, loader: loader(environments, dialect, overrides: overrides))
  }

  /// How request files find and read each other.
  func loader(
    _ environments: EnvironmentSet, _ dialect: Dialect, overrides: [String: String]
  ) -> RequestFileLoader {
    let workspace = self
    let context = analysisContext(environment: environments.active) { _ in nil }
    return RequestFileLoader(
      resolve: { path, file in
        // The dialects differ on the paths of bodies alone.
        var beside = workspace.beside(file)
        beside.pathBase = .file
        return beside.resolve(path)
      },
      read: { workspace.imported($0) },
      expand: { text, document, offset, own in
        guard text.contains("{{") else { return text }
        let scope = Scope(
          document: document, environments: environments, dialect: own ?? dialect,
          overrides: overrides)
        var evaluator = Evaluator(context: context, scope: scope)
        return evaluator.display(text, at: offset)
      })
  }

  /// How another request file is read: as its own project says, where `postkit.json` stands nearer
  /// to it than the root, else as the files of this project.
  func reading(of path: String) -> FileReading {
    let isHere = FilePath.isInside(path, directory: root)
    let top = isHere ? root : Workspace.root(of: FilePath.parent(path))
    var folder = FilePath.parent(path)
    while folder != root {
      let file = settingsFile(in: folder)
      if file.isThere {
        return file.settings.over(Settings(reading)).reading(chosen: reading.chosen)
      }
      if folder == top { break }
      folder = FilePath.parent(folder)
    }
    return reading
  }

  /// The environments around a file, as a dialect finds them.
  package func environments(active: String?, _ dialect: Dialect) -> EnvironmentSet {
    EnvironmentSet(
      sources: environmentSources(active: active, search: dialect.environmentSearch),
      active: active, privateWins: dialect.privateEnvironmentWins)
  }
}

extension ReferencedExchange {
  /// An exchange as references see it; `nil` without a response. A body in a file is read up to a
  /// limit.
  package init?(_ exchange: Exchange) {
    guard let response = exchange.response else { return nil }
    self.init(
      request: exchange.request,
      requestBody: StoredBody.bytes(exchange.request.body, limit: Limits.sourceFileBytes),
      response: response,
      responseBody: StoredBody.bytes(response.body, limit: Limits.sourceFileBytes),
      milliseconds: exchange.timings.totalMilliseconds, isRedacted: exchange.isRedacted)
  }
}
