// Finding the requests of an earlier import in what people have made of the files.

/// A block in a folder.
struct BlockPlace: Sendable, Hashable {
  var file: String
  /// Its number in the file.
  var block: Int
}

/// A request as the origin has it now.
struct OriginBlock: Sendable, Hashable {
  var id: String
  var file: String
  var title: String
  var parts: PartTexts
  /// The block as it is written.
  var written: WrittenBlock

  /// The whole block.
  var text: String { written.text }

  /// The requests of a written file, whose text is taken apart as files of people are.
  static func all(of file: WrittenFile, _ parts: FileParts) -> [OriginBlock] {
    let blocks = parts.blocks.filter(\.isRequest)
    let isSame = blocks.count == file.blocks.count
    return file.blocks.enumerated().map { number, block in
      let texts = isSame ? blocks[number].parts : PartTexts(
        head: block.head, line: block.line, headers: block.headers, body: block.body,
        tail: block.tail)
      return OriginBlock(
        id: block.id, file: file.path, title: isSame ? blocks[number].title : block.title,
        parts: texts.sharing(block), written: block)
    }
  }
}

/// Finds blocks by title, by request line, and by method and target, in this order; each block is
/// one request at most. A request that was renamed or moved is found all the same (IO-20).
struct BlockMatching {
  private let files: [String: FileParts]
  private let fileNames: [String]
  private let known: [String: ImportManifest.Request]
  private let new: [String: OriginBlock]
  private var taken: Set<BlockPlace> = []
  /// Where each request stands; one that is missing was deleted by the user.
  private(set) var places: [String: BlockPlace] = [:]

  /// Looks for all requests of a manifest, those of `order` first, in this order. Where each file
  /// is one request, whatever became of that, the file says which.
  init(
    _ files: [String: FileParts], known: [String: ImportManifest.Request],
    new: [String: OriginBlock], order: [String], isOneInFile: Bool = false
  ) {
    (self.files, self.known, self.new) = (files, known, new)
    fileNames = files.keys.sorted()
    let rest = known.keys.filter { new[$0] == nil }.sorted()
    let ids = order.filter { known[$0] != nil } + rest
    if isOneInFile { findByFile(ids) }
    findByTitle(ids)
    findByLine(ids)
    findByTarget(ids)
    adopt(order)
  }

  private mutating func findByFile(_ ids: [String]) {
    for id in ids {
      guard let name = known[id]?.file, let blocks = files[name]?.blocks else { continue }
      let numbers = blocks.indices.filter { blocks[$0].isRequest }
      if numbers.count == 1 { take(BlockPlace(file: name, block: numbers[0]), for: id) }
    }
  }

  /// Same file and title; of several that whose line is the same, else the one that has most of it.
  private mutating func findByTitle(_ ids: [String]) {
    if ids.isEmpty { return }
    var titles: [String: [String: [Int]]] = [:]
    for (name, file) in files {
      for (number, block) in file.blocks.enumerated() where block.isRequest {
        titles[name, default: [:]][block.title, default: []].append(number)
      }
    }
    for needsLine in [true, false] {
      for id in ids where places[id] == nil {
        guard let request = known[id] else { continue }
        let numbers = titles[request.file]?[request.title] ?? []
        let found = numbers.map { BlockPlace(file: request.file, block: $0) }
          .filter { !needsLine || hasLine($0, of: request, id) }
        take(best(found, request), for: id)
      }
    }
  }

  private mutating func findByLine(_ ids: [String]) {
    let missing = ids.filter { places[$0] == nil }
    if missing.isEmpty { return }
    var lines: [UInt64: [BlockPlace]] = [:]
    for place in free { lines[PartHash.number(of: parts(place).line), default: []].append(place) }
    for id in missing {
      guard let request = known[id], let hash = request.parts[.line] else { continue }
      take(best(lines[hash] ?? [], request), for: id)
    }
  }

  private mutating func findByTarget(_ ids: [String]) {
    let missing = ids.filter { places[$0] == nil && new[$0] != nil }
    if missing.isEmpty { return }
    var targets: [String: [BlockPlace]] = [:]
    for place in free { targets[parts(place).methodAndTarget, default: []].append(place) }
    for id in missing {
      guard let request = known[id], let block = new[id] else { continue }
      take(best(targets[block.parts.methodAndTarget] ?? [], request), for: id)
    }
  }

  /// What is new in the origin and is there already: an import that was killed has written it.
  private mutating func adopt(_ order: [String]) {
    for id in order where known[id] == nil {
      guard let block = new[id], let file = files[block.file] else { continue }
      let number = file.blocks.indices.first { number in
        let there = file.blocks[number]
        return there.title.equalsInBytes(block.title) && there.parts == block.parts
          && !taken.contains(BlockPlace(file: block.file, block: number))
      }
      take(number.map { BlockPlace(file: block.file, block: $0) }, for: id)
    }
  }

  /// The blocks that are no request of the manifest so far.
  private var free: [BlockPlace] {
    fileNames.flatMap { name in
      (files[name]?.blocks ?? []).enumerated().compactMap { number, block in
        let place = BlockPlace(file: name, block: number)
        return block.isRequest && !taken.contains(place) ? place : nil
      }
    }
  }

  private func parts(_ place: BlockPlace) -> PartTexts {
    files[place.file]?.blocks[place.block].parts ?? PartTexts()
  }

  private func hasLine(
    _ place: BlockPlace, of request: ImportManifest.Request, _ id: String
  ) -> Bool {
    let line = parts(place).line
    // What the origin says now is looked at first, since no hash is needed for that.
    return new[id]?.parts.line == line || PartHash.number(of: line) == request.parts[.line]
  }

  /// Of several free places the one that has most of a request.
  private func best(
    _ places: [BlockPlace], _ request: ImportManifest.Request
  ) -> BlockPlace? {
    let free = places.filter { !taken.contains($0) }
    guard free.count > 1 else { return free.first }
    var result: (place: BlockPlace, score: Int)?
    for place in free {
      let parts = parts(place)
      var score = BlockPart.allCases.count { PartHash.number(of: parts[$0]) == request.parts[$0] }
      if place.file == request.file { score += 20 }
      if files[place.file]?.blocks[place.block].title == request.title { score += 10 }
      if score > result?.score ?? -1 { result = (place, score) }
    }
    return result?.place
  }

  private mutating func take(_ place: BlockPlace?, for id: String) {
    guard let place, taken.insert(place).inserted else { return }
    places[id] = place
  }
}
