// Variables that nothing reads, said only where the setting `diagnostics.unused` asks for it, and
// names that nothing defines.

import PostKitEvaluate
import PostKitSyntax

extension ProjectIndex {
  /// The remarks on the definitions of a request file or an environment file that nothing reads.
  ///
  /// There are none where something may read any name, or where files are missing in the index.
  package func unusedVariables(in path: String) -> [Diagnostic] {
    guard gap == nil, unread.isEmpty, let file = files[path] else { return [] }
    let candidates = file.occurrences {
      ProjectIndex.isForReferences($0) && !ProjectIndex.isReadByPostKit($0.name)
    }
    if candidates.isEmpty { return [] }
    let readers = readers(of: file)
    // A file of environments without any request around it is not judged.
    guard readers.contains(where: { !$0.isEnvironment }),
      !readers.contains(where: ProjectIndex.mayReadAnything)
    else { return [] }
    var seen: Set<String> = []
    return candidates.compactMap { found in
      guard !readers.contains(where: { $0.reads(found.name) }),
        // One remark for the same name in each environment.
        seen.insert((found.owner ?? "") + "\u{0}" + found.name).inserted
      else { return nil }
      // A key stands in quotes.
      let quote = file.isEnvironment ? 1 : 0
      return Diagnostic(
        .variableUnused, found.range.lowerBound - quote..<found.range.upperBound + quote,
        "`\(found.name)` is never used. Remove it, or write `{{\(found.name)}}` where you mean it.")
    }
  }

  /// Whether a definition is there for references alone: what scripts set as globals may be meant
  /// for other tools and later sessions.
  private static func isForReferences(_ found: NameOccurrence) -> Bool {
    found.role == .fileVariable || found.role == .scriptVariable
      || found.role == .environmentKey && found.path.isEmpty
  }

  /// The files that see what a file defines.
  private func readers(of file: FileNames) -> [FileNames] {
    let near: [Int] =
      file.isEnvironment
      ? groups.indices.filter { sees($0, file) } : [groupOfFile[file.path]].compactMap { $0 }
    let requests = near.flatMap { groups[$0] }.compactMap { files[$0] }
    return requests + environments.filter { environment in near.contains { sees($0, environment) } }
  }

  /// Whether a name has a meaning without being written in braces.
  private static func isReadByPostKit(_ name: String) -> Bool {
    // The host of a target that is a path alone, and the guard of an environment.
    ["host", "confirm"].contains(name) || EnvironmentSet.isReserved(name)
      || RequestSettings.isSetting(name)
  }

  /// Whether a file may read any name: one that a script puts together, or one in a file whose path
  /// has references in it.
  private static func mayReadAnything(_ file: FileNames) -> Bool {
    !file.occurrences {
      $0.role == .openName || $0.role == .openPath || $0.role == .openIncludePath
    }.isEmpty
  }

  /// What an environment file may be wanted to define: the names that request files below its
  /// folder read and nothing defines, the most used first; of a dotenv file also those that
  /// `$dotenv` reads.
  package func namesWanted(in path: String) -> [String] {
    guard let environment = files[path], environment.isEnvironment else { return [] }
    let folder = environment.environmentFolder
    var seen = SeenTexts()
    for file in files.values.sorted(by: { $0.path < $1.path })
    where !file.isEnvironment && FilePathText.isInside(file.place, folder) {
      for part in file.parts {
        for occurrence in part.names.occurrences where isMissing(occurrence, in: file) {
          seen.add(occurrence.name)
        }
      }
    }
    return seen.sorted
  }

  private func isMissing(_ occurrence: NameOccurrence, in file: FileNames) -> Bool {
    if occurrence.role == .dotEnvReference { return true }
    return occurrence.role == .reference && occurrence.rest.isEmpty
      && !definesVariable(occurrence.name, seenIn: file)
      && requests(of: occurrence, in: file).isEmpty
  }
}

extension FileNames {
  /// Whether a name stands in the file other than where it is defined. Where it has dots, a path
  /// may lead on behind it.
  fileprivate func reads(_ name: String) -> Bool {
    if tally.keys[name, default: 0] > tally.definitions[name, default: 0] { return true }
    // Scripts know it by a name that is an identifier.
    let folded = ScriptVariableName.folded(name)
    if folded != name, tally.keys[folded] != nil { return true }
    guard let dot = name.firstIndex(of: ".") else { return false }
    return tally.keys[String(name[..<dot])] != nil
  }
}
