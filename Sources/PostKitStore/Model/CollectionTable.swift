// The tables of the collections, and who the siblings of a row are.

/// A table whose rows people see and order.
enum CollectionTable: String, CaseIterable {
  case collection
  case folder
  case request = "http_request"
  case environment
  case variable

  /// The rows among which a row has its order.
  struct Siblings {
    var table: CollectionTable
    var condition: String
    var values: [SQLValue]
  }

  /// What a row is called in sentences that begin with it.
  var noun: String {
    switch self {
    case .collection: "A collection"
    case .folder: "A folder"
    case .request: "A request"
    case .environment: "An environment"
    case .variable: "A variable"
    }
  }

  /// The column that holds what people call a row; a request's name derives from its text.
  var nameColumn: String { self == .variable ? "key" : "name" }

  /// What people call a request, as SQL; an index has just this.
  static let captionSQL = "ifnull(name, method || ' ' || url)"

  /// The columns that say where a row lies, in the order of the values of a place.
  var placeColumns: [String] {
    switch self {
    case .collection: []
    case .folder: ["collection_id", "parent_id"]
    case .request: ["collection_id", "folder_id"]
    case .environment: ["collection_id"]
    case .variable: ["environment_id"]
    }
  }

  /// The columns that a copy has from its original.
  var contentColumns: [String] {
    switch self {
    case .collection: ["name", "sort_order", "active_environment_id", "defaults"]
    case .folder: ["name", "sort_order", "defaults"]
    case .environment: ["name", "sort_order"]
    case .request:
      [
        "name", "sort_order", "method", "url", "origin_file", "origin_name", "dialect", "source",
        "body", "derivation",
      ]
    case .variable: ["key", "value", "is_secret", "sort_order"]
    }
  }

  /// The rows of a place.
  func siblings(at place: [SQLValue]) -> Siblings {
    let terms = placeColumns.map { "\($0) IS ?" }
    return Siblings(
      table: self, condition: terms.isEmpty ? "1" : terms.joined(separator: " AND "),
      values: place)
  }
}
