// The scripts of request files, read by the engine for `postkit check`; none is run.

import PostKitLanguage
import PostKitRunner
import PostKitScripting
import PostKitSession
import PostKitSyntax

/// Checks the syntax of scripts; the engine starts with the first one.
struct ScriptsCheck {
  /// A script in a file of its own.
  struct File {
    let path: String
    /// Its text, none of which is a request.
    let text: ParsedDocument
  }

  /// What was found.
  struct Findings {
    /// What is wrong in the request file.
    var own: [Diagnostic] = []
    /// What is wrong in files of scripts that were not looked at before.
    var files: [(File, [Diagnostic])] = []
    /// Why the scripts could not be read.
    var failure: String?
  }

  private var host: ScriptHost?
  /// The script files that were looked at.
  private var seen: Set<String> = []

  /// Has looked at nothing yet.
  init() {}

  /// Reads the scripts of a request file, and of the files that they name.
  mutating func check(_ file: RequestFile, _ analysis: Analysis) async -> Findings {
    var findings = Findings()
    guard file.document.hasScripts else { return findings }
    var sources = ScriptSources()
    let own = sources.sources(of: file.document)
    let files = file.workspace.scriptFiles(named: sources.files)
      .filter { seen.insert($0.path).inserted }
    let all = own + files.map { ScriptSource(file: $0.path, $0.bytes, isModule: $0.isModule) }
    let host = host ?? ScriptHost()
    self.host = host
    do throws(ScriptEngineFailure) {
      let mistakes = try await ScriptReader.mistakes(all, host, file.settings.scriptLimits)
      findings.own = mistakes.filter { $0.source.file == nil }.compactMap {
        analysis.syntaxDiagnostic($0.mistake, in: $0.source)
      }
      findings.files = files.compactMap { file in
        let own = mistakes.filter { $0.source.file == file.path }
        if own.isEmpty { return nil }
        // The text is read for its lines alone.
        let text = ParsedDocument(bytes: file.bytes)
        return (
          File(path: file.path, text: text),
          own.map { Diagnostic($0.mistake, in: $0.source) }
        )
      }
    } catch {
      if case .missing = error {
        findings.own = own.first.map { [analysis.missingEngine(at: $0)] } ?? []
      } else {
        findings.failure = error.message
      }
    }
    return findings
  }

  /// Ends the engine, where it was started.
  func end() { host?.end() }
}
