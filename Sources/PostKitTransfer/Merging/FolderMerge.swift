// An import into a folder that people have worked in since the import before (IO-20).

import PostKitHTTP
import PostKitJSON

/// Merges what an origin says now into a folder. It reads and writes nothing itself.
struct FolderMerge {
  let new: WrittenFolder
  let state: FolderState
  /// What the import before remembered; `nil` for a folder that none has made.
  private(set) var base: ImportManifest?
  let rule: ConflictRule
  let notes: ImportNotes
  /// What this import remembers.
  var manifest: ImportManifest
  var changes = FolderChanges()
  /// The request files that are there, taken apart when they are first needed.
  private(set) var files: [String: FileParts] = [:]
  private(set) var origin: [String: OriginBlock] = [:]
  private(set) var order: [String] = []
  /// The requests of each written file, and its head.
  private var ids: [String: [String]] = [:]
  private var heads: [String: String] = [:]
  /// The files that requests were written to by the import before.
  let knownFiles: Set<String>
  /// What becomes of the blocks that are there, and what comes before and behind them.
  private var edits: [BlockPlace: BlockEdit] = [:]
  private var before: [BlockPlace: [String]] = [:]
  private var behind: [BlockPlace: [String]] = [:]
  /// Blocks for the end of a file, and the files that they make.
  private var atEnd: [String: [String]] = [:]
  private var places: [String: BlockPlace] = [:]
  /// The written files that the user has renamed, by the names that they have now.
  private var renamed: [String: String] = [:]
  /// The sources of the import before that this one was made without, such as the files of
  /// environments: what these gave stays. One that only has another name is not missing.
  let missing: [String]
  /// What becomes of edited heads whose requests the origin has put into other files.
  private var moves = HeadMoves()
  /// The secrets of the origin, which are told nowhere.
  let secrets: SecretMask
  /// The names of the variables that have them.
  let secretNames: Set<String>
  /// Files all of whose requests are new.
  private var fresh: Set<String> = []
  var hashes = KnownHashes()

  private enum BlockEdit: Sendable {
    case text(String)
    case removed
  }

  /// What is to be written, and the manifest with it, so that it is there when all else is.
  ///
  /// `head` has the sources, the format and the options of the manifest. Throws where a file of the
  /// folder can't be understood; nothing is to be written then.
  static func changes(
    from new: WrittenFolder, in state: FolderState, base: ImportManifest?, head: ImportManifest,
    rule: ConflictRule, notes: ImportNotes
  ) throws(OriginFailure) -> FolderChanges {
    var merge = FolderMerge(new: new, state: state, base: base, rule: rule, notes: notes,
      manifest: head)
    merge.tellKept()
    merge.mergeRequests()
    merge.mergeAttachments()
    try merge.mergeEnvironments()
    let remembered = merge.asThere(merge.manifest.bytes, ImportManifest.fileName)
    merge.write(ImportManifest.fileName, remembered, generated: nil)
    return merge.changes
  }

  private init(
    new: WrittenFolder, state: FolderState, base: ImportManifest?, rule: ConflictRule,
    notes: ImportNotes, manifest: ImportManifest
  ) {
    (self.new, self.state, self.base) = (new, state, base)
    (self.rule, self.notes, self.manifest) = (rule, notes, manifest)
    secrets = SecretMask(secrets: new.environments.flatMap { $0.secrets.flatMap(\.hiddenTexts) })
    secretNames = Set(new.environments.flatMap { $0.secrets.map(\.name) })
      .union(new.namedHere.map(OriginOAuth2.token))
    knownFiles = Set((base?.requests ?? [:]).values.map(\.file))
    let before = base?.sources ?? []
    missing = manifest.sources.count < before.count
      ? before.filter { !manifest.sources.contains($0) } : []
  }

  // MARK: - Requests

  private mutating func mergeRequests() {
    var written: [String: [UInt8]] = [:]
    let count = new.files.reduce(0) { $0 + $1.blocks.count }
    origin.reserveCapacity(count)
    manifest.requests.reserveCapacity(count)
    for file in new.files {
      var bytes = file.bytes
      // What was read back as it is meant is known without a second look.
      let parts = FileParts(file, bytes) ?? FileParts(bytes)
      if let there = state.requestFiles[file.path], there == bytes {
        bytes = there
        files[file.path] = parts
      }
      written[file.path] = bytes
      read(file, parts)
    }
    for (path, bytes) in state.requestFiles where files[path] == nil {
      files[path] = FileParts(bytes)
    }
    base = base?.following(order.compactMap { origin[$0] })
    let matching = BlockMatching(
      files, known: base?.requests ?? [:], new: origin, order: order,
      isOneInFile: state.isCollection)
    places = matching.places
    if let base {
      moves = HeadMoves(
        of: files, base: base, origin: origin, places: places, written: Set(heads.keys))
    }
    mergeGone()
    for file in new.files { place(file) }
    for file in new.files { assemble(file, written[file.path] ?? []) }
    for path in files.keys.sorted() where heads[path] == nil {
      assembleOther(path, head: renamed[path].flatMap { mergedHead(path, writtenAs: $0) })
    }
  }

  /// Takes over the requests of a written file, taken apart as files of people are.
  private mutating func read(_ file: WrittenFile, _ parts: FileParts) {
    heads[file.path] = file.head
    for var request in OriginBlock.all(of: file, parts) {
      let own = request.id
      while origin[request.id] != nil { request.id += "'" }
      origin[request.id] = request
      order.append(request.id)
      ids[file.path, default: []].append(request.id)
      var known = ImportManifest.Request(request, &hashes)
      known.secrets = new.credentials[own] ?? [:]
      known.container = new.containers[own]
      known.uses = uses(in: request.parts)
      manifest.requests[request.id] = whole(request.id) ?? known
    }
    if wholeFile(file.path) != nil || keepsHead(of: file.path, file.head) {
      manifest.files[file.path] = base?.files[file.path]
    } else if !file.head.isEmpty {
      let head = parts.headText
      manifest.files[file.path] = ImportManifest.File(
        hash: PartHash.of(head), lines: hashes.short(PartItems.definitions(head)))
    }
  }

  /// Requests that the origin has no more: those that nobody has touched go.
  private mutating func mergeGone() {
    if lacksRequests { return keepGone() }
    let edited = editedFilesGone
    let gone = (base?.requests ?? [:]).filter { origin[$0.key] == nil }
    for (id, request) in gone.sorted(by: { $0.key < $1.key }) {
      guard let place = places[id], let block = files[place.file]?.blocks[place.block] else {
        continue
      }
      if request.isUntouched(block), !edited.contains(where: block.text.contains) {
        edits[place] = .removed
        notes.tell(
          ImportNote(
            code: .originGone, isWarning: false, place: "", origin: block.title, file: place.file,
            message: "The origin has `\(block.title)` no more. It goes, since it was not changed "
              + "here."))
      } else {
        notes.tell(
          ImportNote(
            code: .originGone, isWarning: false, place: "", origin: block.title, file: place.file,
            line: line(of: place),
            message: "The origin has `\(block.title)` no more. It stays, since it was changed "
              + "here; delete it if you don't need it."))
      }
    }
  }

  /// Decides about each request of a written file, and where new ones come.
  private mutating func place(_ file: WrittenFile) {
    let ids = ids[file.path] ?? []
    var anchor: BlockPlace?
    var (waiting, isFresh) = ([String](), true)
    let home = home(of: file.path, ids)
    if home != file.path, renamed[home] == nil { renamed[home] = file.path }
    if home == file.path, files[home] == nil, !ids.isEmpty,
      ids.allSatisfy({ places[$0] == nil && base?.requests[$0] == nil })
    {
      // It is written as a whole, so that no text of a block is needed.
      atEnd[home] = []
      fresh.insert(home)
      return
    }
    for id in ids {
      guard let block = origin[id] else { continue }
      guard let place = places[id] else {
        let text = insertion(block)
        if text == nil { isFresh = false }
        if let text {
          if let anchor { behind[anchor, default: []].append(text) } else { waiting.append(text) }
        }
        continue
      }
      isFresh = false
      if let text = merged(block, at: place) {
        edits[place] = .removed
        if let anchor { behind[anchor, default: []].append(text) } else { waiting.append(text) }
        continue
      }
      if anchor == nil {
        before[place, default: []] += waiting
        waiting = []
      }
      anchor = place
    }
    if !waiting.isEmpty { atEnd[home, default: []] += waiting }
    if isFresh { fresh.insert(file.path) }
  }

  /// The file in which the requests of a written file are: one that the user has renamed is known
  /// by them.
  private func home(of path: String, _ ids: [String]) -> String {
    if files[path] != nil { return path }
    let found = ids.lazy.compactMap { places[$0]?.file }.first
    guard let found, heads[found] == nil, !knownFiles.contains(found) else { return path }
    return found
  }

  /// The text of a request that is not there; `nil` for one that the user has deleted and that
  /// stays away.
  private mutating func insertion(_ block: OriginBlock) -> String? {
    if whole(block.id) != nil { return nil }
    if let known = base?.requests[block.id] {
      if known.isUnchanged(block) { return nil }
      conflict(
        "request", of: block, in: block.file, line: nil,
        "It was deleted here, and the origin has changed it. "
          + says(block.parts.line, of: "line"))
      if rule != .theirs { return nil }
    }
    return block.text
  }

  /// Merges a request where it is; answers its text where it moves to another file.
  private mutating func merged(_ block: OriginBlock, at place: BlockPlace) -> String? {
    guard let there = files[place.file]?.blocks[place.block] else { return nil }
    guard let known = base?.requests[block.id], whole(block.id) == nil else { return nil }
    let merge = BlockMerge(mine: there, theirs: block, base: known, rule: rule)
    for found in merge.conflicts {
      let mine = BlockPart(rawValue: found.part).map { there.parts[$0] } ?? ""
      conflict(
        found.part, of: block, in: place.file, line: line(of: place),
        says(found.theirs, of: found.part, besides: mine))
    }
    var result = there
    (result.title, result.parts) = (merge.title, merge.parts)
    let isRenamed = !result.title.equalsInBytes(there.title)
    if isRenamed { result.separator = "### \(result.title)" }
    let isHeld = moves.held.contains(place.file) && !known.isUntouched(there)
    if known.file != block.file, place.file == known.file, place.file != block.file, !isHeld {
      return text(result.title, result.parts)
    }
    if isRenamed || result.parts != there.parts { edits[place] = .text(result.text) }
    return nil
  }

  private func text(_ title: String, _ parts: PartTexts) -> String {
    BlockParts(range: 0..<0, separator: "### \(title)", title: title, isRequest: true, parts: parts)
      .text
  }

  // MARK: - Files

  /// Puts a written file together, or the one that the user has made of it.
  private mutating func assemble(_ file: WrittenFile, _ generated: [UInt8]) {
    let path = file.path
    guard files[path] != nil else {
      // A file that the user has deleted or renamed comes back for new requests alone.
      guard let texts = atEnd[path] else {
        if file.blocks.isEmpty, base?.files[path] == nil { write(path, generated, generated: nil) }
        return
      }
      let head = movedHead(to: path) ?? file.head
      if fresh.contains(path) { return write(path, generated, generated: generated) }
      var assembly = RequestFileAssembly(old: nil, head: head)
      assembly.pieces = texts.map { .text($0) }
      return write(path, assembly.bytes, generated: generated)
    }
    assembleOther(path, head: mergedHead(path, writtenAs: path), generated: generated)
  }

  /// Puts a file that is there together anew, or removes it where nothing of it is left.
  private mutating func assembleOther(
    _ path: String, head: String? = nil, generated: [UInt8]? = nil
  ) {
    guard let old = files[path], let bytes = state.requestFiles[path] else { return }
    var assembly = RequestFileAssembly(old: old, head: head)
    for number in old.blocks.indices {
      let place = BlockPlace(file: path, block: number)
      assembly.pieces += (before[place] ?? []).map { .text($0) }
      switch edits[place] {
      case .text(let text): assembly.pieces.append(.text(text))
      case .removed: break
      case nil: assembly.pieces.append(.kept(number))
      }
      assembly.pieces += (behind[place] ?? []).map { .text($0) }
    }
    assembly.pieces += (atEnd[path] ?? []).map { .text($0) }
    let isSame = head == nil && assembly.pieces == old.blocks.indices.map { .kept($0) }
    let headBase = base?.files[path]?.hash ?? PartHash.of("")
    if generated == nil, assembly.pieces.isEmpty, !old.blocks.isEmpty,
      PartHash.of(old.headText) == headBase || moves.sources.values.contains(path)
    {
      changes.removals.append(path)
      changes.files.append(ChangedFile(path: path, action: .removed))
      return
    }
    if generated == nil, isSame { return }
    write(path, isSame ? bytes : assembly.bytes, generated: generated)
  }

  /// What stands before the first request of a file that the origin has renamed and people have
  /// edited; `nil` for others.
  private mutating func movedHead(to path: String) -> String? {
    guard let old = moves.sources[path] else { return nil }
    return mergedHead(old, writtenAs: path, knownAs: old) ?? files[old]?.headText
  }

  /// The merged text before the first request of a file that is there; `nil` where it stays.
  /// `before` is its name at the import before, where that is not the one that is written now.
  private mutating func mergedHead(
    _ path: String, writtenAs written: String, knownAs before: String? = nil
  ) -> String? {
    guard let file = files[path] else { return nil }
    let (mine, known) = (file.headText, base?.files[before ?? written])
    if wholeFile(written) != nil { return headWithNew(mine, heads[written] ?? "", of: written) }
    let theirs = heads[written] ?? ""
    if keepsHead(of: written, theirs) { return nil }
    if mine.equalsInBytes(theirs) { return nil }
    let hash = known?.hash ?? PartHash.of("")
    if PartHash.of(mine) == hash { return theirs }
    if PartHash.of(theirs) == hash { return nil }
    let merge = PairMerge(
      mine: PartItems.definitions(mine), theirs: PartItems.definitions(theirs),
      base: known?.lines ?? [:], takesTheirs: rule == .theirs)
    if !merge.conflicts.isEmpty {
      conflict(
        "head", in: before == nil ? path : written, line: 1, origin: path,
        says(theirs, of: "head", besides: mine))
    }
    let text = PartItems.text(merge.items)
    return text.equalsInBytes(mine) ? nil : text
  }

  /// Notes what becomes of a file. `generated` is what the origin alone would say; `nil` where that
  /// is the same.
  mutating func write(_ path: String, _ bytes: [UInt8], generated: [UInt8]?) {
    let old = state[path]
    let action: FileAction
    if old == bytes {
      action = bytes == generated ?? bytes ? .unchanged : .kept
    } else {
      action = old == nil ? .created : .updated
      changes.writes.append(TransferFile(path: path, bytes: bytes))
    }
    changes.files.append(ChangedFile(path: path, action: action))
  }

  private func line(of place: BlockPlace) -> Int? {
    guard let file = files[place.file] else { return nil }
    let start = file.blocks[place.block].range.lowerBound
    return file.bytes[..<start].count { $0 == 10 } + 1
  }
}
