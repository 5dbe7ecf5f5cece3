// All collections in one file: everything that the store keeps of them but the values of secrets.

import PostKitEvaluate
import PostKitJSON
package import PostKitStore
import PostKitSupport

/// A backup of the collections as a file.
///
/// An object with `format` (`postkit-collections`), `version` (1), `createdAt`, and the arrays
/// `collections`, `folders`, `requests`, `environments` and `variables`, whose members are the rows
/// with their ids. Times are RFC 3339 in UTC; `defaults` are objects, see `StoredDefaults`. A
/// variable that is a secret has no value. Headers, parameters and tags of a request are in its
/// `source`. Readers leave out members that they don't know.
package struct CollectionBackup: Sendable {
  package let rows: KeptRows

  /// Why a file can't be restored.
  package struct Problem: Error, Sendable {
    /// A sentence for a person.
    package let message: String
  }

  static let format = "postkit-collections"
  static let version = 1

  /// Makes a backup of rows.
  package init(_ rows: KeptRows) { self.rows = rows }

  /// Reads a file.
  package init(_ bytes: [UInt8], path: String) throws(Problem) {
    let tree: JSONTree
    do throws(JSONSyntaxError) { tree = try JSONTree(parsing: bytes) } catch {
      throw Problem(message: "\(path) is not JSON: \(error.explanation)")
    }
    guard tree.root["format"]?.string == CollectionBackup.format else {
      throw Problem(
        message: "\(path) is not a backup of collections. `postkit collections export --all FILE` "
          + "writes one; `postkit import` reads request files")
    }
    guard let version = tree.root["version"]?.int, version > 0 else {
      throw Problem(
        message: "\(path) has no `version` that a backup can have. Export the collections again")
    }
    guard version == CollectionBackup.version else {
      throw Problem(
        message: "\(path) was written by a newer PostKit. Update this one, then restore it")
    }
    let value = tree.root.value
    if let mistake = CollectionBackup.mistake(in: value) {
      throw Problem(
        message: "\(path) can't be restored, and nothing is changed: \(mistake). Correct it, or "
          + "take another backup")
    }
    rows = KeptRows(CollectionBackup.deriving(CollectionBackup.map(value, CollectionBackup.read)))
  }

  /// The file. `now` is in milliseconds since 1970-01-01T00:00:00Z.
  package func bytes(now: Int64) -> [UInt8] {
    guard case .object(let members) = CollectionBackup.map(rows.json, CollectionBackup.written)
    else { return [] }
    let head = [
      JSONMember("format", .string(CollectionBackup.format)),
      JSONMember("version", .int(CollectionBackup.version)),
      JSONMember("createdAt", .string(Moment.utc(now))),
    ]
    var writer = JSONWriter(indent: 2)
    writer.write(.object(head + members))
    return writer.bytes + [0x0A]
  }

  /// Changes the members of all rows.
  private static func map(_ json: JSONValue, _ change: (JSONMember) -> JSONValue) -> JSONValue {
    guard case .object(let tables) = json else { return json }
    return .object(
      tables.map { table in
        guard case .array(let rows) = table.value else { return table }
        return JSONMember(
          table.key,
          .array(
            rows.map { row in
              guard case .object(let members) = row else { return row }
              return .object(members.map { JSONMember($0.key, change($0)) })
            }))
      })
  }

  /// The rows with what derives from the texts of requests, which a hand may have changed.
  private static func deriving(_ json: JSONValue) -> JSONValue {
    guard case .object(let tables) = json else { return json }
    return .object(
      tables.map { table in
        guard table.key == "requests" else { return table }
        return JSONMember(table.key, .array(table.value.elements.map(derived)))
      })
  }

  private static func derived(_ request: JSONValue) -> JSONValue {
    guard case .object(let members) = request else { return request }
    let content = RequestText.content(
      request["source"]?.string ?? "",
      dialect: request["dialect"]?.string.flatMap(DialectPreset.init(rawValue:)), file: nil)
    let own: [JSONMember] = [
      JSONMember("name", .optional(content.name)), JSONMember("method", .string(content.method)),
      JSONMember("url", .string(content.url)), JSONMember("body", .optional(content.body)),
    ]
    let names = own.map(\.key)
    return .object(members.filter { !names.contains($0.key) } + own)
  }

  private static func written(_ member: JSONMember) -> JSONValue {
    switch (member.key, member.value) {
    case ("createdAt", .number), ("updatedAt", .number):
      .string(Moment.utc(Int64(member.value.int ?? 0)))
    case ("defaults", .string(let text)): StoredDefaults(text).json
    default: member.value
    }
  }

  private static func read(_ member: JSONMember) -> JSONValue {
    switch (member.key, member.value) {
    case ("createdAt", .string(let text)), ("updatedAt", .string(let text)):
      .int(Moment.parse(text, now: 0) ?? 0)
    case ("defaults", .object): .string(member.value.text)
    default: member.value
    }
  }
}
