// Counts what an analysis asks of its context: an edit should leave most of a file alone.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import Synchronization

/// The names that something was asked for.
final class Looks: Sendable {
  private let asked = Mutex<[String]>([])

  /// In the order of the questions.
  var names: [String] { asked.withLock { $0 } }

  /// How many questions there were.
  var count: Int { names.count }

  /// Notes a question.
  func note(_ name: String) { asked.withLock { $0.append(name) } }
}

extension Analysis {
  /// The same look at the same file, in another world.
  func inContext(_ change: (inout EvaluationContext) -> Void) -> Analysis {
    var context = context
    change(&context)
    return Analysis(document: document, scope: scope, context: context, defaults: defaults)
  }
}

extension Bench {
  /// A file of fifty equal requests into one of which a letter was typed; `cache` knows it as it
  /// was before.
  func typing(into block: String, _ cache: inout DiagnosticsCache) -> Analysis {
    var bytes = Array(String(repeating: block, count: 50).utf8)
    let first = analysis(bytes)
    _ = first.diagnostics(limit: 1_000, reusing: &cache)
    bytes.insert(UInt8(ascii: "x"), at: first.document.requests[20].range.upperBound - 1)
    return analysis(bytes, reusing: first.document)
  }
}
