// A schema from samples (IO-29): what is seen of values is counted, and every value that was seen
// fits what comes of it.

package import PostKitJSON

/// How much inferences may keep together: a value whose parts would be too many is described only
/// as far as they go.
package final class InferenceBudget {
  private var rest: Int

  /// Makes a budget of parts, each of about 200 bytes.
  package init(parts: Int = 120_000) { rest = parts }

  /// Takes a part; `false` where none is left.
  func take() -> Bool {
    guard rest > 0 else { return false }
    rest -= 1
    return true
  }
}

/// What samples of one kind have in common. It belongs to the one who infers.
package final class SchemaInference {
  let shape = InferredShape()
  private let budget: InferenceBudget
  /// Whether the texts of members of a name are not to be told.
  private let isSecret: (String) -> Bool

  /// The number of samples.
  package var count: Int { shape.count }

  /// Begins without a sample; texts of members whose name is a secret's are not told.
  package init(
    _ budget: InferenceBudget, isSecret: @escaping (String) -> Bool = { _ in false }
  ) {
    self.budget = budget
    self.isSecret = isSecret
  }

  /// Takes a value in.
  package func add(_ value: JSONView) { add(value, to: shape) }

  /// Takes a text in that is a scalar of a URL, a header or a form: `7` is a number there.
  package func addScalar(_ text: String) {
    shape.count += 1
    switch text {
    case "true", "false": shape.types.insert(.boolean)
    case _ where Self.isNumber(text, isWhole: true): shape.types.insert(.integer)
    case _ where Self.isNumber(text, isWhole: false): shape.types.insert(.number)
    default: shape.types.insert(.string)
    }
    // Whatever it looks like, it is a text, and is described as one where they are of many kinds.
    shape.texts.add(text)
  }

  /// Takes in what another has seen, which is of no use any more.
  package func merge(_ other: SchemaInference) { shape.merge(other.shape) }

  /// The names of the members of all samples, sorted; `nil` unless all are objects.
  package var memberNames: [String]? {
    guard shape.types == .object, let object = shape.object, object.further == nil else {
      return nil
    }
    return object.members.map(\.name).sorted()
  }

  /// The schema of scalars of URLs, headers or forms.
  package func scalarSchema(listsWords: Bool) -> JSONValue {
    var types = shape.types
    if types == [.integer, .number] { types = .number }
    let isText = types == .string || types.words.count != 1
    if isText { types = .string }
    var members = [JSONMember("type", .string(types.words.first ?? "string"))]
    if isText { members += shape.texts.members(listsWords: listsWords, isNullable: false) }
    return .object(members)
  }

  private func add(_ value: JSONView, to shape: InferredShape) {
    shape.count += 1
    if shape.isOpen { return }
    switch value.kind {
    case .null: shape.types.insert(.null)
    case .true, .false: shape.types.insert(.boolean)
    case .number:
      let isWhole = !value.source.contains { ".eE".utf8.contains($0) }
      shape.types.insert(isWhole ? .integer : .number)
    case .string:
      shape.types.insert(.string)
      shape.texts.add(value.string ?? "")
    case .array:
      shape.types.insert(.array)
      for element in value.elements {
        if shape.elements == nil { shape.elements = part() }
        if let elements = shape.elements { add(element, to: elements) }
      }
    case .object:
      shape.types.insert(.object)
      add(membersOf: value, to: shape)
    }
  }

  private func add(membersOf value: JSONView, to shape: InferredShape) {
    let object = shape.object ?? InferredObject()
    shape.object = object
    object.count += 1
    for (key, member) in value.members {
      if let further = object.further {
        add(member, to: further)
        continue
      }
      let name = key.string ?? ""
      let index = object.index(of: name) {
        let part = part()
        if isSecret(name) { part.texts.hideWords() }
        return part
      }
      object.note(index)
      add(member, to: object.members[index].shape)
      if object.members.count > InferredObject.memberLimit { object.becomeMap() }
    }
  }

  /// A new part; one that says nothing where the budget is used up.
  private func part() -> InferredShape {
    let shape = InferredShape()
    shape.isOpen = !budget.take()
    return shape
  }

  /// Whether a text is a number as JSON writes it, in digits that programs keep.
  private static func isNumber(_ text: String, isWhole: Bool) -> Bool {
    var digits = text.utf8[...]
    if digits.first == UInt8(ascii: "-") { digits.removeFirst() }
    let halves = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard halves.count == (isWhole ? 1 : 2), let first = halves.first, let last = halves.last,
      !first.isEmpty, !last.isEmpty, digits.count <= 16,
      digits.allSatisfy({ $0 == UInt8(ascii: ".") || (48...57).contains($0) })
    else { return false }
    return first.count == 1 || first.first != UInt8(ascii: "0")
  }
}
