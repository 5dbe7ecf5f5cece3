// What all parts of reading Insomnia's files share: ids, names and the small values.

import PostKitJSON

/// What a folder hands down to what lies in it.
struct InsomniaParents {
  /// The names of the folders.
  var names: [String] = []

  /// How people call something in these folders, such as `Users / Get user`.
  func origin(_ name: String) -> String { (names + [name]).joined(separator: " / ") }
}

/// What the templates of one request, or of a folder's values, need.
final class InsomniaUse {
  /// How people call the request; `nil` for values that are not a request's.
  let origin: String?
  /// The requests whose responses are used, by the words that they are referred to by.
  var references: [String] = []
  /// What stands as comments, since nothing here does it.
  var comments: [String] = []

  init(_ origin: String?) { self.origin = origin }
}

/// Something of an export: a resource of version 4, or an item of version 5.
struct InsomniaItem {
  let object: OriginObject
  /// Insomnia's id; `nil` where a file has none.
  var id: String?
  var name = ""
  var description = ""
  /// Where it stands among its neighbours (IO-7).
  var sortKey = 0.0
  /// Whether only its owner may see it: of environments, whether their values are secrets.
  var isPrivate = false
  /// The position in the file.
  var index = 0

  /// Whether it comes before another one.
  static func precedes(_ left: InsomniaItem, _ right: InsomniaItem) -> Bool {
    if left.sortKey != right.sortKey { return left.sortKey < right.sortKey }
    let (first, second) = (left.id ?? "", right.id ?? "")
    return first == second ? left.index < right.index : first < second
  }
}

/// Reads what Insomnia exports. It is made for one import.
final class InsomniaReader {
  let context: OriginContext
  /// The names of all requests by their ids: a response tag names a request by its id.
  private var names: [String: String] = [:]
  /// The words by which requests are referred to, by their ids.
  private var words: [String: String] = [:]
  private var takenWords: Set<String> = []
  /// The variables that stand for what nothing here does, by the text of the origin.
  private var placeholders: [String: String] = [:]
  private var takenPlaceholders: Set<String> = []
  /// The names of the vault that occur, in order.
  private(set) var vault: [OriginVariable] = []
  private var ids: Set<String> = []
  /// The `.proto` files of the export, by their ids.
  var protoFiles: Set<String> = []
  /// The names of files beside the requests.
  var fileNames = PortableFileNames(taken: [])

  /// Reads for one import.
  init(_ context: OriginContext) { self.context = context }

  /// What is told.
  var notes: ImportNotes { context.notes }

  /// Whether the export has that `.proto` file.
  func hasProtoFile(_ id: String) -> Bool { protoFiles.contains(id) }

  /// Remembers the name of a request.
  func remember(_ id: String, _ name: String) { names[id] = name }

  /// Remembers the requests of a file, whichever version it is of.
  func collectNames(_ root: JSONView) {
    for resource in root["resources"]?.elements ?? [] {
      if let id = resource["_id"]?.string { names[id] = resource["name"]?.plainText ?? "" }
    }
    var open = root["collection"]?.elements ?? []
    while let item = open.popLast() {
      if let id = item["meta"]?["id"]?.string { names[id] = item["name"]?.plainText ?? "" }
      open += item["children"]?.elements ?? []
    }
  }

  /// An id that no request had before.
  func uniqueID(_ wanted: String) -> String { Self.unique(wanted, &ids, " ") }

  private static func unique(
    _ wanted: String, _ taken: inout Set<String>, _ separator: String
  ) -> String {
    var (candidate, number) = (wanted, 2)
    while !taken.insert(candidate).inserted {
      candidate = "\(wanted)\(separator)\(number)"
      number += 1
    }
    return candidate
  }

  /// The word by which a request is referred to; `nil` where there is no request of that id.
  func word(forRequest id: String) -> String? {
    if let known = words[id] { return known }
    guard let name = names[id] else { return nil }
    var word = ""
    for scalar in name.unicodeScalars {
      let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9") ~= scalar)
      word += isKept ? String(scalar) : "_"
    }
    if word.first.map({ !$0.isLetter }) ?? true { word = "request" + word }
    let result = Self.unique(word, &takenWords, "_")
    words[id] = result
    return result
  }

  /// The variable that stands for a tag that nothing here does, and whether it is new.
  func placeholder(_ tag: String, _ name: String) -> (name: String, isNew: Bool) {
    if let known = placeholders[tag] { return (known, false) }
    let result = Self.unique("insomnia_\(name)", &takenPlaceholders, "_")
    placeholders[tag] = result
    return (result, true)
  }

  /// Remembers that a name of the vault is used.
  func useVault(_ name: String, at place: OriginPlace) {
    guard !vault.contains(where: { $0.name == name }) else { return }
    vault.append(OriginVariable(name: name, value: nil, isSecret: true, place: place))
  }

  /// Adds what is known only when everything was read: names of requests, and the vault.
  func finish(_ collection: inout OriginCollection) {
    name(&collection.root)
    let known = Set((collection.shared + collection.environments.flatMap(\.variables)).map(\.name))
    for variable in vault where !known.contains(variable.name) {
      collection.shared.append(variable)
    }
    collection = InsomniaScopes(collection).collection
  }

  private func name(_ folder: inout OriginFolder) {
    for index in folder.requests.indices {
      folder.requests[index].referenceName = words[folder.requests[index].id]
    }
    for index in folder.folders.indices { name(&folder.folders[index]) }
  }

  // MARK: - Values

  /// The text of a member with Insomnia's templates in our form; empty where there is none.
  func template(_ object: OriginObject, _ name: String, _ use: InsomniaUse) -> String {
    object.text(name).map { template($0, at: object.place.member(name), use) } ?? ""
  }

  /// A value that keeps its type; `null` is an empty text.
  func value(_ view: JSONView, at place: OriginPlace, _ use: InsomniaUse) -> OriginValue {
    switch view.kind {
    case .string: .text(template(view.string ?? "", at: place, use))
    case .null: .text("")
    case .number, .true, .false: .json(OriginJSON(text: view.anyText))
    case .array, .object: .json(OriginJSON(text: templates(in: view.value, at: place, use).text))
    }
  }

  /// A value with Insomnia's templates in our form in all its texts.
  func templates(in value: JSONValue, at place: OriginPlace, _ use: InsomniaUse) -> JSONValue {
    switch value {
    case .string(let text): .string(template(text, at: place, use))
    case .array(let elements): .array(elements.map { templates(in: $0, at: place, use) })
    case .object(let members):
      .object(
        members.map { JSONMember($0.key, templates(in: $0.value, at: place.member($0.key), use)) })
    case .null, .bool, .number: value
    }
  }

  /// A list of pairs: headers, parameters, metadata. Rows without a name and a value are what an
  /// editor shows to be filled in.
  func pairs(
    _ object: OriginObject, _ name: String, _ use: InsomniaUse, isLiteral: Bool = false
  ) -> [OriginPair] {
    var result: [OriginPair] = []
    for (view, place) in object.array(name) {
      guard let pair = OriginObject(view, at: place, notes: notes) else {
        tellMalformed("A row of `\(name)` is no object and is left out.", at: place, use)
        continue
      }
      let key = text(pair, "name", use, isLiteral: isLiteral)
      let value = text(pair, "value", use, isLiteral: isLiteral)
      let description = pair.text("description") ?? ""
      let isOn = !pair.isSet("disabled")
      pair.ignore("id", "type", "multiline")
      pair.finish(origin: use.origin)
      if key.text.isEmpty, value.text.isEmpty { continue }
      result.append(OriginPair(name: key, value: value, isOn: isOn, description: description))
    }
    return result
  }

  /// The text of a member, with templates or, where Insomnia doesn't fill them in, without.
  func text(
    _ object: OriginObject, _ name: String, _ use: InsomniaUse, isLiteral: Bool
  ) -> OriginText {
    if isLiteral { return OriginText(literal: object.text(name) ?? "") }
    return OriginText(template(object, name, use))
  }

  /// Tells of something that can't be read.
  func tellMalformed(_ message: String, at place: OriginPlace, _ use: InsomniaUse) {
    notes.tell(.itemMalformed, message, at: place, origin: use.origin)
  }
}
