// Heads of request files that people have edited, when the origin puts the requests elsewhere.

/// What becomes of edited heads: they go where their requests go, since these may need what people
/// have defined there.
struct HeadMoves: Sendable, Hashable {
  /// The files whose heads go on in new files, by the paths of these.
  private(set) var sources: [String: String] = [:]
  /// The files whose edited requests stay, since their head can't follow them.
  private(set) var held: Set<String> = []

  /// Says that nothing moves.
  init() {}

  /// Compares where requests were and are to be; `written` are the files that the origin makes now.
  init(
    of files: [String: FileParts], base: ImportManifest, origin: [String: OriginBlock],
    places: [String: BlockPlace], written: Set<String>
  ) {
    // Where the requests of each file go, and where those of each new file are.
    var targets: [String: Set<String>] = [:]
    var homes: [String: Set<String>] = [:]
    for (id, place) in places {
      guard let block = origin[id] else { continue }
      homes[block.file, default: []].insert(place.file)
      if base.requests[id]?.file == place.file {
        targets[place.file, default: []].insert(block.file)
      }
    }
    for (old, paths) in targets where paths != [old] {
      guard let head = files[old]?.headText,
        PartHash.of(head) != base.files[old]?.hash ?? PartHash.of("")
      else { continue }
      if paths.count == 1, let path = paths.first, files[path] == nil, !written.contains(old),
        homes[path] == [old]
      {
        sources[path] = old
      } else {
        held.insert(old)
      }
    }
  }
}
