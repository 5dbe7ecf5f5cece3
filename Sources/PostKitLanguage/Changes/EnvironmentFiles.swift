// Values written into the files of environments, whose layout stays as it is.

package import PostKitEvaluate
import PostKitJSON
import PostKitText

/// The `http-client` files that a definition can be written into.
package struct EnvironmentFiles: Sendable, Hashable {
  /// The file for everybody, with its text where it exists.
  package var publicFile: SourceFile?
  /// The file for oneself.
  package var privateFile: SourceFile?
  /// Where either is made when it does not exist.
  package var publicPath: String
  package var privatePath: String
  /// Where `.gitignore` has to name the private file; `nil` where version control leaves that out.
  package var ignoringPath: String?
  /// That `.gitignore`, where it exists.
  package var ignoringFile: SourceFile?

  /// Makes a list of files.
  package init(
    publicFile: SourceFile?, privateFile: SourceFile?, publicPath: String, privatePath: String
  ) {
    self.publicFile = publicFile
    self.privateFile = privateFile
    self.publicPath = publicPath
    self.privatePath = privatePath
  }

  /// Gives a name a value in environments; `nil` where the file is no object, or has the name.
  func defining(
    _ name: String, as value: String, in environments: [String], isPrivate: Bool
  ) -> FileChange? {
    defining([name], as: value, in: environments, isPrivate: isPrivate)
  }

  /// Gives a member below environments a value, by the names that lead to it; what is missing on
  /// the way is made. `nil` where the file or something on the way is no object, or has the member.
  func defining(
    _ path: [String], as value: String, in environments: [String], isPrivate: Bool
  ) -> FileChange? {
    let member = EnvironmentFiles.member(path[...], value)
    guard let file = isPrivate ? privateFile : publicFile else {
      let parts = environments.map { EnvironmentFiles.environment($0, member, indent: "  ") }
      return FileChange(
        path: isPrivate ? privatePath : publicPath,
        content: .new("{\n  " + parts.joined(separator: ",\n  ") + "\n}\n"))
    }
    let options = JSONParsingOptions(allowsComments: true)
    // A file that can't be read has a diagnostic of its own, and no place for a definition.
    guard let tree = try? JSONTree(parsing: file.bytes, options: options),
      tree.root.kind == .object
    else { return nil }
    var edits: [TextEdit] = []
    var missing: [String] = []
    for environment in environments {
      guard var object = tree.root[environment] else {
        missing.append(environment)
        continue
      }
      var rest = path[...]
      while object.kind == .object, rest.count > 1, let inner = object[rest[rest.startIndex]] {
        object = inner
        rest = rest.dropFirst()
      }
      guard object.kind == .object, let first = rest.first, object[first] == nil else { return nil }
      edits.append(
        EnvironmentFiles.adding([EnvironmentFiles.member(rest, value)], to: object, file.bytes))
    }
    if !missing.isEmpty {
      let indent = EnvironmentFiles.indent(of: tree.root, file.bytes) ?? "  "
      let parts = missing.map { EnvironmentFiles.environment($0, member, indent: indent) }
      edits.append(EnvironmentFiles.adding(parts, to: tree.root, file.bytes))
    }
    return FileChange(path: file.path, content: .edits(edits, of: file.bytes))
  }

  /// A member with a text, in objects of one member each where several names lead to it.
  private static func member(_ path: ArraySlice<String>, _ value: String) -> String {
    guard let first = path.first else { return JSONValue.string(value).text }
    let inner = member(path.dropFirst(), value)
    return JSONValue.string(first).text + ": " + (path.count > 1 ? "{\(inner)}" : inner)
  }

  /// The line that keeps the private file out of version control; `nil` where that is not needed.
  var ignoringPrivate: FileChange? {
    guard let ignoringPath else { return nil }
    let line = Analysis.name(of: privateFile?.path ?? privatePath) + "\n"
    guard let file = ignoringFile else {
      return FileChange(path: ignoringPath, content: .new(line))
    }
    let end = file.bytes.count
    let text = file.bytes.last.map { $0 == 10 } ?? true ? line : "\n" + line
    return FileChange(
      path: file.path, content: .edits([TextEdit(end..<end, text)], of: file.bytes))
  }

  /// An environment of one member, as it stands in a file's object.
  private static func environment(_ name: String, _ member: String, indent: String) -> String {
    "\(JSONValue.string(name).text): {\n\(indent)\(indent)\(member)\n\(indent)}"
  }

  /// Puts members behind the last one of an object, each on a line of its own where that one is.
  static func adding(_ members: [String], to object: JSONView, _ bytes: [UInt8]) -> TextEdit {
    guard let last = object.members.last else {
      let place = object.range.lowerBound + 1
      let isSpread = members.contains { $0.contains("\n") }
      let text = members.joined(separator: isSpread ? ",\n  " : ", ")
      return TextEdit(place..<object.range.upperBound - 1, isSpread ? "\n  \(text)\n" : text)
    }
    let end = last.value.range.upperBound
    let separator = indent(of: object, bytes).map { ",\(lineEnd(bytes))\($0)" } ?? ", "
    return TextEdit(end..<end, members.map { separator + $0 }.joined())
  }

  /// The blanks before the last member of an object; `nil` where it does not begin its line.
  private static func indent(of object: JSONView, _ bytes: [UInt8]) -> String? {
    guard let key = object.members.last?.key.range.lowerBound else { return nil }
    var start = key
    while start > 0, bytes[start - 1] == 32 || bytes[start - 1] == 9 { start -= 1 }
    guard start > 0, bytes[start - 1] == 10 || bytes[start - 1] == 13 else { return nil }
    return String(decoding: bytes[start..<key], as: UTF8.self)
  }

  private static func lineEnd(_ bytes: [UInt8]) -> String {
    guard let first = bytes.firstIndex(of: 10), first > 0 else { return "\n" }
    return bytes[first - 1] == 13 ? "\r\n" : "\n"
  }
}
