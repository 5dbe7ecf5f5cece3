// What can be changed in the collections, as values: a list of edits is one transaction.

/// One change of the collections. Ids are given by who makes it, so that edits of one list can
/// refer to what others of it have made; an id that exists already is refused.
package enum CollectionEdit: Sendable, Hashable {
  case createCollection(id: String, name: String, at: SiblingPosition = .last)
  case createFolder(id: String, name: String, in: RequestContainer, at: SiblingPosition = .last)
  case createRequest(
    id: String, StoredRequestContent, in: RequestContainer, at: SiblingPosition = .last)
  /// Makes a request with that id, or brings up to date what lies there by its name already.
  case saveRequest(
    id: String, StoredRequestContent, in: RequestContainer, at: SiblingPosition = .last)
  /// Makes an environment of a collection, or a global one for `nil`.
  case createEnvironment(
    id: String, name: String, collection: String?, at: SiblingPosition = .last)
  /// Makes a variable at the end of its environment. A secret's value is kept elsewhere; see
  /// `SecretStore`.
  case createVariable(id: String, key: String, value: VariableValue, environment: String)
  /// Gives something another name, or a variable another key. The name of a request stands in its
  /// text, which is changed as it is by then: see `RequestTextRenaming`.
  case rename(id: String, to: String)
  /// Replaces the text of a request with what derives from it.
  case update(request: String, StoredRequestContent)
  /// Gives a variable another value.
  case setVariable(id: String, VariableValue)
  /// Puts a folder or request into a container, `nil` for the one in which it is; a collection,
  /// environment or variable only among its siblings.
  case move(id: String, to: RequestContainer?, at: SiblingPosition = .last)
  /// Puts a copy behind the original, with all that belongs to it. Requests keep their texts;
  /// anything else is named "… copy".
  case duplicate(id: String, as: String)
  /// Deletes something with all that belongs to it. It can be taken back; see `DeletedItem`.
  case delete(id: String)
  /// Takes back a deletion by its id or by that of what was deleted; the last one for `nil`.
  case undo(id: String?)
  /// Lets go of deletions, by their ids, so that they can't be taken back.
  case discard(deletions: [String])
  /// Says whether a request is a favourite.
  case favourite(id: String, Bool)
  /// Replaces what the requests of a collection or folder have that don't say it themselves.
  case setDefaults(id: String, StoredDefaults)
  /// Keeps what an import remembers of a collection.
  case setImportManifest(id: String, String)
  /// Brings in rows with their ids. What is there already is brought up to date, in the place where
  /// the rows have it; nothing else is changed.
  case restore(KeptRows)
  /// Chooses the environment of a collection, one of its own or a global one; `nil` for none.
  case activate(environment: String?, collection: String)
}

/// What holds requests and folders.
package enum RequestContainer: Sendable, Hashable {
  /// The top of a collection.
  case collection(String)
  case folder(String)
  /// The collection or folder with that id, perhaps made by an earlier edit of the list.
  case either(String)
}

/// Gives the text of a request, which a dialect reads, another name; `nil` for what can't be one.
package typealias RequestTextRenaming = @Sendable (
  _ source: String, _ dialect: String?, _ name: String
) -> StoredRequestContent?

/// A place among the siblings of the same kind.
package enum SiblingPosition: Sendable, Hashable {
  case first
  case last
  case before(String)
  case after(String)
  /// The place counted from 0; behind the last one it is the end.
  case index(Int)
}

/// The value of a variable.
package enum VariableValue: Sendable, Hashable {
  case plain(String)
  /// A value of a variable that stays secret or plain, as it is.
  case kept(String)
  /// A value that the database never holds.
  case secret
}

/// A request as it is kept: its text, and what derives from that for searches.
package struct StoredRequestContent: Sendable, Hashable {
  /// The block's exact text, bytes that are no UTF-8 included (`String(keeping:)`). All else
  /// derives from it.
  package var source: String
  package var name: String?
  package var method: String
  package var url: String
  package var body: String?
  package var headers: [StoredField]
  package var parameters: [StoredField]
  /// The words of its `# @tag` lines, in their order.
  package var tags: [String]
  /// The preset by which the text is read, where the file it came from had one.
  package var dialect: String?
  /// Where it was saved from; `nil` keeps what is known.
  package var origin: RequestOrigin?

  /// What people call it: its name, else its method and target.
  package var displayName: String { name ?? "\(method) \(url)" }

  /// Makes the content of a request.
  package init(
    source: String, name: String?, method: String, url: String, body: String? = nil,
    headers: [StoredField] = [], parameters: [StoredField] = [], tags: [String] = [],
    dialect: String? = nil, origin: RequestOrigin? = nil
  ) {
    self.source = source
    self.name = name
    self.method = method
    self.url = url
    self.body = body
    self.headers = headers
    self.parameters = parameters
    self.tags = tags
    self.dialect = dialect
    self.origin = origin
  }
}

/// A header or a query parameter; both may repeat.
package struct StoredField: Sendable, Hashable {
  package var key: String
  package var value: String
  package var isEnabled: Bool

  /// Makes a field.
  package init(_ key: String, _ value: String, isEnabled: Bool = true) {
    self.key = key
    self.value = value
    self.isEnabled = isEnabled
  }
}

/// The file and the name under which a request was found.
package struct RequestOrigin: Sendable, Hashable {
  package var file: String
  package var name: String?

  /// Makes an origin.
  package init(file: String, name: String?) {
    self.file = file
    self.name = name
  }
}

/// What a list of edits has done.
package struct CollectionEditResult: Sendable, Hashable {
  /// The revision of the collections afterwards.
  package var revision: Int64 = 0
  /// What each edit made or changed.
  package var ids: [String] = []
  /// The deletions that it made, by the places of what they took away in `ids`.
  package var deletions: [Int: String] = [:]
  /// Variables that are gone for good or no secrets any more, whose secrets are to be deleted.
  package var droppedSecrets: [String] = []
  /// Copies of secret variables, which need their secrets copied.
  package var copiedSecrets: [SecretCopy] = []
  /// Requests that are gone for good.
  package var deletedRequests: [String] = []

  /// A variable that is the copy of another.
  package struct SecretCopy: Sendable, Hashable {
    package var original: String
    package var copy: String
  }
}

/// How much belongs to something.
package struct CollectionContents: Sendable, Hashable {
  package var folders = 0
  package var requests = 0
  package var environments = 0
  package var variables = 0

  /// Whether there is nothing.
  package var isEmpty: Bool { self == CollectionContents() }
}
