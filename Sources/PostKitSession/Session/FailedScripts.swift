// The scripts that failed when their requests were sent last, for diagnostics (SC-81).

import PostKitEvaluate
package import PostKitLanguage
package import PostKitRunner
import PostKitSupport
package import PostKitSyntax

/// What failed at the last runs, by file.
package struct FailedScripts: Sendable {
  fileprivate struct Entry {
    /// The request's name, else its line.
    let request: String
    let script: FailedScript
    /// The file of the script, as it was then.
    let file: (path: String, version: FileVersion?)?
  }

  private var entries: [String: [Entry]] = [:]

  /// Nothing has failed.
  package init() {}

  /// What became of the scripts of requests that were sent.
  package struct News: Sendable {
    fileprivate var requests: Set<String> = []
    fileprivate var failed: [Entry] = []

    /// Looks at what became of requests of a document.
    package init(_ outcomes: [RunOutcome], _ document: ParsedDocument) {
      for outcome in outcomes where outcome.path == nil && outcome.place.file == 0 {
        guard document.blocks.indices.contains(outcome.place.block) else { continue }
        let block = document.blocks[outcome.place.block]
        let request = outcome.name ?? "line \(outcome.line)"
        requests.insert(request)
        failed += outcome.problems.compactMap { problem in
          guard problem.severity == .error, case .scriptFailed = problem.kind else { return nil }
          return FailedScripts.entry(problem, request, outcome.name, block, document)
        }
      }
    }
  }

  /// Takes in what failed of requests of a file, and what no longer does.
  package mutating func note(_ news: News, of file: String) {
    let kept = (entries[file] ?? []).filter { !news.requests.contains($0.request) }
    entries[file] = kept.isEmpty && news.failed.isEmpty ? nil : kept + news.failed
  }

  /// What failed of a file; what has another text by now is left out.
  package func failed(of file: String) -> [FailedScript] {
    (entries[file] ?? []).filter { entry in
      guard let file = entry.file else { return true }
      return FileSystem.version(file.path) == file.version
    }.map(\.script)
  }

  /// What failed in a script file, whose text is still the same, of requests of all files.
  package func failed(in path: String) -> [FailedScript] {
    let all = entries.sorted { $0.key < $1.key }.flatMap(\.value).filter { $0.file?.path == path }
    if all.isEmpty { return [] }
    let version = FileSystem.version(path)
    return all.filter { $0.file?.version == version }.map(\.script)
  }

  fileprivate static func entry(
    _ problem: EvaluationProblem, _ request: String, _ name: String?, _ block: ParsedBlock,
    _ document: ParsedDocument
  ) -> Entry? {
    var frames = problem.frames
    let anchor: FailedScript.Anchor?
    var file: (path: String, version: FileVersion?)?
    if let path = problem.path {
      if frames.first?.path != path {
        let place = problem.position
        frames.insert(
          EvaluationProblem.Frame(path: path, line: place?.line ?? 1, column: place?.column ?? 1),
          at: 0)
      }
      anchor = FailedScript.Anchor(file: path, in: block) ?? caller(of: problem, frames, document)
      file = (path, FileSystem.version(path))
    } else {
      let place = document.block(at: problem.range.lowerBound) ?? block
      anchor = FailedScript.Anchor(at: problem.range.lowerBound, in: place)
      // The first of them is where the diagnostic stands.
      if !frames.isEmpty { frames.removeFirst() }
    }
    return anchor.map {
      Entry(
        request: request,
        script: FailedScript(
          requestName: name, anchor: $0, message: problem.message, frames: frames), file: file)
    }
  }

  /// What of the document led into a file that it doesn't name itself, such as a module: the place
  /// in it among those that led there, else the script that ran.
  private static func caller(
    of problem: EvaluationProblem, _ frames: [EvaluationProblem.Frame], _ document: ParsedDocument
  ) -> FailedScript.Anchor? {
    let start = problem.range.lowerBound
    guard let block = document.block(at: start),
      let script = block.scripts.first(where: { block.absolute($0.range).lowerBound == start })
    else { return nil }
    let lines = block.absolute(script.range)
    let places = frames.compactMap { frame -> Int? in
      document.offset(ofLine: frame.line - 1).map { $0 + max(0, frame.column - 1) }
    }
    let inside = script.text == nil ? nil : places.first(where: lines.contains)
    return FailedScript.Anchor(at: inside ?? start, in: block)
  }
}
