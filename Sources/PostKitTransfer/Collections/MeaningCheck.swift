// Whether a request that was taken out of its file is still the same: both are built, in a world in
// which nothing changes, and compared.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// Compares a request in its file with the text that it is stored with.
struct MeaningCheck {
  private let document: ParsedDocument
  private let dialect: Dialect
  private let context: EvaluationContext

  /// Compares with the requests of a file.
  init(_ needs: RequestNeeds) {
    document = needs.document
    dialect = needs.dialect
    // Any name of the file may be used in others that are read into bodies.
    let names = document.names.definitions.keys.sorted().map { "{{\($0)}}" }.joined(separator: " ")
    context = EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 7 }, processEnvironment: { _ in nil },
      readFile: { _ in .bytes(Array(names.utf8)) }, resolvePath: { $0 }, exampleServer: { nil },
      exchange: { _ in nil })
  }

  /// Whether a block of the file is built as the main request of a text is.
  func isSame(_ block: ParsedBlock, as text: String) -> Bool {
    let copy = ParsedDocument(bytes: text.keptBytes, rules: document.rules)
    guard let main = copy.mainRequest(sharesBlocks: dialect.sharesBlocks) else { return false }
    return built(block, document) == built(main, copy)
  }

  /// What is sent, and which names have no value yet; `nil` where nothing can be sent.
  private func built(_ block: ParsedBlock, _ document: ParsedDocument) -> Built? {
    guard block.isRequest else { return nil }
    let scope = Scope(
      document: document, environments: EnvironmentSet(sources: [], active: nil), dialect: dialect)
    let lowered = Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope),
      defaults: RequestDefaults(userAgent: ""))
    return lowered.spec.map { Built(spec: $0, problems: lowered.problems.map(\.code)) }
  }

  private struct Built: Equatable {
    var spec: RequestSpec
    var problems: [FailureCode]
  }
}
