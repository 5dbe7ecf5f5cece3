// Merging what lies beside request files: scripts, examples, bodies, environments.

import PostKitHTTP
import PostKitJSON
import PostKitText

extension FolderMerge {
  // MARK: - Attachments

  /// Files that are merged as a whole.
  mutating func mergeAttachments() {
    for file in new.attachments {
      // It may hold secrets, of which nothing is remembered: one that is there stays.
      if WrittenFolder.isDotenv(file.path) {
        write(file.path, state.others[file.path] ?? file.bytes, generated: file.bytes)
        continue
      }
      if let known = wholeFile(file.path) {
        manifest.files[file.path] = known
        write(file.path, whole: state[file.path], state[file.path], generated: file.bytes)
        continue
      }
      let hash = Self.hash(file.bytes, of: file.path)
      manifest.files[file.path] = ImportManifest.File(hash: hash)
      if let old = editedName(of: file.path, hash), let mine = state[old] {
        write(file.path, mine, generated: file.bytes)
        changes.removals.append(old)
        changes.files.append(ChangedFile(path: old, action: .removed))
        continue
      }
      let (mine, known) = (state[file.path], base?.files[file.path]?.hash)
      let theirs = asThere(file.bytes, file.path)
      write(file.path, whole: merged(mine, theirs, known, file.path), mine, generated: theirs)
    }
    let requestFiles = Set(new.files.map(\.path))
    for (path, known) in (base?.files ?? [:]).sorted(by: { $0.key < $1.key })
    where manifest.files[path] == nil && !requestFiles.contains(path)
      && !changes.removals.contains(path)
    {
      guard let mine = state[path], !lacksRequests else {
        // What is out of reach may need it, and what was deleted stays away.
        if lacksRequests { manifest.files[path] = known }
        continue
      }
      if isNamed(path) {
        manifest.files[path] = known
      } else if Self.hash(mine, of: path) == known.hash {
        changes.removals.append(path)
        changes.files.append(ChangedFile(path: path, action: .removed))
      } else {
        notes.tell(
          ImportNote(
            code: .originGone, isWarning: false, place: "", origin: path, file: path,
            message: "The origin has \(path) no more. It stays, since it was changed here; delete "
              + "it if you don't need it."))
      }
    }
  }

  /// The hash of a file: of a text without the CR before each LF, since version control may put it
  /// there or take it away. Bodies are sent as they are.
  private static func hash(_ bytes: [UInt8], of path: String) -> String {
    PartHash.of(isBody(path) ? bytes : bytes.withPlainLineEnds)
  }

  private static func isBody(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().last == "bodies"
  }

  /// A new file as it is to stand: what differs from the file there in line ends alone is that one.
  func asThere(_ bytes: [UInt8], _ path: String) -> [UInt8] {
    guard let mine = state[path], !Self.isBody(path),
      mine.withPlainLineEnds == bytes.withPlainLineEnds
    else { return bytes }
    return mine
  }

  /// The name that a file of the origin had before, where it has another now and the user has
  /// changed what is in it: that goes on under the new name.
  private func editedName(of path: String, _ hash: String) -> String? {
    guard let base, base.files[path] == nil, state[path] == nil else { return nil }
    let names = Set(new.attachments.map(\.path))
    let old = base.files.filter { $0.value.hash == hash && !names.contains($0.key) }.keys.sorted()
    guard old.count == 1, let name = old.first, !changes.removals.contains(name),
      let mine = state[name], Self.hash(mine, of: name) != hash
    else { return nil }
    return name
  }

  /// What a file is to hold; `nil` for one that the user has deleted and that stays away.
  private mutating func merged(
    _ mine: [UInt8]?, _ theirs: [UInt8], _ known: String?, _ path: String
  ) -> [UInt8]? {
    if mine == theirs { return theirs }
    guard let known else {
      guard let mine else { return theirs }
      // It was there before any import, and is none of ours.
      conflict("file", in: path, line: nil, origin: path, "A file of this name was there already.")
      return mine
    }
    if let mine, Self.hash(mine, of: path) == known { return theirs }
    if Self.hash(theirs, of: path) == known { return mine }
    conflict(
      "file", in: path, line: nil, origin: path,
      mine == nil ? "It was deleted here." : "Compare it with the origin.")
    return rule == .theirs ? theirs : mine
  }

  private mutating func write(
    _ path: String, whole bytes: [UInt8]?, _ mine: [UInt8]?, generated: [UInt8]
  ) {
    if let bytes { return write(path, bytes, generated: generated) }
    changes.files.append(ChangedFile(path: path, action: .kept))
  }

  // MARK: - Environments

  /// The environment files and what keeps the one with secrets out of version control.
  mutating func mergeEnvironments() throws(OriginFailure) {
    manifest.sources += missing
    for environment in new.environments {
      manifest.environments[environment.name] = Dictionary(
        environment.values.map { ($0.name, PartHash.of(Self.compact($0.json))) }) { $1 }
    }
    let publicFile = EnvironmentFilesWriter.publicName
    var merged = try members(of: publicFile)
    let before = merged
    mergePublic(&merged)
    try write(
      publicFile, merged, before, generated: EnvironmentFilesWriter.publicFile(new.environments))
    let privateFile = EnvironmentFilesWriter.privateName
    var secrets = try members(of: privateFile)
    let secretsBefore = secrets
    mergePrivate(&secrets, besides: merged)
    try write(
      privateFile, secrets, secretsBefore,
      generated: EnvironmentFilesWriter.privateFile(new.environments))
    var added: [String] = []
    if !secrets.isEmpty, new.hasSecrets, !state.ignoresPrivateFile { added.append(privateFile) }
    let hasDotenv = new.attachments.contains { WrittenFolder.isDotenv($0.path) }
    if hasDotenv, !state.ignoresDotenv { added.append(".env") }
    if added.isEmpty { return }
    var lines = state.others[".gitignore"] ?? []
    if let last = lines.last, last != 10 { lines.append(10) }
    let text = added.map { $0 + "\n" }.joined()
    write(".gitignore", lines + Array(text.utf8), generated: nil)
  }

  /// Writes an environment file where something of it changed, so that its layout stays else.
  private mutating func write(
    _ path: String, _ members: [JSONMember], _ old: [JSONMember], generated: [UInt8]?
  ) throws(OriginFailure) {
    // Texts that are equal may have other bytes.
    let isSame = JSONValue.object(members).bytes == JSONValue.object(old).bytes
    if let there = state.others[path], isSame {
      write(path, there, generated: generated)
    } else if let there = state.others[path], Self.hasComments(there) {
      throw OriginFailure(
        "\(path) of the target has to change, but it has comments, which would be lost. Take them "
          + "out, then import again.")
    } else if !isSame || (generated != nil && base == nil) {
      let isFresh = old.isEmpty && state.others[path] == nil && base == nil
      let bytes = FolderManifest.lines(.object(members))
      write(path, isFresh ? generated ?? bytes : bytes, generated: generated)
    }
  }

  /// Whether a file that can be read has more in it than JSON.
  private static func hasComments(_ bytes: [UInt8]) -> Bool {
    // It was read before, comments allowed.
    (try? JSONTree(parsing: Array(bytes.dropFirst(bytes.byteOrderMarkLength)))) == nil
  }

  /// The environments of a file that is there.
  private func members(of path: String) throws(OriginFailure) -> [JSONMember] {
    guard let bytes = state.others[path] else { return [] }
    let root: JSONValue
    do throws(JSONSyntaxError) {
      let options = JSONParsingOptions(allowsComments: true)
      let text = Array(bytes.dropFirst(bytes.byteOrderMarkLength))
      root = try JSONTree(parsing: text, options: options).root.value
    } catch {
      throw OriginFailure(
        "\(path) of the target is no JSON: \(error.explanation) at byte \(error.offset). Correct "
          + "it, then import again.")
    }
    guard case .object(let members) = root else {
      throw OriginFailure("\(path) of the target is no JSON object. Correct it, then import again.")
    }
    return members
  }

  /// Values that everybody may read: those of users stay.
  private mutating func mergePublic(_ members: inout [JSONMember]) {
    for environment in new.environments {
      let known = base?.environments[environment.name]
      var place = members.firstIndex { $0.key == environment.name }
      if place == nil, known == nil {
        place = members.count
        members.append(JSONMember(environment.name, .object([])))
      }
      var values = place.map { FolderManifest.members(members[$0].value) } ?? []
      merge(environment, into: &values, known ?? [:])
      if let place {
        members[place].value = .object(values)
      } else if !values.isEmpty {
        members.append(JSONMember(environment.name, .object(values)))
      }
    }
    let names = Set(new.environments.map(\.name))
    for (name, known) in base?.environments ?? [:] where !names.contains(name) {
      if keepsValues {
        manifest.environments[name] = known
        continue
      }
      guard let place = members.firstIndex(where: { $0.key == name }) else { continue }
      var values = FolderManifest.members(members[place].value)
      values.removeAll { known[$0.key] == PartHash.of($0.value.text) }
      members[place].value = .object(values)
      if values.isEmpty { members.remove(at: place) }
    }
  }

  private mutating func merge(
    _ environment: WrittenEnvironment, into values: inout [JSONMember], _ known: [String: String]
  ) {
    var wanted: Set<String> = []
    for variable in environment.values {
      wanted.insert(variable.name)
      let theirs = Self.value(variable.json)
      let hash = PartHash.of(theirs.text)
      guard let place = values.firstIndex(where: { $0.key == variable.name }) else {
        if let base = known[variable.name] {
          if base == hash { continue }
          conflict(variable, theirs, environment.name)
          if rule != .theirs { continue }
        }
        values.append(JSONMember(variable.name, theirs))
        continue
      }
      let mine = values[place].value
      if mine.text.equalsInBytes(theirs.text) || known[variable.name] == hash { continue }
      if known[variable.name] != PartHash.of(mine.text) {
        conflict(variable, theirs, environment.name)
        if rule != .theirs { continue }
      }
      values[place].value = theirs
    }
    if !keepsValues {
      values.removeAll { member in
        !wanted.contains(member.key) && known[member.key] == PartHash.of(member.value.text)
      }
    } else {
      let kept = known.filter { !wanted.contains($0.key) }
      manifest.environments[environment.name, default: [:]].merge(kept) { first, _ in first }
    }
  }

  private mutating func conflict(
    _ variable: WrittenVariable, _ theirs: JSONValue, _ environment: String
  ) {
    conflict(
      "value", in: EnvironmentFilesWriter.publicName, line: nil,
      origin: "\(environment) / \(variable.name)",
      says(theirs.text, of: "value", named: variable.name))
  }

  /// A file beside requests as blocks name it: the folder beside the request file, and the file.
  private static func name(of path: String) -> String {
    path.split(separator: "/").suffix(2).joined(separator: "/")
  }

  /// The files beside requests that the origin has no more and that people have changed, as blocks
  /// name them.
  var editedFilesGone: [String] {
    let names = Set(new.attachments.map(\.path))
    return (base?.files ?? [:]).compactMap { path, known in
      guard !names.contains(path), let mine = state.others[path],
        Self.hash(mine, of: path) != known.hash
      else { return nil }
      return Self.name(of: path)
    }
  }

  /// Whether a request that stays names a file.
  private func isNamed(_ path: String) -> Bool {
    let name = Array(Self.name(of: path).utf8)
    var texts = state.requestFiles
    for file in changes.writes { texts[file.path] = file.bytes }
    for gone in changes.removals { texts[gone] = nil }
    texts[path] = nil
    return texts.values.contains { $0.contains(name) }
  }

  /// Secrets: what has a value is never written again, unless its name is another request's now.
  private func mergePrivate(_ members: inout [JSONMember], besides shown: [JSONMember]) {
    for environment in new.environments where !environment.secrets.isEmpty {
      let visible = shown.last { $0.key == environment.name }?.value
      var place = members.firstIndex { $0.key == environment.name }
      let before = place.map { FolderManifest.members(members[$0].value) } ?? []
      for secret in environment.secrets {
        let theirs = Self.value(secret.json)
        // What the user has moved to the public file is no secret of theirs. Objects, such as those
        // of sign-ins, have a part in each file.
        if case .object = theirs {} else if visible?[secret.name] != nil { continue }
        if place == nil {
          place = members.count
          members.append(JSONMember(environment.name, .object([])))
        }
        guard let place else { continue }
        var values = FolderManifest.members(members[place].value)
        if let at = values.firstIndex(where: { $0.key == secret.name }),
          Self.hasMoved(secret.name, theirs, before, environment.secrets),
          newlyUsed.contains(secret.name)
        {
          values[at].value = theirs
        } else {
          Self.fill(&values, secret.name, theirs)
        }
        members[place].value = .object(values)
      }
    }
  }

  /// Whether numbers behind names have shifted, so that a value belongs to another name now: else
  /// one request would be sent with the credential of another.
  private static func hasMoved(
    _ name: String, _ theirs: JSONValue, _ there: [JSONMember], _ all: [WrittenVariable]
  ) -> Bool {
    func stem(_ name: String) -> Substring {
      var name = name[...]
      while name.last?.isNumber == true { name.removeLast() }
      return name
    }
    guard let mine = there.last(where: { $0.key == name })?.value, mine != theirs,
      mine != .string(""), theirs != .string("")
    else { return false }
    return there.contains { $0.key != name && stem($0.key) == stem(name) && $0.value == theirs }
      || all.contains { $0.name != name && stem($0.name) == stem(name) && value($0.json) == mine }
  }

  /// Sets what has no value yet, in objects member by member.
  private static func fill(_ values: inout [JSONMember], _ name: String, _ theirs: JSONValue) {
    guard let place = values.firstIndex(where: { $0.key == name }) else {
      return values.append(JSONMember(name, theirs))
    }
    switch (values[place].value, theirs) {
    case (.object(var mine), .object(let new)):
      for member in new { fill(&mine, member.key, member.value) }
      values[place].value = .object(mine)
    case (.string(""), _): values[place].value = theirs
    default: break
    }
  }

  private static func value(_ json: String) -> JSONValue {
    // What is no JSON would be a mistake of the writer; it is kept as a text.
    (try? JSONTree(parsing: Array(json.utf8)).root.value) ?? .string(json)
  }

  private static func compact(_ json: String) -> String { value(json).text }
}
