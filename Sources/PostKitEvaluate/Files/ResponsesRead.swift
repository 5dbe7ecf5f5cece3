// Whose responses the files read, so that no others are kept.

import PostKitSyntax

extension RequestFiles {
  /// The requests whose responses are read, and whether the latest response of all is.
  package var responsesRead: (places: Set<RequestPlace>, latest: Bool) {
    var places: Set<RequestPlace> = []
    var readsLatest = false
    for (file, document) in files.map(\.document).enumerated() {
      for block in document.blocks {
        let references = block.references.map(\.expression)
        var names = references.compactMap(RequestFiles.nameRead)
        if let tag = block.loopTag, let loop = LoopSyntax(block.text(tag.value)).expression {
          names += [RequestFiles.nameRead(loop)].compactMap { $0 }
        }
        if names.contains("response") { readsLatest = true }
        for name in names + block.assertedNames {
          let place = Evaluator.requestNames(in: name).lazy.compactMap {
            self.place(referredToAs: $0, from: file)
          }.first
          if let place { places.insert(place) }
        }
      }
    }
    return (places, readsLatest)
  }

  /// The request that an expression reads, if it reads one; the list of a loop's responses is read
  /// without any path, too.
  private static func nameRead(_ expression: ReferenceExpression) -> String? {
    if let name = expression.exchangeName { return name }
    if case .path(let name, "") = expression, name.hasSuffix("List") { return name }
    return nil
  }
}
