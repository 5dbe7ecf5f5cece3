// `postkit/edit`: everything that changes what the store keeps, as lists of operations.

import JSONRPC
import LanguageServerProtocol
import PostKitEvaluate
import PostKitJSON
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax

/// The handler of `postkit/edit`.
enum StoreEdits {
  /// What is said where an operation of another kind stands among them.
  static let isApart = RPCError(
    .invalidParams,
    "params.ops: the history, saved searches, the cookies, the session values and the collections "
      + "are edited each in a message of its own.")

  /// The operation that the argument of a command is.
  static func operation(_ argument: JSONValue?) throws(RPCError) -> LSP.PostkitEditOperation {
    guard let argument else {
      throw RPCError(.invalidParams, "params.arguments: expected one operation.")
    }
    return try ExecuteCommand.decode(LSP.PostkitEditOperation.self, argument)
  }

  /// A command of one operation, which must be of the kind that the command is for.
  static func one(
    _ snapshot: Snapshot, _ argument: JSONValue?,
    where isMeant: (LSP.PostkitEditKind) -> Bool
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    let operation = try operation(argument)
    guard isMeant(operation.op) else { throw isApart }
    return try await edit(snapshot, LSP.PostkitEditParams(ops: [operation]))
  }

  /// Carries out operations, all of them or none.
  static func edit(
    _ snapshot: Snapshot, _ params: LSP.PostkitEditParams
  ) async throws(RPCError) -> LSP.PostkitEditResult {
    if params.ops.contains(where: { $0.op.isOfHistory }) {
      return try await HistoryEdits.edit(snapshot, params)
    }
    if params.ops.contains(where: { $0.op.isOfSearches }) {
      return try await HistoryFigures.edit(snapshot, params)
    }
    if params.ops.contains(where: { $0.op.isOfCookies }) {
      return try await Cookies.edit(snapshot, params)
    }
    if params.ops.contains(where: { $0.op.isOfSession }) {
      return try await SessionValues.edit(snapshot, params)
    }
    var edits: [CollectionEdit] = []
    var secrets: [String: String] = [:]
    for (index, operation) in params.ops.enumerated() {
      try operation.requireMembers(place: "params.ops[\(index)]")
      do throws(RPCError) {
        let edit = try await self.edit(snapshot, operation)
        edits.append(edit)
        if let variable = edit.secretVariable { secrets[variable] = operation.value }
      } catch {
        throw RPCError(
          error.code, "params.ops[\(index)]: \(error.message)", data: error.data)
      }
    }
    guard let store = await snapshot.store.store() else {
      throw RPCError(.requestFailed, "The store is not available, so nothing was changed.")
    }
    let (given, values) = (edits, secrets)
    return try await RPCError.ofStore { () throws(StoreFailure) in
      let (result, plain) = try await CollectionEditor(store, renaming: RequestText.renaming).edit(
        ifRevision: params.expectedRevision
      ) { reader throws(StoreFailure) in
        try plan(given, secrets: values, reader)
      }
      if !plain.isEmpty {
        snapshot.client.showMessage(.warning, StoredDefaults.warning(plainCredentials: plain))
      }
      var ids: [String: String] = [:]
      for (index, id) in result.ids.enumerated() { ids[String(index)] = id }
      var answer = LSP.PostkitEditResult(revision: Double(result.revision), ids: ids)
      if !result.deletions.isEmpty {
        answer.deletions = Dictionary(
          uniqueKeysWithValues: result.deletions.map { (String($0), $1) })
      }
      return answer
    }
  }

  /// Edits as they are by then, with the names of defaults that come to be credentials in plain
  /// text.
  private static func plan(
    _ given: [CollectionEdit], secrets: [String: String], _ reader: CollectionReader
  ) throws(StoreFailure) -> CollectionPlan<[String]> {
    var edits: [CollectionEdit] = []
    var plain: [String] = []
    for edit in given {
      let edit = try edit.asRead(reader)
      edits.append(edit)
      guard case .setDefaults(let id, let defaults) = edit else { continue }
      let known = try reader.item(id: id)?.defaults ?? StoredDefaults()
      plain += defaults.plainCredentials(besides: known)
    }
    return CollectionPlan(edits, secrets: secrets, value: plain)
  }

  /// One operation as an edit of the collections.
  private static func edit(
    _ snapshot: Snapshot, _ operation: LSP.PostkitEditOperation
  ) async throws(RPCError) -> CollectionEdit {
    switch operation.op {
    case .createItem: return try creation(operation)
    case .renameItem:
      guard let name = operation.name else { throw missing("name") }
      return .rename(id: try operation.requiredID, to: name)
    case .moveItem:
      return .move(
        id: try operation.requiredID, to: operation.parent.map { .either($0) },
        at: operation.place)
    case .duplicateItem:
      return .duplicate(id: try operation.requiredID, as: Identifier.next())
    case .updateItem:
      let id = try operation.requiredID
      if let value = operation.variableValue { return .setVariable(id: id, value) }
      guard let source = operation.source else { throw missing("source") }
      // What derives from it is found out inside the transaction.
      return .update(
        request: id, StoredRequestContent(source: source, name: nil, method: "", url: ""))
    case .deleteItem: return .delete(id: try operation.requiredID)
    case .undoDeletion: return .undo(id: operation.id)
    case .favouriteItem:
      guard let favourite = operation.favourite else { throw missing("favourite") }
      return .favourite(id: try operation.requiredID, favourite)
    case .setDefaults:
      guard let given = operation.defaults else { throw missing("defaults") }
      return .setDefaults(id: try operation.requiredID, try StoredDefaults(given))
    case .saveRequest:
      let content = try await savedContent(snapshot, operation)
      return .saveRequest(
        id: Identifier.next(), content, in: try container(operation), at: operation.place)
    case .selectEnvironment:
      return .activate(environment: operation.environment, collection: try operation.requiredID)
    case .historyDelete, .historyPin, .historyUnpin, .historyLabel, .historyNote, .historyClear,
      .searchSave, .searchDelete, .cookieDelete, .cookieClear, .sessionDelete, .sessionClear:
      throw isApart
    }
  }

  private static func creation(
    _ operation: LSP.PostkitEditOperation
  ) throws(RPCError) -> CollectionEdit {
    let id = operation.id ?? Identifier.next()
    let name = operation.name ?? ""
    switch operation.kind {
    case nil: throw missing("kind")
    case .collection: return .createCollection(id: id, name: name, at: operation.place)
    case .folder:
      return .createFolder(
        id: id, name: name, in: try container(operation), at: operation.place)
    case .request:
      return .createRequest(
        id: id, try content(operation, dialect: nil), in: try container(operation),
        at: operation.place)
    case .environment:
      return .createEnvironment(
        id: id, name: name, collection: operation.parent, at: operation.place)
    case .variable:
      guard let parent = operation.parent else { throw missing("parent") }
      return .createVariable(
        id: id, key: name,
        value: operation.secret == true ? .secret : .plain(operation.value ?? ""),
        environment: parent)
    }
  }

  private static func content(
    _ operation: LSP.PostkitEditOperation, dialect: DialectPreset?
  ) throws(RPCError) -> StoredRequestContent {
    guard let source = operation.source else { throw missing("source") }
    guard let text = RequestText(Array(source.utf8), dialect: dialect) else {
      throw RPCError(.invalidParams, noRequest)
    }
    return text.content()
  }

  fileprivate static let noRequest = "source has no request. Write a request line."

  /// The request at a place of a document, as it is to be saved.
  static func savedContent(
    _ snapshot: Snapshot, _ operation: LSP.PostkitEditOperation
  ) async throws(RPCError) -> StoredRequestContent {
    guard let uri = operation.uri else { throw missing("uri") }
    let context = await snapshot.context(of: try await snapshot.sendable(uri))
    let block = try SendRequests.block(
      snapshot, context,
      SendOrder(uri: uri, position: operation.position, name: operation.name))
    guard
      let text = RequestText(block, of: context.document.parsed, context.workspace.reading)
    else { throw RPCError(.invalidParams, "No request to save.") }
    return text.content(
      origin: RequestOrigin(file: context.file, name: text.block.name))
  }

  /// What something is put into.
  private static func container(
    _ operation: LSP.PostkitEditOperation
  ) throws(RPCError) -> RequestContainer {
    guard let parent = operation.parent else { throw missing("parent") }
    return .either(parent)
  }

  private static func missing(_ member: String) -> RPCError {
    RPCError(.invalidParams, "\(member) is needed for this operation.")
  }
}

extension CollectionEdit {
  /// The edit with what derives from the new text of a request, as the dialect that the request has
  /// by then reads it.
  fileprivate func asRead(_ reader: CollectionReader) throws(StoreFailure) -> CollectionEdit {
    if case .setDefaults(let id, let defaults) = self {
      let known = try reader.item(id: id)?.defaults ?? StoredDefaults()
      return .setDefaults(id: id, defaults.unmasked(by: known))
    }
    guard case .update(let id, let content) = self else { return self }
    let dialect = try reader.request(id: id)?.dialect.flatMap(DialectPreset.init(rawValue:))
    guard let text = RequestText(Array(content.source.utf8), dialect: dialect) else {
      throw .collection(.sentence(StoreEdits.noRequest))
    }
    return .update(request: id, text.content())
  }

  /// The variable that becomes a secret.
  fileprivate var secretVariable: String? {
    switch self {
    case .createVariable(let id, _, .secret, _): id
    case .setVariable(let id, .secret): id
    default: nil
    }
  }
}

extension LSP.PostkitEditOperation {
  /// The value that a variable gets; `nil` where none is given.
  fileprivate var variableValue: VariableValue? {
    value.map { value in
      switch secret {
      case true?: .secret
      case false?: .plain(value)
      case nil: .kept(value)
      }
    }
  }

  /// Refuses members that belong to other operations: who gives them means something else.
  func requireMembers(place: String) throws(RPCError) {
    guard case .object(let given) = JSONValue(self) else { return }
    if let other = given.first(where: { !(["op"] + op.members).contains($0.key) }) {
      let members = op.members.map { "`\($0)`" }.joined(separator: ", ")
      throw RPCError(
        .invalidParams, "\(place).\(other.key): `\(op.rawValue)` takes only \(members).")
    }
  }

  fileprivate var requiredID: String {
    get throws(RPCError) {
      guard let id else { throw RPCError(.invalidParams, "id is needed for this operation.") }
      return id
    }
  }

  /// The place among siblings.
  var place: SiblingPosition {
    if let before { return .before(before) }
    if let after { return .after(after) }
    return index.map { .index(Int($0)) } ?? .last
  }
}

extension LSP.PostkitEditKind {
  /// What an operation takes.
  fileprivate var members: [String] {
    let place = ["parent", "before", "after", "index"]
    return switch self {
    case .createItem: ["kind", "id", "name", "source", "value", "secret"] + place
    case .renameItem: ["id", "name"]
    case .moveItem: ["id"] + place
    case .updateItem: ["id", "source", "value", "secret"]
    case .duplicateItem, .deleteItem, .undoDeletion: ["id"]
    case .favouriteItem: ["id", "favourite"]
    case .setDefaults: ["id", "defaults"]
    case .saveRequest: ["uri", "position", "name"] + place
    case .selectEnvironment: ["id", "environment"]
    case .historyPin, .historyUnpin, .historyDelete: ["ids", "filter", "atMost"]
    case .historyLabel, .historyNote: ["ids", "filter", "atMost", "text"]
    case .searchSave: ["name", "query"]
    case .searchDelete: ["name"]
    case .historyClear: ["host", "since"]
    case .cookieDelete: ["folder", "environment", "domain", "path", "name"]
    case .cookieClear: ["folder", "environment", "domain", "path"]
    case .sessionDelete: ["folder", "environment", "name"]
    case .sessionClear: ["folder", "environment"]
    }
  }
}

extension LSP.PostkitEditParams {
  /// The revision that the client expects; one beyond all that are possible is none of them.
  var expectedRevision: Int64? { ifRevision.map { Int64(max(min($0, 9e15), -1)) } }
}
