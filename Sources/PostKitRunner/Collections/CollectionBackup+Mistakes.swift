// What a file of collections must be like, so that all of it can be restored.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitStore
import PostKitSupport

extension CollectionBackup {
  /// What the members of a table hold that all of its rows need.
  private static let texts: [(table: String, member: String)] = [
    ("collections", "name"), ("folders", "name"), ("requests", "source"), ("environments", "name"),
    ("variables", "key"),
  ]

  /// The first thing that can't be restored, with its place, as a part of a sentence; `nil` where
  /// there is none.
  static func mistake(in root: JSONValue) -> String? {
    var ids: Set<String> = []
    var keys: Set<[String]> = []
    for (table, member) in texts {
      guard let value = root[table] else { continue }
      guard case .array(let rows) = value else { return "`\(table)` must be an array" }
      for (index, row) in rows.enumerated() {
        let place = "\(table)[\(index)]"
        guard case .object = row else { return "`\(place)` must be an object" }
        guard let id = row["id"]?.string, Identifier.isValid(id) else {
          return "`\(place).id` must be a UUID in lower case"
        }
        guard ids.insert(id).inserted else { return "`\(place).id` is there twice" }
        guard let text = row[member]?.string else { return "`\(place).\(member)` must be a text" }
        if let mistake = mistake(in: row, of: table, named: text) { return "`\(place)\(mistake)" }
        if table == "variables", !keys.insert([row["environmentId"]?.string ?? "", text]).inserted {
          return "`\(place).key` is there twice in its environment"
        }
      }
    }
    return nil
  }

  /// What a row has that it can't have: the rest of its place and a verb.
  private static func mistake(in row: JSONValue, of table: String, named text: String) -> String? {
    if table != "requests" {
      let isEmpty = !text.contains { !$0.isWhitespace }
      if isEmpty || text.hasControlCharacters {
        return ".\(table == "variables" ? "key" : "name")` must be a line of text"
      }
      if table == "environments", text.contains(",") || text.hasPrefix("$") {
        return ".name` can't be the name of an environment"
      }
    }
    if let order = row["sortOrder"], order.int == nil {
      return ".sortOrder` must be a whole number"
    }
    for flag in ["isSecret", "isFavourite"] {
      if let value = row[flag], value.bool == nil { return ".\(flag)` must be true or false" }
    }
    for time in ["createdAt", "updatedAt"] {
      if let value = row[time], value.string.flatMap({ Moment.parse($0, now: 0) }) == nil {
        return ".\(time)` must be a time such as 2026-01-31T10:00:00.000Z"
      }
    }
    if let dialect = row["dialect"], dialect != .null,
      dialect.string.flatMap(DialectPreset.init(rawValue:)) == nil
    {
      return ".dialect` must be one that PostKit reads"
    }
    if let defaults = row["defaults"], defaults != .null {
      guard case .object = defaults else { return ".defaults` must be an object" }
      if let mistake = StoredDefaults(defaults.text).mistake {
        return ".defaults`: \(mistake.hasSuffix(".") ? String(mistake.dropLast()) : mistake)"
      }
    }
    return nil
  }
}
