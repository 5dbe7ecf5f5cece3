// Texts that become variables.

import PostKitEvaluate
import PostKitSyntax
import PostKitText

extension Refactoring {
  /// The selected text as a variable of the file.
  var extraction: CodeChange? {
    guard let (range, reason) = extractable else { return nil }
    let value = text(range)
    let name = analysis.freeName(wishedName(range))
    let title = "Extract to the variable `\(name)` of this file"
    let isEscape =
      analysis.scope.dialect.escapes != .none && value.utf8.contains(UInt8(ascii: "\\"))
    if let reason = reason ?? (isEscape ? Refactoring.escapeReason : nil) {
      return CodeChange(.extract, title, disabled: reason)
    }
    return CodeChange(.extract, title, [definition(name, value), TextEdit(range, "{{\(name)}}")])
  }

  private static let escapeReason =
    "A backslash means something else in a definition. Select text without one."

  /// The selected text as a variable of the environment in force.
  func environmentExtraction(_ files: EnvironmentFiles?) -> CodeChange? {
    let scope = analysis.scope
    guard let files, let (range, reason) = extractable,
      scope.dialect.environmentSearch != .dotEnvOnly,
      let environment = EnvironmentSet.selected(scope.environments.active)
        .last(where: scope.environments.names.contains)
    else { return nil }
    let name = analysis.freeName(wishedName(range))
    let title = "Extract to the variable `\(name)` of the environment `\(environment)`"
    if let reason { return CodeChange(.extract, title, disabled: reason) }
    let change = files.defining(name, as: text(range), in: [environment], isPrivate: false)
    return change.map { CodeChange(.extract, title, [TextEdit(range, "{{\(name)}}")], files: [$0]) }
  }

  /// The selection without the blanks at its ends, and why it can't become a variable; `nil` where
  /// nothing is selected that a variable could stand for.
  private var extractable: (Range<Int>, reason: String?)? {
    var (start, end) = (selection.lowerBound, selection.upperBound)
    while start < end, [9, 32].contains(document.bytes[start]) { start += 1 }
    while end > start, [9, 32].contains(document.bytes[end - 1]) { end -= 1 }
    guard start < end else { return nil }
    let range = start..<end
    var places = target + request.headers.flatMap { $0.value.map { block.absolute($0) } }
    places += request.body.map { [block.absolute($0.range)] } ?? []
    guard places.contains(where: { $0.lowerBound <= start && end <= $0.upperBound }) else {
      return nil
    }
    if document.bytes[range].contains(where: { $0 == 10 || $0 == 13 }) {
      return (range, "A variable has one line. Select a part of one line.")
    }
    let isCut = block.syntax.references.contains { block.absolute($0.range).overlaps(range) }
    if isCut || text(range).contains("{{") || text(range).contains("}}") {
      return (range, "The selection contains a reference. Select text without one.")
    }
    if String(validating: document.bytes[range], as: UTF8.self) == nil {
      return (range, "The selection is not UTF-8. Save the file as UTF-8 first.")
    }
    return (range, nil)
  }

  /// What a text would be called: by the key of its pair, else by its header, else by what it is.
  private func wishedName(_ range: Range<Int>) -> String {
    if text(range).contains("://") { return "baseUrl" }
    let line = document.lineRange(at: range.lowerBound).lowerBound
    let before = text(line..<range.lowerBound)
    let pair = before.split(whereSeparator: { "?&{,".contains($0) }).last ?? ""
    let plain = pair.filter { !$0.isWhitespace && $0 != "\"" }
    let key = plain.split(whereSeparator: { "=:".contains($0) })
    if let name = key.first.flatMap({ Refactoring.name($0) }), key.count == 1,
      before.last.map({ "=:\" ".contains($0) }) ?? false
    {
      return name
    }
    return "value"
  }

  /// A key as the name of a variable; `nil` where none can be made of it.
  private static func name(_ key: Substring) -> String? {
    let words = key.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    guard let first = words.first, first.first?.isNumber == false else { return nil }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return first.prefix(1).lowercased() + first.dropFirst() + rest.joined()
  }

  /// The scheme and host of the target, for all requests of the file that go there.
  var hostExtraction: CodeChange? {
    guard let (origin, ranges) = hosts else { return nil }
    let name = analysis.freeName("baseUrl")
    let count = ranges.count > 1 ? " of \(ranges.count) requests" : ""
    return CodeChange(
      .extract, "Extract `\(origin)`\(count) to the variable `\(name)`",
      [definition(name, origin)] + ranges.map { TextEdit($0, "{{\(name)}}") })
  }

  /// The variable that has the scheme and host of the target for its value, in their place.
  var hostUse: CodeChange? {
    guard let (origin, ranges) = hosts else { return nil }
    let scope = analysis.scope
    func holdsOrigin(_ name: String, at place: Int) -> Bool {
      guard let definition = scope.lookup(name, at: place), !definition.isSecret,
        definition.origin.layer != .prompt, !definition.isFile
      else { return false }
      return definition.value.substitutionText == origin
    }
    let known = scope.definitions(at: selection.lowerBound, beginningWith: [origin]).map(\.name)
    guard let name = known.first(where: { holdsOrigin($0, at: selection.lowerBound) }) else {
      return nil
    }
    let places = ranges.filter { holdsOrigin(name, at: $0.lowerBound) }
    let count = places.count > 1 ? " in \(places.count) requests" : ""
    return CodeChange(
      .extract, "Use `{{\(name)}}` instead of `\(origin)`\(count)",
      places.map { TextEdit($0, "{{\(name)}}") })
  }

  /// The scheme and host of the target at the caret, and where they stand in the file.
  private var hosts: (origin: String, ranges: [Range<Int>])? {
    guard selection.isEmpty, isInTarget, let first = target.first,
      let origin = Refactoring.origin(document.bytes[first])
    else { return nil }
    let ranges = document.requests.compactMap { block -> Range<Int>? in
      guard let request = block.syntax.request, request.curl == nil,
        let start = request.target.first.map({ block.absolute($0) }),
        Refactoring.origin(document.bytes[start]) == origin
      else { return nil }
      return start.lowerBound..<start.lowerBound + origin.utf8.count
    }
    return (origin, ranges)
  }

  /// `https://host:port` at the start of a target, where it is written out.
  private static func origin(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let scheme = ["http://", "https://"].first(where: text.lowercased().hasPrefix) else {
      return nil
    }
    let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    // A user's name and password belong to the host and into no file for everybody.
    guard !host.isEmpty, !host.contains("{"), !host.contains("@"), host.allSatisfy(\.isASCII)
    else { return nil }
    return String(text.prefix(scheme.count)) + host
  }
}
