// What `postkit check` says of GraphQL: that of an editor, where a schema lies around the file.

import PostKitDescription
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSyntax

extension RequestFile {
  /// What services would refuse by the schemas that the file names or that lie around it; nothing
  /// of requests without one, since what was fetched is of no use to CI.
  func graphQLFindings(_ analysis: Analysis) -> [Diagnostic] {
    let blocks = document.blocks.filter { $0.mayBeGraphQL || $0.hasFragments }
    if blocks.isEmpty { return [] }
    let finder = SchemaFinder(workspace, settings)
    let surroundings = finder.surroundings
    var known: [[String]: (schema: ServiceSchema?, failure: String?)] = [:]
    var findings: [Diagnostic] = []
    for block in blocks {
      let paths = document.schemaTag(of: block).map { finder.files(named: $0.path) } ?? surroundings
      let parts = analysis.allGraphQL(of: block)
      if paths.isEmpty || parts.isEmpty { continue }
      let found = known[paths] ?? read(paths)
      known[paths] = found
      if let schema = found.schema {
        findings += parts.flatMap { GraphQLRequest($0, schema).diagnostics }
      }
      if let failure = found.failure {
        let finding = Diagnostic.schemaFailure(failure, of: block, in: document)
        if !findings.contains(finding) { findings.append(finding) }
      }
    }
    return findings
  }

  private func read(_ paths: [String]) -> (schema: ServiceSchema?, failure: String?) {
    let loaded = LoadedSchema(paths.map { ($0, workspace.schemaContent($0)) })
    let sources = loaded.schema.sources.dropLast().map(\.path)
    let schema = ServiceSchema(loaded.schema, .files(sources))
    return (sources.isEmpty ? nil : schema, loaded.failures.first?.message)
  }
}
