// Where a run looks for files, and what those refer to that requests include.

import PostKitEvaluate

extension RunState {
  /// What included files refer to, so far as they may be read.
  static func includedReferences(
    _ scope: Scope, _ workspace: Workspace
  ) -> [RequestPlace: IncludedReferences] {
    scope.includedReferences { path, place in
      let workspace = RunState.workspace(of: place.file, scope, workspace)
      guard let found = workspace.resolve(path), case .bytes(let bytes) = workspace.content(found)
      else { return nil }
      return bytes
    }
  }

  /// The surroundings of a file of a run, of which the main one's are known.
  private static func workspace(of file: Int, _ scope: Scope, _ main: Workspace) -> Workspace {
    var workspace = file == 0 ? main : main.beside(scope.files.files[file].path)
    workspace.pathBase = scope.dialect(of: file).pathBase
    return workspace
  }

  /// The surroundings of the file of a request.
  func workspace(of place: RequestPlace) -> Workspace {
    var workspace = RunState.workspace(of: place.file, scope, input.workspace)
    // The run's own rule counts, which knows of an answer that came meanwhile.
    workspace.outsideRefusal = outsideExplanation
    return workspace
  }
}
