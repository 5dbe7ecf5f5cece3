// Finds mistakes of syntax in the scripts of open documents while they are typed (SC-72). Nobody
// waits for it: what is known is answered, and what is found later is told.

package import PostKitLanguage
package import PostKitScripting
import PostKitSupport
import PostKitSyntax

/// What is known of the scripts of a document.
package struct ScriptFindings: Sendable {
  /// The scripts with mistakes.
  package var mistakes: [(source: ScriptSource, mistake: ScriptSyntaxMistake)] = []
  /// Whether there is no engine that could read them.
  package var isMissing = false

  /// Nothing is wrong.
  package init() {}
}

/// What has to be looked at for one document.
package struct ScriptOrder: Sendable {
  let uri: DocumentURI
  let root: String
  let engine: any ScriptEngine
  let limits: ScriptLimits
  /// Called when something else is known than was answered.
  let tell: @Sendable () -> Void
  fileprivate var sources: [ScriptSource] = []
  /// What was answered of them meanwhile.
  fileprivate var shown: [ScriptSourceKey: ScriptSyntaxMistake] = [:]

  /// Makes an order; the engine only reads and runs nothing.
  package init(
    _ uri: DocumentURI, root: String, engine: any ScriptEngine, limits: ScriptLimits,
    tell: @escaping @Sendable () -> Void
  ) {
    (self.uri, self.root, self.engine) = (uri, root, engine)
    (self.limits, self.tell) = (limits, tell)
  }
}

/// Knows what is wrong in scripts, and has the engine read those that it doesn't know.
package actor ScriptChecker {
  /// A mistake of the last look at a document with the text up to its end: as long as that is the
  /// same, so is the mistake.
  private struct Earlier {
    let kind: ScriptSource.Kind
    let start: [UInt8]
    let mistake: ScriptSyntaxMistake
  }

  /// What was found by the texts; `nil` for those that can be read.
  private var known: [ScriptSourceKey: ScriptSyntaxMistake?] = [:]
  private var earlier: [DocumentURI: [Earlier]] = [:]
  /// The newest orders of documents that wait, by the folder whose engine reads them.
  private var waiting: [String: [ScriptOrder]] = [:]
  private var working: Set<String> = []
  /// When it was found that there is no engine, in microseconds.
  private var missedAt: Int64?

  /// How many texts are remembered.
  private static let keptTexts = 10_000
  /// After how many microseconds an engine that was missing is looked for again.
  private static let missingSpan: Int64 = 60_000_000
  /// How many bytes are sent to the engine at once.
  private static let batchBytes = 1 << 20

  /// Knows nothing yet.
  package init() {}

  /// What is known of the scripts of a document; those of which nothing is known are looked at.
  package func look(_ sources: [ScriptSource], _ order: ScriptOrder) -> ScriptFindings {
    var findings = ScriptFindings()
    var order = order
    for source in sources {
      var mistake: ScriptSyntaxMistake?
      if let finding = known[source.key] {
        mistake = finding
      } else {
        mistake = lasting(source, order.uri)
        order.sources.append(source)
        order.shown[source.key] = mistake
      }
      if let mistake { findings.mistakes.append((source, mistake)) }
    }
    earlier[order.uri] = findings.mistakes.map { source, mistake in
      Earlier(
        kind: source.kind,
        start: Array(source.bytes.prefix(mistake.range.upperBound)), mistake: mistake)
    }
    findings.isMissing = isMissing
    if !order.sources.isEmpty, !findings.isMissing { begin(order) }
    return findings
  }

  /// Whether all that can be known of scripts is known.
  func knows(_ sources: [ScriptSource]) -> Bool { sources.allSatisfy { known[$0.key] != nil } }

  /// Forgets a document that was closed.
  package func close(_ uri: DocumentURI) { earlier[uri] = nil }

  private var isMissing: Bool {
    missedAt.map { Clock.monotonicMicroseconds - $0 < Self.missingSpan } ?? false
  }

  /// The mistake of the last look, where the text has changed behind it only.
  private func lasting(_ source: ScriptSource, _ uri: DocumentURI) -> ScriptSyntaxMistake? {
    earlier[uri]?.first {
      $0.kind == source.kind && source.bytes.starts(with: $0.start)
    }?.mistake
  }

  private func begin(_ order: ScriptOrder) {
    let root = order.root
    waiting[root, default: []].removeAll { $0.uri == order.uri }
    waiting[root, default: []].append(order)
    guard working.insert(root).inserted else { return }
    // Unstructured on purpose: nobody waits for it.
    Task(executorPreference: WorkerPool.acting) { await self.work(root) }
  }

  private func next(_ root: String) -> ScriptOrder? {
    guard waiting[root]?.isEmpty == false else { return nil }
    return waiting[root]?.removeFirst()
  }

  /// Looks at what waits, with one session for all of it.
  private func work(_ root: String) async {
    var session: (any ScriptSession)?
    while true {
      while var order = next(root) {
        order.sources.removeAll { known[$0.key] != nil }
        do throws(ScriptEngineFailure) {
          let open: any ScriptSession
          if let session { open = session } else {
            open = try await order.engine.session(order.limits, seed: nil, now: nil)
          }
          session = open
          missedAt = nil
          for part in Self.parts(order.sources) {
            keep(try await ScriptReader.mistakes(part, open))
          }
        } catch {
          if case .missing = error {
            missedAt = Clock.monotonicMicroseconds
            waiting[root] = nil
          }
          // What ends the engine is not given to it again.
          if session != nil { for source in order.sources { keep([source.key: nil]) } }
          await session?.close()
          session = nil
        }
        if isMissing || order.shown != found(order) { order.tell() }
      }
      await session?.close()
      session = nil
      guard waiting[root]?.isEmpty ?? true else { continue }
      working.remove(root)
      return
    }
  }

  private func keep(_ found: [ScriptSourceKey: ScriptSyntaxMistake?]) {
    if known.count > Self.keptTexts { known = [:] }
    known.merge(found) { $1 }
  }

  /// What is known now of the scripts of an order.
  private func found(_ order: ScriptOrder) -> [ScriptSourceKey: ScriptSyntaxMistake] {
    var result = order.shown.filter { known[$0.key] == nil }
    for source in order.sources {
      if let mistake = known[source.key] ?? nil { result[source.key] = mistake }
    }
    return result
  }

  private static func parts(_ sources: [ScriptSource]) -> [[ScriptSource]] {
    var (parts, part, bytes): ([[ScriptSource]], [ScriptSource], Int) = ([], [], 0)
    for source in sources {
      part.append(source)
      bytes += source.bytes.count
      guard bytes > batchBytes else { continue }
      parts.append(part)
      (part, bytes) = ([], 0)
    }
    return part.isEmpty ? parts : parts + [part]
  }
}
