// Differences in the body: that there is one, its type, and the JSON in it.

import PostKitDescription
import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

extension DescriptionRemarks {
  /// Compares the body.
  mutating func checkBody(_ operation: APIOperation, _ match: OperationMatch) {
    var failures: [ReferenceFailure] = []
    let wanted = index.description.body(of: operation, &failures)
    guard let body = request.body, !block.slice(body.range).allSatisfy({ $0 <= 32 }) else {
      guard let wanted, wanted.isRequired, !mayBeCompleted else { return }
      return sayBodyIsMissing()
    }
    guard let wanted, !wanted.media.isEmpty else {
      // What can't be read of the description is no mistake of the request.
      guard wanted == nil, failures.isEmpty, let first = body.lines.first, first.kind == .text,
        !block.text(first.content).contains("{{")
      else { return }
      let whole = block.absolute(body.range)
      let last = max(whole.upperBound - 1, whole.lowerBound)
      let end = analysis.document.lineRange(at: last).upperBound
      let start = place.endOfHead
      say(
        .openAPIBody, block.absolute(first.content), "The operation takes no body. Remove it.",
        start < end ? [QuickFix("Remove the body", TextEdit(start..<end, ""))] : [])
      return
    }
    let header = request.headers.first {
      block.text($0.name).lowercased() == "content-type" && !$0.value.isEmpty
    }
    let written = header.map { $0.value.map { block.text($0) }.joined(separator: " ") }
    var type = written ?? spec?.headers.first("Content-Type")
    if written?.contains("{{") == true { type = spec?.headers.first("Content-Type") }
    guard let type else { return checkUntyped(body, wanted) }
    guard wanted.media.contains(where: { Self.meet($0.type, type) }) else {
      if let header, header.value.count == 1, let value = header.value.first,
        !block.text(value).contains("{{")
      {
        sayType(wanted.media.map(\.type), block.absolute(value), "takes")
      }
      return
    }
    check(body, MediaType(type), wanted)
  }

  /// A body without a type is taken for JSON where it looks like it, and the operation takes that.
  private mutating func checkUntyped(_ body: BodySyntax, _ wanted: APIBody) {
    let first = block.slice(body.range).first { $0 > 32 }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      let type = wanted.media.first(where: { MediaType($0.type)?.isJSON == true })?.type
    else { return }
    check(body, MediaType(type), wanted)
  }

  private mutating func check(_ body: BodySyntax, _ type: MediaType?, _ wanted: APIBody) {
    let isHere = body.lines.allSatisfy { if case .file = $0.kind { false } else { true } }
    guard let type, let media = media(of: type, wanted) else { return }
    if type.isJSON, isHere, let schema = media.schema {
      checkJSON(body, schema)
    } else if type.isForm, isHere {
      checkForm(body, media)
    } else if type.isMultipart {
      checkParts(body, type, media)
    }
  }

  /// The form of the body that a type means: its own before a pattern.
  private func media(of type: MediaType, _ wanted: APIBody) -> APIMedia? {
    wanted.media.first { MediaType($0.type)?.essence == type.essence }
      ?? wanted.media.first { Self.meet($0.type, type.essence) }
  }

  // MARK: - JSON

  private mutating func checkJSON(_ body: BodySyntax, _ schema: DescribedValue) {
    let dialect = analysis.scope.dialect
    let neutral = NeutralBody(
      block, body, filler: UInt8(ascii: "1"), dropsComments: dialect.bodyComments != .keep,
      dropsEndMark: dialect.preset == .httpyac)
    // What is no JSON has a diagnostic of its own.
    guard !neutral.mayLackMembers, let tree = try? JSONTree(parsing: neutral.text) else { return }
    let start = block.absolute(body.range).lowerBound
    let hasOpenNames = neutral.references.contains {
      BodyPlace(at: $0, in: tree.root)?.isKey == true
    }
    var told: Set<String> = []
    let deviations = check.deviations(of: tree.root, from: schema)
    let lacking = Dictionary(grouping: deviations.filter { $0.keyword == "required" }, by: \.range)
    for deviation in deviations {
      let isOfMembers = Self.memberKeywords.contains(deviation.keyword)
      if isOfMembers ? hasOpenNames : neutral.references.contains(where: deviation.range.overlaps) {
        continue
      }
      // Parts of a schema may ask for the same.
      let isOfOne = deviation.keyword == "required" || deviation.keyword == "dependentRequired"
      guard told.insert(deviation.pointer + (isOfOne ? " " + deviation.message : "")).inserted
      else { continue }
      let others = lacking[deviation.range, default: []].filter { $0 != deviation }
      tell(deviation, besides: others, tree, schema, start: start)
    }
  }

  /// What is about the names of members, whose values may be references.
  private static let memberKeywords: Set<String> = [
    "required", "dependentRequired", "additionalProperties", "propertyNames", "minProperties",
    "maxProperties",
  ]

  private mutating func tell(
    _ deviation: SchemaDeviation, besides others: [SchemaDeviation], _ tree: JSONTree,
    _ schema: DescribedValue, start: Int
  ) {
    guard let place = BodyPlace(of: deviation.range, in: tree.root) else { return }
    func absolute(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound + start..<range.upperBound + start
    }
    switch deviation.keyword {
    case "additionalProperties":
      guard let key = place.key, let name = key.string else { break }
      let others = Set(place.parent?.members.compactMap(\.key.string) ?? [])
      let known = index.schema(schema, at: Array(place.path.dropLast()))?.properties
        .map(\.name).filter { !others.contains($0) }
      let nearest = Suggestion.nearest(to: name, among: known ?? [])
      let range = absolute(key.range)
      say(
        .openAPIBody, range,
        "The body has no member `\(name)`. "
          + question(nearest, otherwise: "Remove it, or correct its name."),
        guesses: nearest.map {
          [QuickFix("Write `\($0)`", TextEdit(range, JSONValue.string($0).text))]
        } ?? [])
    case "required": tellMissing([deviation] + others, place, schema, start: start)
    default:
      let isObject = place.value.kind == .object || place.value.kind == .array
      let range = isObject ? place.key?.range ?? place.value.range : place.value.range
      let whole = place.key == nil && isObject
      let nearest = word(near: place, schema)
      say(
        .openAPIBody, absolute(whole ? range.lowerBound..<range.lowerBound + 1 : range),
        "\(place.key?.string.map { "`\($0)`" } ?? "The value") does not fit: "
          + "\(deviation.message).",
        guesses: nearest.map {
          [QuickFix("Write `\($0)`", TextEdit(absolute(range), JSONValue.string($0).text))]
        } ?? [])
    }
  }

  /// Says that an object lacks a member, the first of those that it lacks.
  private mutating func tellMissing(
    _ deviations: [SchemaDeviation], _ place: BodyPlace, _ schema: DescribedValue, start: Int
  ) {
    let brace = start + deviations[0].range.lowerBound
    guard let name = missing(deviations[0], place.value, schema, place.path) else {
      return say(
        .openAPIBody, brace..<brace + 1, "The body does not fit: \(deviations[0].message).")
    }
    let lacking = Set(deviations.compactMap { missing($0, place.value, schema, place.path) })
    // In the order of the description, so that the fix is the same for each of them.
    let names = (index.schema(schema, at: place.path)?.required ?? []).filter(lacking.contains)
    var fixes = [QuickFix("Add `\(name)`", adding([name], to: place, schema, start: start))]
    if names.count > 1 {
      fixes.append(
        QuickFix(
          "Add all \(names.count) members that are missing",
          adding(names, to: place, schema, start: start)))
    }
    say(
      .openAPIBody, brace..<brace + 1, "The body needs the member `\(name)`. Add it.", fixes)
  }

  /// The word of an `enum` that a text nearly is.
  private func word(near place: BodyPlace, _ schema: DescribedValue) -> String? {
    guard let text = place.value.string else { return nil }
    let words = index.schema(schema, at: place.path)?["enum"]?.elements.compactMap(\.view.string)
    return words.flatMap { Suggestion.nearest(to: text, among: $0) }
  }

  /// The member that a deviation is about.
  private func missing(
    _ deviation: SchemaDeviation, _ object: JSONView, _ schema: DescribedValue, _ path: [String]
  ) -> String? {
    let names = index.schema(schema, at: path)?.required ?? []
    return names.first { name in
      object[name] == nil && deviation.message.contains("`\(name)`")
    }
  }

  /// Adds members with samples of their values behind the last one.
  private mutating func adding(
    _ names: [String], to place: BodyPlace, _ schema: DescribedValue, start: Int
  ) -> TextEdit {
    let properties = index.schema(schema, at: place.path)?.properties
    let members = names.map { name in
      let schemas = properties?.first { $0.name == name }?.schemas
      let value = schemas?.first.flatMap { sampler.sample(of: $0) } ?? .string("string")
      return "\(JSONValue.string(name).text): \(value.text)"
    }
    guard let last = place.value.members.last else {
      let brace = start + place.value.range.lowerBound + 1
      return TextEdit(brace..<brace, members.joined(separator: ", "))
    }
    let end = start + last.value.range.upperBound
    let line = analysis.document.lineRange(at: start + last.key.range.lowerBound)
    let before = analysis.document.bytes[line.lowerBound..<start + last.key.range.lowerBound]
    let isAlone = before.allSatisfy { $0 == 32 || $0 == 9 }
    let gap =
      isAlone
      ? analysis.document.lineEndText + String(decoding: before, as: UTF8.self) : " "
    return TextEdit(end..<end, members.map { "," + gap + $0 }.joined())
  }
}

/// A value of a body, and how it is reached.
private struct BodyPlace {
  var value: JSONView
  var parent: JSONView?
  /// The name of the member that it is the value of.
  var key: JSONView?
  /// The names and positions that lead to it.
  var path: [String] = []
  /// Whether a name was looked for, and not a value.
  var isKey = false

  /// The value with a range, or whose name has it.
  init?(of range: Range<Int>, in root: JSONView) {
    self.init(root, to: { $0.range == range }, holding: range)
  }

  /// The innermost value or name that holds a range.
  init?(at range: Range<Int>, in root: JSONView) {
    self.init(
      root, to: { $0.kind != .object && $0.kind != .array }, holding: range)
  }

  private init?(_ root: JSONView, to isIt: (JSONView) -> Bool, holding range: Range<Int>) {
    value = root
    func holds(_ view: JSONView) -> Bool {
      view.range.lowerBound <= range.lowerBound && range.upperBound <= view.range.upperBound
    }
    while !isIt(value) {
      let outer = value
      if let member = outer.members.first(where: { holds($0.value) || holds($0.key) }) {
        (parent, key, value) = (outer, member.key, member.value)
        path.append(member.key.string ?? "")
        if holds(member.key) {
          isKey = true
          return
        }
      } else if let position = outer.elements.firstIndex(where: holds) {
        (parent, key, value) = (outer, nil, outer.elements[position])
        path.append(String(position))
      } else {
        return nil
      }
    }
  }
}
