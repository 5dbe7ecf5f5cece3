// Fixes of what is said about a file of environments.

import PostKitEvaluate
import PostKitJSON
import PostKitText

extension EnvironmentDocument {
  /// The changes that take a diagnostic of this file away, the likeliest first.
  package func fixes(for diagnostic: Diagnostic, in files: EnvironmentFiles) -> [CodeChange] {
    (diagnostic.code.entry.environment?(self, diagnostic.range, files)).map { [$0] } ?? []
  }

  /// Takes a name away that has no effect.
  func removal(of range: Range<Int>) -> CodeChange? {
    if kind.isDotEnv {
      let lines = LineIndex(file.bytes)
      let line = lines.range(ofLine: lines.line(at: range.lowerBound))
      return CodeChange(.quickFix, "Remove this line", [TextEdit(line, "")])
    }
    return member(at: range).map {
      CodeChange(.quickFix, "Remove this one", [removal(of: $0.member, from: $0.object)])
    }
  }

  /// The member whose key or value stands at a range, and the object that holds it.
  private func member(at range: Range<Int>) -> (object: JSONView, member: MemberPlace)? {
    for object in roots + environments.map(\.value) {
      for member in object.members where member.key.range == range || member.value.range == range {
        return (object, MemberPlace(member))
      }
    }
    return nil
  }

  /// Takes a member with its comma away.
  private func removal(of member: MemberPlace, from object: JSONView) -> TextEdit {
    let members = object.members.map { MemberPlace($0) }
    let index = members.firstIndex { $0.key == member.key } ?? 0
    if index + 1 < members.count {
      return TextEdit(member.key.lowerBound..<members[index + 1].key.lowerBound, "")
    }
    let start = index > 0 ? members[index - 1].value.upperBound : member.key.lowerBound
    return TextEdit(start..<member.value.upperBound, "")
  }

  /// Gives an environment the names that it lacks and others of this file have.
  func completion(of range: Range<Int>) -> CodeChange? {
    guard let environment = environments.first(where: { $0.key.range == range }),
      let name = environment.key.string
    else { return nil }
    let own = Set(EnvironmentDocument.names(of: environment.value))
    let shared = environments.filter { $0.key.string?.hasPrefix("$") == true }
      .flatMap { EnvironmentDocument.names(of: $0.value) }
    var missing: [String] = []
    for other in environments {
      for key in EnvironmentDocument.names(of: other.value)
      where !own.contains(key) && !shared.contains(key) && !missing.contains(key) {
        missing.append(key)
      }
    }
    guard let first = missing.first else { return nil }
    let members = missing.map { "\(JSONValue.string($0).text): \"\"" }
    return CodeChange(
      .quickFix,
      missing.count == 1
        ? "Define `\(first)` in `\(name)`" : "Define \(missing.count) names in `\(name)`",
      [EnvironmentFiles.adding(members, to: environment.value, file.bytes)])
  }

  /// Puts a value into the file for oneself.
  func move(of range: Range<Int>, _ files: EnvironmentFiles) -> CodeChange? {
    guard let (object, member) = member(at: range),
      let environment = environments.first(where: { $0.value.range == object.range })?.key.string,
      let name = object.members.first(where: { $0.value.range == range })?.key.string,
      let value = object[name]?.string, object[name]?.range == range,
      let change = files.defining(name, as: value, in: [environment], isPrivate: true)
    else { return nil }
    return CodeChange(
      .quickFix, "Move it to `\(change.name)`", [removal(of: member, from: object)],
      files: [change])
  }

  // MARK: - Clients of `Security.Auth`

  /// Writes the key or word of a client that was meant.
  func respelling(of range: Range<Int>) -> CodeChange? {
    let meant = clientRemarks.lazy.filter { $0.range == range }.compactMap(\.replacement).first
    return meant.map {
      CodeChange(.quickFix, "Write `\($0)`", [TextEdit(range, JSONValue.string($0).text)])
    }
  }

  /// Puts the secret of a client into the file for oneself, which version control leaves out.
  func clientMove(of range: Range<Int>, _ files: EnvironmentFiles) -> CodeChange? {
    for client in clients {
      guard let field = client.object.members.first(where: { $0.value.range == range }),
        let name = field.key.string, let value = field.value.string,
        let change = files.defining(
          ["Security", "Auth", client.id, name], as: value, in: [client.environment],
          isPrivate: true)
      else { continue }
      return CodeChange(
        .quickFix, "Move to \(change.name)", [removal(of: MemberPlace(field), from: client.object)],
        files: [change] + [files.ignoringPrivate].compactMap { $0 })
    }
    return nil
  }
}

/// The places of a member of an object.
struct MemberPlace {
  let key: Range<Int>
  let value: Range<Int>

  /// Takes the places of a member.
  init(_ member: (key: JSONView, value: JSONView)) {
    key = member.key.range
    value = member.value.range
  }
}
