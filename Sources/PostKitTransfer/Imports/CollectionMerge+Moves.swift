// Where requests of an origin lie in a collection of the store, now that the origin may have put
// them elsewhere (IO-20).

import PostKitHTTP
import PostKitStore

extension CollectionMerge {
  /// A request as the origin has it: what it is in the collection, the names of its folders, its
  /// block, what stands before that, and its planned id.
  typealias PlannedBlock = (
    request: ImportedRequest, path: String, block: OriginBlock, head: String, planned: String
  )

  /// The requests of the origin in order.
  var originBlocks: [PlannedBlock] {
    var result: [PlannedBlock] = []
    func add(_ list: [ImportedRequest], _ folders: [ImportedFolder], _ path: String) {
      for request in list {
        guard let file = request.path, let origin = collected.ids[file],
          let planned = plan.requestIDs[file]
        else { continue }
        let parts = FileParts(request.source.keptBytes)
        let found = parts.blocks.first { $0.isRequest } ?? parts.blocks.first
        let texts = found?.parts ?? PartTexts()
        let written = WrittenBlock(
          id: origin, title: found?.title ?? "", head: texts.head, line: texts.line,
          headers: texts.headers, body: texts.body, tail: texts.tail)
        let block = OriginBlock(
          id: origin, file: file, title: written.title, parts: texts, written: written)
        result.append((request, path, block, parts.headText, planned))
      }
      for child in folders { add(child.requests, child.folders, "\(path)\(child.name)/") }
    }
    add(collected.collection.requests, collected.collection.folders, "")
    return result
  }

  /// The ids of what is to hold requests, by their planned ids.
  var plannedContainers: [String: String] {
    var result: [String: String] = [:]
    for edit in plan.edits {
      if case .createRequest(let id, _, let container, _) = edit { result[id] = container.id }
    }
    return result
  }

  /// What puts a request where the origin has it now; `nil` where that has not moved it, or people
  /// have.
  func move(
    _ id: String, of origin: String, to container: RequestContainer, at place: SiblingPosition
  ) -> CollectionEdit? {
    guard let before = base?.requests[origin]?.container, before != container.id,
      let there = stored.requests[id], there.folder ?? plan.collection == before
    else { return nil }
    return .move(id: id, to: container, at: place)
  }

  /// Whether a request lies in a container before anything is changed.
  func lies(_ id: String, in container: RequestContainer) -> Bool {
    stored.requests[id].map { $0.folder ?? plan.collection } == container.id
  }

  /// What makes the folders that are not there and are needed, each at its place in the origin.
  func folders(for containers: [RequestContainer]) -> [CollectionEdit] {
    var needed = Set(containers)
    var order = OriginOrder()
    for edit in plan.edits.reversed() {
      guard case .createFolder(let id, _, let parent, _) = edit else { continue }
      if stored.folders[id] == nil, needed.contains(.folder(id)) { needed.insert(parent) }
    }
    func isThere(_ id: String, _ parent: RequestContainer) -> Bool {
      stored.folders[id] == parent.id
    }
    for case .createFolder(let id, _, let parent, _) in plan.edits where isThere(id, parent) {
      order.expect(id, in: parent)
    }
    var result: [CollectionEdit] = []
    for case .createFolder(let id, let name, let parent, _) in plan.edits {
      let isNew = stored.folders[id] == nil && needed.contains(.folder(id))
      if isNew {
        result.append(.createFolder(id: id, name: name, in: parent, at: order.place(in: parent)))
      }
      if isNew || isThere(id, parent) { order.pass(id, in: parent) }
    }
    return result
  }

  /// Deletes folders that requests were moved out of and in which nothing is left.
  mutating func deleteLeft(
    by moved: [String: RequestContainer], without removed: [String],
    filled: Set<RequestContainer>
  ) {
    let gone = Set(moved.keys).union(removed)
    let left = Set(moved.keys.compactMap { stored.requests[$0]?.folder })
    let kept = Set(stored.requests.compactMap { gone.contains($0.key) ? nil : $0.value.folder })
    let targets = Set((Array(filled) + moved.values).map(\.id))
    for folder in left.subtracting(kept).subtracting(targets).sorted()
    where !stored.folders.values.contains(folder) {
      changes.edits.append(.delete(id: folder))
    }
  }
}

/// Where in a container of the store something new of the origin comes: behind what is before it
/// in the origin and lies there, else before the first that lies there.
struct OriginOrder {
  private var first: [RequestContainer: String] = [:]
  private var last: [RequestContainer: String] = [:]

  /// Takes what lies in a container already, in the order of the origin.
  mutating func expect(_ id: String, in container: RequestContainer) {
    if first[container] == nil { first[container] = id }
  }

  /// Goes on behind something that lies in a container by now.
  mutating func pass(_ id: String, in container: RequestContainer) { last[container] = id }

  /// The place for what comes next.
  func place(in container: RequestContainer) -> SiblingPosition {
    last[container].map { .after($0) } ?? first[container].map { .before($0) } ?? .first
  }
}

extension RequestContainer {
  /// The id of the collection or folder.
  fileprivate var id: String {
    switch self {
    case .collection(let id), .folder(let id), .either(let id): id
    }
  }
}

/// What says that two blocks are one: of the title and the hashes of some parts those that count.
private struct BlockKey: Hashable {
  var title: String
  var hashes: [UInt64?]
}

extension ImportManifest {
  /// The manifest with requests under the ids that they have now, where the origin names them by
  /// their places and has put them elsewhere or renamed them: what people have changed goes along.
  func following(_ blocks: [OriginBlock]) -> ImportManifest {
    let now = Set(blocks.map(\.id))
    let added = blocks.filter { requests[$0.id] == nil }
    let gone = requests.filter { !now.contains($0.key) }
    if added.isEmpty || gone.isEmpty { return self }
    var result = self
    var open = added
    // First by the title and the request line, then by all but the title.
    for isByTitle in [true, false] {
      func key(_ title: String, _ hash: (BlockPart) -> UInt64?) -> BlockKey {
        let parts: [BlockPart] = isByTitle ? [.line] : BlockPart.allCases
        return BlockKey(title: isByTitle ? title : "", hashes: parts.map(hash))
      }
      let old = Dictionary(
        grouping: gone.keys.filter { result.requests[$0] != nil },
        by: { id in key(gone[id]?.title ?? "") { gone[id]?.parts[$0] } })
      let new = Dictionary(
        grouping: open, by: { block in key(block.title) { PartHash.number(of: block.parts[$0]) } })
      for (key, blocks) in new {
        guard blocks.count == 1, let ids = old[key], ids.count == 1 else { continue }
        result.requests[blocks[0].id] = result.requests.removeValue(forKey: ids[0])
      }
      open = open.filter { result.requests[$0.id] == nil }
    }
    return result
  }
}
