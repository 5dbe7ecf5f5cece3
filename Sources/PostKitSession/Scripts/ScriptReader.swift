// Has the engine read scripts, and finds the places of its complaints (SC-72).

package import PostKitLanguage
package import PostKitScripting
import PostKitSyntax

/// Has the engine read scripts, and finds the places of its complaints.
package enum ScriptReader {
  /// What is wrong with texts, in their order; those that can be read are left out.
  ///
  /// Errors: the engine is missing, or has ended.
  package static func mistakes(
    _ sources: [ScriptSource], _ engine: any ScriptEngine, _ limits: ScriptLimits
  ) async throws(ScriptEngineFailure) -> [(source: ScriptSource, mistake: ScriptSyntaxMistake)] {
    if sources.isEmpty { return [] }
    let session = try await engine.session(limits, seed: nil, now: nil)
    let found = try await mistakes(sources, session)
    await session.close()
    return sources.compactMap { source in
      (found[source.key] ?? nil).map { (source, $0) }
    }
  }

  /// What is wrong with each text; `nil` for those that can be read.
  ///
  /// Errors: the engine has ended.
  static func mistakes(
    _ sources: [ScriptSource], _ session: any ScriptSession
  ) async throws(ScriptEngineFailure) -> [ScriptSourceKey: ScriptSyntaxMistake?] {
    let items = sources.enumerated().map { index, source in
      item("\(index)", String(decoding: source.bytes, as: UTF8.self), source)
    }
    var result: [ScriptSourceKey: ScriptSyntaxMistake?] = [:]
    for (source, checked) in zip(sources, try await check(items, session)) {
      guard let error = checked.error else {
        result[source.key] = .some(nil)
        continue
      }
      var failure: ScriptEngineFailure?
      let tokens = ScriptTokens(source.bytes)
      result[source.key] = await tokens.mistake(error.message, line: error.line) { text in
        do throws(ScriptEngineFailure) {
          if failure != nil { return nil }
          return try await check([item("0", text, source)], session).first?.error?.message
        } catch {
          failure = error
          return nil
        }
      }
      if let failure { throw failure }
    }
    return result
  }

  private static func item(
    _ key: String, _ text: String, _ source: ScriptSource
  ) -> CheckScripts.Item {
    let kind: CheckScripts.Kind =
      switch source.kind {
      case .script: .script
      case .expression: .expression
      case .module: .module
      }
    let isModule = kind == .module
    return CheckScripts.Item(
      key: key, text: isModule ? ScriptTokens(Array(text.utf8)[...]).withoutExports : text,
      kind: kind)
  }

  private static func check(
    _ items: [CheckScripts.Item], _ session: any ScriptSession
  ) async throws(ScriptEngineFailure) -> [ScriptChecked] {
    await session.begin(.check(CheckScripts(id: 1, items: items)))
    while true {
      switch await session.next() {
      case .checked(_, let found): return found
      case .failed(let failure): throw failure
      case .done, .values, .log, .call: break
      }
    }
  }
}
