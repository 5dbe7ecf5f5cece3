// What is told of conflicts and of an origin's text: without the credentials in it, since reports
// are kept.

import PostKitHTTP
import PostKitJSON

extension FolderMerge {
  // MARK: - Conflicts

  /// Tells what both have changed of a request.
  mutating func conflict(
    _ part: String, of block: OriginBlock, in file: String, line: Int?, _ message: String
  ) {
    conflict(part, in: file, line: line, origin: block.title, message)
  }

  /// Tells what both have changed.
  mutating func conflict(
    _ part: String, in file: String, line: Int?, origin: String, _ message: String
  ) {
    let kept = rule == .theirs ? ConflictRule.theirs : .mine
    changes.conflicts.append(
      ImportConflict(origin: origin, file: file, part: part, kept: kept.rawValue))
    let here = state.isCollection ? "collection" : "file"
    let decision = switch rule {
    case .mine: "The \(here)'s stays."
    case .theirs: "The origin's is taken."
    case .stop: "Nothing is written; `--on-conflict mine` or `theirs` decides."
    }
    let words = "Both the \(here) and the origin have changed the \(part)."
    notes.tell(
      ImportNote(
        code: .conflict, isWarning: true, place: "", origin: origin, file: file, line: line,
        message: "\(words) \(decision) \(message)"))
  }

  // MARK: - What the origin says

  /// What the origin now says of a part, as a sentence. Of texts that are not merged by names these
  /// are the lines that are not here, and only the number of all where anything in the text, or the
  /// text itself by its `name`, may be a credential; in a command anything may.
  func says(
    _ theirs: String, of part: String, besides mine: String = "", named name: String = ""
  ) -> String {
    // A secret may have several lines.
    let (theirs, mine) = (secrets.mask(theirs).text, secrets.mask(mine).text)
    let start = "The origin now says of the \(part): "
    switch BlockPart(rawValue: part) {
    case .headers: return start + Self.quoted(Self.withoutSecretValues(theirs))
    case .line where RequestLineItems.items(theirs) != nil: return start + Self.quoted(theirs)
    case nil where part == "title": return start + Self.quoted(theirs)
    case .line, .body, .tail, .head, nil: break
    }
    let lines = theirs.split(separator: "\n", omittingEmptySubsequences: false)
    let isCommand = part == BlockPart.line.rawValue
    if isCommand || NamedValues.isSecret(name) || NamedValues.mayHoldSecret(theirs) {
      let count = lines.count == 1 ? "1 line" : "\(lines.count) lines"
      return "What the origin now says has \(count); it is not shown, as it may hold a credential."
    }
    let known = Set(mine.split(separator: "\n", omittingEmptySubsequences: false))
    let added = lines.filter { !known.contains($0) }
    if added.isEmpty { return "Here are all lines of the origin's, with others or in other order." }
    return start + Self.quoted(added.joined(separator: "\n"))
  }

  /// Headers without values in which something is named like a credential.
  private static func withoutSecretValues(_ headers: String) -> String {
    headers.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let goesOn = line.first == " " || line.first == "\t"
      let end = goesOn ? line.startIndex : line.firstIndex(of: ":") ?? line.startIndex
      let value = TemplateText.rewriting(String(line[end...])) { _ in "" }.trimmingASCIIBlanks()
      guard NamedValues.mayHoldSecret(value) else { return String(line) }
      return goesOn ? " \(SecretMask.text)" : "\(line[..<end]): \(SecretMask.text)"
    }.joined(separator: "\n")
  }

  /// A text of the origin in a sentence, in one line, its beginning where it is long.
  static func quoted(_ text: String) -> String {
    if text.isEmpty { return "nothing." }
    let line = masked(text).replacing("\n", with: " ⏎ ")
    return line.count > 400 ? "`\(line.prefix(400))…`" : "`\(line)`"
  }

  /// The text without the values of lines whose names say that these are credentials, and without
  /// the user information of URLs. What is a template is no secret.
  private static func masked(_ text: String) -> String {
    var isHidden = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let goesOn = line.first == " " || line.first == "\t"
      if isHidden, goesOn { return isLiteral(String(line)) ? " \(SecretMask.text)" : String(line) }
      let end = endOfSecretName(line)
      isHidden = end != nil && !goesOn
      guard let end, isLiteral(credential(line[end...].dropFirst())) else {
        return NamedValues.masked(withoutUserInformation(line))
      }
      return "\(line[...end]) \(SecretMask.text)"
    }
    return lines.joined(separator: "\n")
  }

  /// Where the name of a header, a definition or a pair ends that says that it is a credential.
  private static func endOfSecretName(_ line: Substring) -> Substring.Index? {
    guard let end = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return nil }
    let name = String(line[..<end].drop { "#/@?& \t".contains($0) }).trimmingASCIIBlanks()
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    return isName && NamedValues.isSecret(name) ? end : nil
  }

  /// A value without the word for its scheme, which is no secret.
  private static func credential(_ value: Substring) -> String {
    let value = String(value).trimmingASCIIBlanks()
    let word = String(value.prefix { $0 != " " })
    return SecretMask.isScheme(word) ? String(value.dropFirst(word.count)) : value
  }

  private static func withoutUserInformation(_ line: Substring) -> String {
    guard line.utf8.contains(UInt8(ascii: "@")) else { return String(line) }
    var (result, rest) = ("", line)
    while let slashes = rest.firstRange(of: "://") {
      result += rest[..<slashes.upperBound]
      rest = rest[slashes.upperBound...]
      let end = rest.firstIndex { "/?#\"'".contains($0) } ?? rest.endIndex
      guard let at = rest[..<end].lastIndex(of: "@"), isLiteral(String(rest[..<at])) else {
        continue
      }
      result += SecretMask.text
      rest = rest[at...]
    }
    return result + rest
  }

  /// Whether there is more in a text than templates.
  static func isLiteral(_ text: String) -> Bool {
    !TemplateText.rewriting(text) { _ in "" }.allSatisfy { ": \t".contains($0) }
  }
}
