// What would be sent: a request as it is now, with nothing sent and nobody asked.

import JSONRPC
import LanguageServerProtocol
import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import PostKitLanguage
import PostKitSession
import PostKitSupport
import PostKitSyntax

/// The preview of a request: `dryRun` of `postkit/send` and of `postkit.send`.
enum RequestPreview {
  /// The request of a block, secrets masked; the error of a send where it can't be built.
  static func preview(
    _ snapshot: Snapshot, _ context: DocumentContext, _ block: ParsedBlock, _ order: SendOrder
  ) async throws(RPCError) -> LSP.PostkitSendResult {
    let analysis = await snapshot.analysis(of: context, withResults: false)
    let lowered = analysis.lowered(block, overrides: order.variables)
    let secrets = lowered.secrets.union(analysis.context.exchangeSecrets)
    let mask = SecretMask(secrets: Array(secrets))
    guard let spec = lowered.spec else {
      let problem = lowered.failure
      throw NotBuilt(context: context, snapshot: snapshot, block: block).error(
        Failure(
          problem?.code ?? .internal,
          mask.mask(problem?.message ?? "The request ended without a result.").text),
        lowered.problems)
    }
    var warnings = lowered.problems.map { mask.mask($0.message).text }
    warnings += lowered.needs.compactMap(\.prompt).map {
      "PostKit asks for `\($0.name)` when it sends the request."
    }
    warnings += lowered.needs.compactMap(\.token).map {
      "PostKit gets the token of `\($0.configuration.id)` when it sends the request."
    }
    let headers = mask.maskHeaders(spec.headers.shown).headers
    return LSP.PostkitSendResult(
      id: "", state: .done, status: nil, ms: 0, size: 0, uri: nil, error: nil,
      tests: LSP.PostkitTestCounts(passed: 0, failed: 0), recorded: false,
      resolved: LSP.PostkitResolvedRequest(
        method: mask.mask(spec.method).text, url: mask.maskURL(spec.url).text,
        headers: headers.fields.map { [$0.name, $0.value] }, body: body(spec, mask),
        warnings: warnings))
  }

  /// The beginning of the body as text; `nil` where there is none, or none that can be read.
  private static func body(_ spec: RequestSpec, _ mask: SecretMask) -> String? {
    let type = spec.headers.first("Content-Type")
    var text = ""
    for chunk in spec.body {
      switch chunk {
      case .file(let path): text += "< \(mask.mask(path).text)\n"
      case .bytes(let bytes):
        let masked = mask.maskBody(bytes, contentType: type).bytes
        guard let part = BodyText.decoded(masked, type.flatMap(MediaType.init)) else { return nil }
        text += part
      }
    }
    if text.isEmpty { return nil }
    guard text.utf8.count > Limits.hoverBodyBytes else { return text }
    let kept = String(decoding: text.utf8.prefix(Limits.hoverBodyBytes), as: UTF8.self)
    return kept + "\n# The first \(Limits.hoverBodyBytes) of \(text.utf8.count) bytes."
  }
}
