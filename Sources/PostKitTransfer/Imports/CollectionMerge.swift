// An import into a collection of the store that people have worked in since the import before: the
// same merge as in a folder, each request being a file that is called after its id (IO-20).

import PostKitHTTP
import PostKitJSON
import PostKitStore
import PostKitSupport

/// A collection as an import finds it.
struct StoredOrigin: Sendable {
  /// The revision of the collections at that moment.
  var revision: Int64 = 0
  /// The names of the requests, their texts and the folders that they lie in, by their ids.
  var requests: [String: (name: String, source: String, folder: String?)] = [:]
  /// The folders with those that hold them, the collection for those at its top.
  var folders: [String: String] = [:]
  var environments: [EnvironmentContents] = []
  /// What the import before remembered; `nil` for a collection that none has made.
  var manifest: String?
  /// The ids of what is planned that are there.
  var known: Set<String> = []

  /// A collection in which nothing is.
  init() {}

  /// Reads a collection; `planned` are the ids of what an import is about to make.
  init(
    of id: String, planned: [String], _ reader: CollectionReader
  ) throws(StoreFailure) {
    revision = try reader.revision()
    let texts = try reader.sources(ofCollection: id)
    func add(_ nodes: [CollectionNode], in parent: String) {
      for node in nodes {
        if let text = texts[node.item.id] {
          requests[node.item.id] = (node.item.name, text.source, text.folder)
        } else {
          folders[node.item.id] = parent
        }
        add(node.children, in: node.item.id)
      }
    }
    add(try reader.tree(in: .collection(id)), in: id)
    environments = try reader.environments(of: id)
    manifest = try reader.importManifest(ofCollection: id)
    known = try reader.known(planned)
  }
}

/// What is changed in a collection.
struct CollectionChanges: Sendable {
  var edits: [CollectionEdit] = []
  /// The values of secret variables by their ids.
  var secrets: [String: String] = [:]
  /// What becomes of each request, by its place among people's names for it.
  var files: [ChangedFile] = []
  var conflicts: [ImportConflict] = []
  var notes: [ImportNote] = []
  /// Whether nothing changes but what secrets have: that is no change of a project (`--check`).
  var isUpToDate: Bool { !edits.contains { edit in
    switch edit {
    case .setImportManifest, .createVariable(_, _, .secret, _): false
    default: true
    }
  } }
}

/// Merges what an origin says now into a collection. It reads and writes nothing itself.
struct CollectionMerge {
  let collected: OriginImport.Collected
  let plan: ImportPlan
  let stored: StoredOrigin
  private(set) var base: ImportManifest?
  let rule: ConflictRule
  /// What is stored of a request.
  let content: (ImportedRequest) -> StoredRequestContent
  var changes = CollectionChanges()
  /// The places in the origin of what has an id, such as `Users/Get user`.
  private var names: [String: String] = [:]
  private var requests: [String: ImportedRequest] = [:]
  /// The ids of requests by those of the origin.
  private var ids: [String: String] = [:]

  /// Makes a merge; `base` is what the import before remembered.
  init(
    _ collected: OriginImport.Collected, _ plan: ImportPlan, in stored: StoredOrigin,
    base: ImportManifest?, rule: ConflictRule,
    content: @escaping (ImportedRequest) -> StoredRequestContent
  ) {
    (self.collected, self.plan, self.stored, self.base) = (collected, plan, stored, base)
    (self.rule, self.content) = (rule, content)
  }

  /// What is changed. Throws where something of the collection can't be understood.
  mutating func run() throws(OriginFailure) -> CollectionChanges {
    let notes = ImportNotes()
    var state = FolderState()
    state.isCollection = true
    // Nothing of it lies in a repository.
    (state.ignoresPrivateFile, state.ignoresDotenv) = (true, true)
    for (id, request) in stored.requests {
      names[id] = request.name
      state.requestFiles[Self.file(of: id)] = request.source.keptBytes
    }
    let environments = environmentFiles
    state.others = environments
    if let manifest = stored.manifest {
      state.others[ImportManifest.fileName] = Array(manifest.utf8)
    }
    let found = try FolderMerge.changes(
      from: written(), in: state, base: base, head: collected.head, rule: rule, notes: notes)
    edit(found)
    try editEnvironments(found, before: environments)
    if let manifest = found.writes.last, manifest.path == ImportManifest.fileName {
      changes.edits.append(
        .setImportManifest(
          id: plan.collection, String(decoding: manifest.bytes, as: UTF8.self)))
    }
    changes.conflicts = found.conflicts.map { conflict in
      var conflict = conflict
      conflict.file = name(of: conflict.file)
      return conflict
    }
    changes.notes = notes.notes.map { note in
      var note = note
      note.file = note.file.map(name)
      return note
    }
    return changes
  }

  // MARK: - As a folder

  private static func file(of id: String) -> String { "\(id).http" }

  private static func id(of file: String) -> String? {
    file.hasSuffix(".http") ? String(file.dropLast(5)) : nil
  }

  /// How people call what a file stands for.
  private func name(of file: String) -> String {
    if file == EnvironmentFilesWriter.publicName { return "environments" }
    return Self.id(of: file).flatMap { names[$0] } ?? file
  }

  /// What the origin says as a folder with a file for each request.
  private mutating func written() -> WrittenFolder {
    var folder = WrittenFolder()
    let blocks = originBlocks
    base = base?.following(blocks.map(\.block))
    let parents = plannedContainers
    for (request, path, block, head, planned) in blocks {
      let origin = block.id
      var id = planned
      if let known = base?.requests[origin]?.file, let before = Self.id(of: known) {
        id = before
      } else if base != nil, stored.known.contains(planned) {
        // Another request of the origin had its name before.
        id = Identifier.next()
      }
      ids[origin] = id
      requests[id] = request
      if names[id] == nil { names[id] = path + content(request).displayName }
      folder.files.append(
        WrittenFile(path: Self.file(of: id), head: head, blocks: [block.written]))
      folder.containers[origin] = parents[planned]
      if collected.partial.requests.contains(origin) {
        folder.partial.files.insert(Self.file(of: id))
      }
    }
    folder.partial.requests = collected.partial.requests
    folder.partial.lacksRequests = collected.partial.lacksRequests
    folder.credentials = collected.credentials
    folder.namedHere = collected.namedHere
    folder.environments = plannedEnvironments.map(\.written)
    return folder
  }

  // MARK: - Requests

  private mutating func edit(_ found: FolderChanges) {
    let writes = Dictionary(found.writes.map { ($0.path, $0.bytes) }) { first, _ in first }
    var wanted: [RequestContainer] = []
    var moved: [String: RequestContainer] = [:]
    var order = OriginOrder()
    let origins = Dictionary(ids.map { ($1, $0) }) { first, _ in first }
    let planned = Dictionary(plan.requestIDs.map { ($1, $0) }) { first, _ in first }
    // In the order of the origin, as each may come behind the one before.
    var placed: [CollectionEdit] = []
    for edit in plan.edits {
      guard case .createRequest(let plannedID, _, let container, _) = edit,
        let path = planned[plannedID], let origin = collected.ids[path], let id = ids[origin],
        lies(id, in: container)
      else { continue }
      order.expect(id, in: container)
    }
    for edit in plan.edits {
      guard case .createRequest(let plannedID, let original, let container, _) = edit,
        let path = planned[plannedID], let origin = collected.ids[path], let id = ids[origin]
      else { continue }
      let place = order.place(in: container)
      if lies(id, in: container) { order.pass(id, in: container) }
      if let move = move(id, of: origin, to: container, at: place) {
        placed.append(move)
        order.pass(id, in: container)
        moved[id] = container
      }
      guard let bytes = writes[Self.file(of: id)] else { continue }
      var request = requests[id] ?? ImportedRequest(source: original.source)
      request.source = String(keeping: bytes)
      let content = content(request)
      if stored.requests[id] != nil {
        changes.edits.append(.update(request: id, content))
      } else {
        wanted.append(container)
        placed.append(.createRequest(id: id, content, in: container, at: place))
        order.pass(id, in: container)
      }
    }
    changes.edits += folders(for: wanted + moved.values) + placed
    let removed = found.removals.compactMap(Self.id).filter { stored.requests[$0] != nil }
    changes.edits += removed.map { .delete(id: $0) }
    deleteLeft(by: moved, without: removed, filled: Set(wanted))
    // What people have moved or made is changed by a merge, too.
    for (file, bytes) in writes.sorted(by: { $0.key < $1.key }) {
      guard let id = Self.id(of: file), origins[id] == nil, stored.requests[id] != nil else {
        continue
      }
      let text = String(keeping: bytes)
      changes.edits.append(.update(request: id, content(ImportedRequest(source: text))))
    }
    changes.files = found.files.filter { Self.id(of: $0.path) != nil }
      .map { file in
        let isMoved = Self.id(of: file.path).map { moved[$0] != nil } == true
        let action = isMoved && file.action != .created ? .updated : file.action
        return ChangedFile(path: name(of: file.path), action: action)
      }
  }

  // MARK: - Environments

  private struct PlannedEnvironment {
    let id: String
    var written: WrittenEnvironment
    /// The ids of its variables by their names.
    var ids: [String: String] = [:]
  }

  /// The environments that are planned.
  private var plannedEnvironments: [PlannedEnvironment] {
    var result: [PlannedEnvironment] = []
    for edit in plan.edits {
      switch edit {
      case .createEnvironment(let id, let name, _, _):
        result.append(PlannedEnvironment(id: id, written: WrittenEnvironment(name: name)))
      case .createVariable(let id, let key, let value, let owner):
        guard let place = result.firstIndex(where: { $0.id == owner }) else { continue }
        result[place].ids[key] = id
        if case .plain(let text) = value {
          result[place].written.values.append(Self.variable(key, text))
        } else {
          result[place].written.secrets.append(Self.variable(key, plan.secrets[id] ?? ""))
        }
      default: break
      }
    }
    return result
  }

  private static func variable(_ name: String, _ text: String) -> WrittenVariable {
    WrittenVariable(name: name, json: JSONValue.string(text).text)
  }

  /// The environments that are there as files; of secrets only that they have a value.
  private var environmentFiles: [String: [UInt8]] {
    func file(_ isSecret: Bool) -> [UInt8] {
      JSONValue.object(
        stored.environments.map { item in
          JSONMember(
            item.environment.name,
            .object(
              item.variables.filter { $0.isSecret == isSecret }
                .map { JSONMember($0.key, .string(isSecret ? "kept" : $0.value ?? "")) }))
        }).bytes
    }
    if stored.environments.isEmpty { return [:] }
    return [
      EnvironmentFilesWriter.publicName: file(false),
      EnvironmentFilesWriter.privateName: file(true),
    ]
  }

  private mutating func editEnvironments(
    _ found: FolderChanges, before: [String: [UInt8]]
  ) throws(OriginFailure) {
    let planned = plannedEnvironments
    func members(_ name: String) -> [JSONMember] {
      let bytes = found.writes.last { $0.path == name }?.bytes ?? before[name] ?? []
      // The merge has read or written it.
      return FolderManifest.members(try? JSONTree(parsing: bytes).root.value)
    }
    let open = members(EnvironmentFilesWriter.publicName)
    let closed = members(EnvironmentFilesWriter.privateName)
    var seen: Set<String> = []
    for name in (open + closed).map(\.key) where seen.insert(name).inserted {
      let there = stored.environments.first { $0.environment.name == name }
      let made = planned.first { $0.written.name == name }
      let owner = there?.environment.id ?? made?.id ?? Identifier.next()
      if there == nil {
        changes.edits.append(
          .createEnvironment(id: owner, name: name, collection: plan.collection))
      }
      func id(_ key: String) -> String {
        made?.ids[key].flatMap { stored.known.contains($0) ? nil : $0 } ?? Identifier.next()
      }
      let values = FolderManifest.members(open.last { $0.key == name }?.value)
      for member in values {
        let text = member.value.string ?? member.value.text
        let variable = there?.variables.first { $0.key == member.key }
        if variable == nil {
          changes.edits.append(
            .createVariable(
              id: id(member.key), key: member.key, value: .plain(text), environment: owner))
        } else if let variable, !variable.isSecret,
          variable.value?.equalsInBytes(text) != true
        {
          changes.edits.append(.setVariable(id: variable.id, .plain(text)))
        }
      }
      for member in FolderManifest.members(closed.last { $0.key == name }?.value)
      where there?.variables.contains(where: { $0.key == member.key }) != true {
        let id = id(member.key)
        changes.secrets[id] = member.value.string ?? member.value.text
        changes.edits.append(
          .createVariable(id: id, key: member.key, value: .secret, environment: owner))
      }
      let kept = Set(values.map(\.key))
      let gone = (there?.variables ?? []).filter { !$0.isSecret && !kept.contains($0.key) }
      changes.edits += gone.map { .delete(id: $0.id) }
    }
    for item in stored.environments where !seen.contains(item.environment.name) {
      changes.edits.append(.delete(id: item.environment.id))
    }
  }
}
