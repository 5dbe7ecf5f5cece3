// The names that request files read and nothing defines.

extension ProjectIndex {
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
