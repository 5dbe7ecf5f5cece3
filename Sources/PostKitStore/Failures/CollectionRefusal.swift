// Why the collections can't be changed as asked, in sentences for people.

/// Why an edit of the collections is refused; nothing of its list is done then.
package enum CollectionRefusal: Sendable, Hashable {
  /// No collection, folder, request, environment or variable has that id.
  case notFound(String)
  case idExists(String)
  /// What is given as an id is none.
  case badID(String)
  /// The store has changed since its reader looked at it.
  case stale
  case emptyName
  /// A name with a line feed or another control character, which would break what lists names.
  case controlCharacter
  /// A name that no environment can have.
  case environmentName(String)
  /// A name that no request can have.
  case requestName(String)
  /// An operation that this kind of thing does not have.
  case notPossible(operation: String, kind: String)
  /// A folder can't be moved into itself or below.
  case cycle(String)
  /// A global environment that collections have active can't be deleted.
  case environmentInUse(name: String, collections: [String])
  /// An environment that belongs to another collection can't be active.
  case foreignEnvironment(String)
  /// What a place is given by is no sibling.
  case noSibling(String)
  /// A cursor that leads nowhere any more, with why.
  case badCursor(String)
  /// A second variable of a key in one environment.
  case variableExists(key: String, environment: String, id: String)
  /// There is no deletion that could be taken back.
  case nothingDeleted
  /// No deletion has that id.
  case notDeleted(String)
  /// What was deleted is there again.
  case madeAgain(name: String, kind: String)
  /// Something lay in what is deleted, too; with the id of that deletion, if there is one.
  case ownerDeleted(name: String, deletion: String?)
  /// What a deletion took away can't be read.
  case notReadable(name: String, id: String)
  /// What whoever decided on the change says against it.
  case sentence(String)

  /// One or two sentences for a person.
  package var message: String {
    switch self {
    case .notFound(let id):
      "The collections have no item with the id \(id). 'postkit collections --json' lists "
        + "them all."
    case .idExists(let id):
      "The collections already have an item with the id \(id). Leave the id out to get a "
        + "new one, or import it to replace that item."
    case .badID(let id):
      "`\(id)` is not an id. Write a UUID in lower case, or leave it out to get a new one."
    case .stale:
      "The collections have changed since they were read. Read them again, then repeat the change."
    case .emptyName: "A name is needed. Give one with at least one letter."
    case .controlCharacter:
      "A name can't contain line breaks or control characters. Write a single line."
    case .environmentName(let name):
      "An environment can't be called `\(name)`. Choose a name without commas that doesn't begin "
        + "with `$`."
    case .requestName(let name):
      "`\(name)` can't be the name of a request. Choose one line of text."
    case .notPossible(let operation, let kind): "\(kind) can't be \(operation)."
    case .cycle(let name):
      "The folder `\(name)` can't be moved into itself or into a folder below it. Choose another "
        + "place."
    case .environmentInUse(let name, let collections):
      "The global environment `\(name)` is active in \(CollectionRefusal.list(collections)). "
        + "Choose another environment there first, or none."
    case .foreignEnvironment(let name):
      "The environment `\(name)` belongs to another collection. Choose one of the collection's own "
        + "or a global one."
    case .badCursor(let reason): "The cursor \(reason). Ask for the first page again."
    case .variableExists(let key, let environment, let id):
      "The environment `\(environment)` already has the variable `\(key)`, with the id \(id). "
        + "Change that one, or choose another name."
    case .nothingDeleted:
      "Nothing was deleted from the collections within 30 days, so there is nothing to take back."
    case .notDeleted(let id):
      "No deletion of the last 30 days has the id \(id). 'postkit collections undo --list' lists "
        + "them."
    case .madeAgain(let name, let kind):
      "There is a \(kind) `\(name)` again, so the deleted one can't be taken back. Rename or "
        + "delete that one first."
    case .ownerDeleted(let name, let deletion?):
      "What `\(name)` was in is deleted, too. Take that back first: 'postkit collections undo "
        + "\(deletion)'."
    case .ownerDeleted(let name, nil):
      "What `\(name)` was in is gone for good, so it can't be taken back."
    case .notReadable(let name, let id):
      "What was deleted as `\(name)` can't be read: row \(id) of the table `trash` is damaged. "
        + "'postkit collections restore' brings it back from a backup."
    case .sentence(let sentence): sentence
    case .noSibling(let id):
      "\(id) is not in that place, so nothing can go before or after it. Choose an item of the "
        + "same kind in the same place."
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }
}

extension String {
  /// Whether it has a line feed or another control character, as no name in the collections has.
  package var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
