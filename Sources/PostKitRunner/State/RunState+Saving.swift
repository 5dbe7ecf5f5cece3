// Where a request saves its response, and what must not be replaced there (PK-90).

import PostKitEvaluate
import PostKitHTTP
import PostKitSupport

extension RunState {
  /// Why a response must not be saved where the request says. A relative path never leads outside;
  /// an absolute one does where the folder is trusted.
  func refusal(_ saves: [SaveTarget]) -> Failure? {
    for save in saves where !input.workspace.holds(save.path) {
      if save.isAbsolute, outsideRule(save.path) == nil { continue }
      let remedy =
        save.isAbsolute
        ? outsideRule(save.path) ?? ""
        : "it lies outside of \(input.workspace.root). Write an absolute path if that is meant"
      return Failure(
        .fileNotFound,
        "The response can't be saved to `\(mask.mask(save.path).text)`: \(remedy).",
        wasDeclined: save.isAbsolute && trust?.wasDeclined == true)
    }
    for save in saves {
      guard let obstacle = obstacle(save) else { continue }
      return Failure(
        .fileNotFound,
        "The response can't be saved to `\(mask.mask(save.path).text)`: \(obstacle). Save it under "
          + "another name.",
        wasDeclined: replaces(save) && trust?.wasDeclined == true)
    }
    return nil
  }

  private func obstacle(_ save: SaveTarget) -> String? {
    guard let real = FileSystem.resolved(save.path) else { return "its links form a loop" }
    var resolved = save
    resolved.path = real
    guard let obstacle = saveObstacle(resolved) else { return nil }
    return replaces(save) ? obstacle + (trust?.remedy.map { ". \($0)" } ?? "") : obstacle
  }

  /// Says of a place whose links are resolved why no response is saved there, as a clause; asked
  /// again when the answer has come, since links may have changed meanwhile.
  var saveObstacle: @Sendable (SaveTarget) -> String? {
    let (workspace, isTrusted, saved) = (input.workspace, trust == .given, savedFiles)
    return { save in
      if !workspace.holds(real: save.path), !(save.isAbsolute && isTrusted) {
        return "it lies outside of \(workspace.root)"
      }
      if let obstacle = workspace.saveObstacle(real: save.path, isTrusted: isTrusted) {
        return obstacle
      }
      if isTrusted || !save.overwrites || saved.contains(save.path)
        || !FileSystem.exists(save.path)
      {
        return nil
      }
      return "a file is there that no response was saved to, and \(workspace.root) is not trusted"
    }
  }

  /// What the request would replace in a folder that isn't trusted although no response was saved
  /// there before.
  func replaced(_ saves: [SaveTarget]) -> [TrustSubject] {
    saves.filter(replaces).map { .replacement(mask.mask($0.path).text) }
  }

  private func replaces(_ save: SaveTarget) -> Bool {
    guard save.overwrites, trust != .given, let real = FileSystem.resolved(save.path),
      input.workspace.holds(real: real), !savedFiles.contains(real)
    else { return false }
    return FileSystem.exists(real)
      && input.workspace.saveObstacle(real: real, isTrusted: false) == nil
  }

  /// Finds out which of the files that are there a response was saved to before.
  mutating func notePlaces(_ saves: [SaveTarget], _ services: RunServices) async {
    if trust == .given { return }
    for save in saves where replaces(save) {
      guard let real = FileSystem.resolved(save.path) else { continue }
      if await services.wasSaved([save.path, real]) { savedFiles.insert(real) }
    }
  }

  /// Remembers where a response was saved.
  mutating func noteSaved(_ exchange: Exchange) {
    savedFiles.formUnion(exchange.savedTo.compactMap(FileSystem.resolved))
  }
}
