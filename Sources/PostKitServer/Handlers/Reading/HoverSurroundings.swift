// What hovers and hints show beside the file: other environments, and bodies of last responses.

import JSONRPC
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitSupport
import PostKitSyntax

extension Snapshot {
  /// The environments that can be chosen for a document beside the one in force.
  func environments(around context: DocumentContext) -> [EnvironmentSet] {
    let workspace = context.workspace
    return workspace.environments(active: nil, context.dialect).names
      .filter { $0 != context.environment }
      .prefix(Limits.environmentsShown)
      .map { workspace.environments(active: $0, context.dialect) }
  }

  /// All environments that can be chosen for a document; without any, what holds without one.
  func allEnvironments(around context: DocumentContext) -> [EnvironmentSet] {
    let workspace = context.workspace
    let names = workspace.environments(active: nil, context.dialect).names
    let shown = names.prefix(Limits.environmentsShown).map(Optional.some)
    return (shown.isEmpty ? [nil] : shown).map {
      workspace.environments(active: $0, context.dialect)
    }
  }

  /// The bodies of the last responses of the request at an offset and of those that it names, as
  /// they are shown, by the ids of their exchanges.
  func lastBodies(around offset: Int, _ analysis: Analysis) async -> [String: String] {
    guard let block = analysis.request(at: offset) else { return [:] }
    var asked = block.dependencyTags.filter {
      block.absolute($0.line).contains(offset)
    }.compactMap { analysis.scope.request(referredToAs: block.text($0.value)) }
    let line = block.requestLine
    if line.lowerBound <= offset, offset <= line.upperBound { asked.append(block) }
    var bodies: [String: String] = [:]
    for id in asked.compactMap({ analysis.result(of: $0)?.id }) {
      // What has been forgotten meanwhile has no body to show.
      guard let exchange = try? await SendResults.exchange(self, id: id),
        let response = exchange.response
      else { continue }
      let bytes = StoredBody.bytes(response.body, limit: Limits.hoverBodyBytes)
      let type = response.headers.mediaType
      bodies[id] = ResponseText.body(bytes, type, total: response.body.count)
    }
    return bodies
  }

  /// The last answer to a request, as it is shown, where a check of it stands at an offset.
  func lastAnswers(around offset: Int, _ analysis: Analysis) async -> [String: AnsweredRequest] {
    guard let block = analysis.request(at: offset), let result = analysis.result(of: block),
      block.assertions.contains(where: {
        let line = block.absolute($0.line)
        return line.lowerBound <= offset && offset <= line.upperBound
      }),
      // What has been forgotten meanwhile has no value to show.
      let exchange = try? await SendResults.exchange(self, id: result.id),
      let answer = ReferencedExchange(exchange)
    else { return [:] }
    return [result.id: AnsweredRequest(answer, timings: exchange.timings)]
  }
}
