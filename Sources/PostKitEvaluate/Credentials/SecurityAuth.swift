// Clients of `Security.Auth` with their references replaced, as configurations (AU-3, AU-4).

package import PostKitAuth
import PostKitHTTP
import PostKitJSON
import PostKitText

extension SecurityAuthKey {
  /// The key that was probably meant by a name that is none (AU-6).
  package static func nearest(
    to name: String, among keys: [SecurityAuthKey] = SecurityAuthKey.all
  ) -> String? {
    Suggestion.nearest(to: name, among: keys.map(\.name))
  }
}

extension Evaluator {
  /// The configuration of a client, as names mean at an offset. Mistakes of its values are reported
  /// where they stand in the environment file.
  mutating func client(_ id: String, at range: Range<Int>, offset: Int) -> ConfigurationFinding {
    guard let fields = scope.environments.clients[id] else { return .problem(unknownClient(id)) }
    if let start = clientNotes.open.firstIndex(of: id) {
      return .problem(.variableCycle(clientNotes.open[start...] + [id]))
    }
    if clientNotes.broken.contains(id) { return .pending }
    clientNotes.open.append(id)
    defer { clientNotes.open.removeLast() }
    let outerChanges = usedChangingValue
    usedChangingValue = false
    defer { usedChangingValue = outerChanges }
    let known = lacks
    let result = configuration(id, fields, at: range, offset: offset)
    if usedChangingValue { clientNotes.changing.insert(id) }
    if case .pending = result { return result }
    return lacks == known ? result : .pending
  }

  private mutating func configuration(
    _ id: String, _ fields: [AuthClientField], at range: Range<Int>, offset: Int
  ) -> ConfigurationFinding {
    let count = problems.count
    func isChoosing(_ field: AuthClientField) -> Bool {
      guard let key = SecurityAuthKey.named(field.name) else { return false }
      return SecurityAuthReading.choosingKeys.contains(key.name)
    }
    let file = fields.first { isChoosing($0) }?.fileName ?? fields.first?.fileName ?? ""
    let choosing = fields.filter(isChoosing)
      .map { SecurityAuthField($0.name, value(of: $0, at: range, offset: offset)) }
    do throws(AuthFailure) {
      let grant = try SecurityAuthReading(id: id, file: file, fields: choosing).grant()
      let used = fields.filter { field in
        !isChoosing(field) && SecurityAuthKey.named(field.name)?.isUsed(by: grant) == true
      }
      let others = used.map {
        SecurityAuthField($0.name, value(of: $0, at: range, offset: offset))
      }
      if problems[count...].contains(where: { $0.severity == .error }) {
        clientNotes.broken.insert(id)
        return .pending
      }
      let result = try AuthConfiguration(id: id, file: file, fields: choosing + others)
      if let failure = result.incomplete() { throw failure }
      return .known(result)
    } catch {
      if problems.count > count { return .pending }
      return .problem(.signIn(EvaluationProblem.SignInMistake(error), error.message))
    }
  }

  /// The value of a field. What is wrong in it stands in its file; secrets of it are noted.
  private mutating func value(
    of field: AuthClientField, at range: Range<Int>, offset: Int
  ) -> JSONValue {
    let count = problems.count
    let value = within(field.origin.path.isEmpty ? nil : field.origin.path) {
      $0.expanded(field.value, at: range, offset: offset)
    }
    for index in count..<max(count, problems.count) where problems[index].path == nil {
      guard field.origin.line > 0 else { continue }
      problems[index].path = field.origin.path
      problems[index].range = field.origin.range
      problems[index].position = SourcePosition(line: field.origin.line, column: 1)
    }
    noteSecrets(of: field, value)
    return value
  }

  /// The value with the references of all its texts replaced.
  private mutating func expanded(
    _ value: JSONValue, at range: Range<Int>, offset: Int
  ) -> JSONValue {
    switch value {
    case .string(let text):
      return .string(expand(text: text, reportedAt: range, place: .header, offset: offset))
    case .array(let elements):
      return .array(elements.map { expanded($0, at: range, offset: offset) })
    case .object(let members):
      return .object(
        members.map { JSONMember($0.key, expanded($0.value, at: range, offset: offset)) })
    case .null, .bool, .number: return value
    }
  }

  private mutating func noteSecrets(of field: AuthClientField, _ value: JSONValue) {
    guard let key = SecurityAuthKey.named(field.name) else { return }
    if key.isSecret { value.leaves.forEach { note(secret: $0) } }
    guard case .object(let members) = value else { return }
    for member in members {
      let isSecret =
        SecurityAuthKey.named(member.key, among: key.value.members)?.isSecret
        ?? (field.isPrivate || VariableDefinition.nameIsSecret(member.key))
      guard isSecret else { continue }
      let texts = (member.value["Value"] ?? member.value).leaves
      texts.forEach { note(secret: $0) }
    }
  }

  /// What is said of an id that no chosen environment has.
  private func unknownClient(_ id: String) -> EvaluationProblem.Kind {
    let environments = scope.environments.environments(definingClient: id)
    let known = scope.environments.clients.keys.sorted()
    return .unknownSignIn(
      id: id, suggestion: Suggestion.nearest(to: id, among: known), known: known,
      environments: environments, selected: scope.environments.active)
  }
}
