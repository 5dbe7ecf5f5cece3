// One request of an import, brought up to date with its source where it stands (IO-37).

import PostKitHTTP

/// What came of bringing one request up to date.
package enum RequestUpdate: Sendable, Hashable {
  /// The whole file anew, and the parts that were changed on both sides, of which the file's stay.
  /// Where nothing changes it is the file as it was.
  case merged(file: [UInt8], kept: [String])
  /// The import before has no such request.
  case unknown
  /// The source or the folder can't be used; a sentence says why.
  case failed(String)
}

extension OriginImport {
  /// Merges what the source says now of a request into the block at an offset of a file, by what
  /// the import before has remembered in the target (IO-20). `ids` are the words that the source
  /// may have for the request, the likeliest first. Nothing is written.
  package func update(
    _ ids: [String], at offset: Int, of file: [UInt8], _ watch: ImportWatch
  ) -> RequestUpdate {
    var report = ImportReport(sources: inputs.map(\.name))
    do throws(Stop) {
      guard let target, let earlier = try manifest(of: target),
        let id = ids.first(where: { earlier.requests[$0] != nil }),
        let base = earlier.requests[id]
      else { return .unknown }
      var order = self
      order.takeOver(earlier)
      order.writing.variablesThere = variablesThere(in: target)
      var sources = try read(&report)
      let written = try order.written(&sources, &report, watch).folder
      let own = written.files.first { $0.blocks.contains { $0.id == id } }
      guard let own, let theirs = OriginBlock.all(of: own, FileParts(own.text.keptBytes))
        .first(where: { $0.id == id })
      else { return .unknown }
      return Self.merge(theirs, base, at: offset, of: FileParts(file)) ?? .unknown
    } catch {
      return .failed(error.message)
    }
  }

  private static func merge(
    _ theirs: OriginBlock, _ base: ImportManifest.Request, at offset: Int, of file: FileParts
  ) -> RequestUpdate? {
    let mark = file.hasMark ? 3 : 0
    guard let number = file.blocks.firstIndex(where: {
      $0.isRequest && $0.range.lowerBound + mark <= offset
        && offset <= $0.range.upperBound + mark
    }) else { return nil }
    let mine = file.blocks[number]
    let merge = BlockMerge(mine: mine, theirs: theirs, base: base, rule: .mine)
    var result = mine
    (result.title, result.parts) = (merge.title, merge.parts)
    let isRenamed = !result.title.equalsInBytes(mine.title)
    if isRenamed { result.separator = "### \(result.title)" }
    var assembly = RequestFileAssembly(old: file, head: nil)
    let isChanged = isRenamed || result.parts != mine.parts
    assembly.pieces = file.blocks.indices.map {
      $0 == number && isChanged ? .text(result.text) : .kept($0)
    }
    return .merged(file: assembly.bytes, kept: merge.conflicts.map(\.part))
  }
}
