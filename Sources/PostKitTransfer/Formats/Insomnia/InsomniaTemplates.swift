// Templates of Insomnia in our form (IO-17).

import PostKitHTTP

extension InsomniaReader {
  /// A text with Insomnia's templates in our form.
  func template(_ text: String, at place: OriginPlace, _ use: InsomniaUse) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var result = ""
    var rest = text[...]
    var hasEnd = [true, true]
    while let tag = InsomniaTag.first(in: rest, &hasEnd) {
      result += rest[..<tag.range.lowerBound]
      let ours = tag.isValue ? value(tag, at: place) : self.tag(tag, use)
      result += ours ?? placeholder(tag, String(rest[tag.range]), at: place, use)
      rest = rest[tag.range.upperBound...]
    }
    return result + rest
  }

  /// Ours for `{{ … }}`; `nil` for what is more than a path to a value.
  private func value(_ tag: InsomniaTag, at place: OriginPlace) -> String? {
    guard let steps = tag.path, case .name(let first) = steps[0] else { return nil }
    if first == "vault", steps.count == 2, case .name(let name) = steps[1] {
      useVault(name, at: place)
      return "{{\(name)}}"
    }
    guard !first.contains(where: { "{}".contains($0) }) else { return nil }
    var path = first
    for step in steps.dropFirst() {
      switch step {
      case .index(let number): path += "[\(number)]"
      case .name(let name):
        guard !name.contains(where: { ".[]{}=: \t\n".contains($0) }) else { return nil }
        path += "." + name
      }
    }
    return "{{\(path)}}"
  }

  /// Ours for `{% … %}`; `nil` for what nothing here does.
  private func tag(_ tag: InsomniaTag, _ use: InsomniaUse) -> String? {
    let (name, arguments) = tag.call
    func argument(_ index: Int) -> String? {
      index < arguments.count ? arguments[index] : nil
    }
    switch name {
    case "uuid": return "{{$guid}}"
    case "timestamp": return "{{$timestampMs}}"
    case "now":
      switch argument(0) ?? "iso-8601" {
      case "iso-8601": return "{{$datetime iso8601}}"
      case "millis", "milliseconds", "ms": return "{{$timestampMs}}"
      case "unix", "seconds", "s": return "{{$timestamp}}"
      default: return nil
      }
    case "faker":
      // Its names are those of Postman's dynamic variables.
      return argument(0).flatMap { PostmanDynamics.ours[$0] }.map { "{{\($0)}}" }
    case "response":
      guard let field = argument(0), let id = argument(1) else { return nil }
      return response(field, id, argument(2) ?? "", use)
    case "prompt":
      return prompt(
        title: argument(0), label: argument(1), proposal: argument(2),
        isSecret: argument(4) == "true")
    default: return nil
    }
  }

  /// A part of the last response to another request, which is sent before.
  private func response(
    _ field: String, _ id: String, _ filter: String, _ use: InsomniaUse
  ) -> String? {
    let filter = Self.decoded(filter)
    guard !filter.contains("{{"), !filter.contains("}}"), !filter.contains("\n") else {
      return nil
    }
    let part: String
    switch field {
    case "raw": part = "body.*"
    case "body":
      guard filter.isEmpty || filter.hasPrefix("$") || filter.hasPrefix("/") else { return nil }
      part = "body." + (filter.isEmpty ? "*" : filter)
    case "header":
      guard !filter.isEmpty else { return nil }
      part = "headers.\(filter)"
    default: return nil
    }
    guard let word = word(forRequest: id) else { return nil }
    if !use.references.contains(word) { use.references.append(word) }
    return "{{\(word).response.\(part)}}"
  }

  /// A filter as it was typed: Insomnia keeps it as `b64::…::46b`.
  private static func decoded(_ text: String) -> String {
    let (start, end) = ("b64::", "::46b")
    guard text.hasPrefix(start), text.hasSuffix(end), text.count >= start.count + end.count,
      let bytes = Base64.decode(
        text.dropFirst(start.count).dropLast(end.count), requiresPadding: false)
    else { return text }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func prompt(
    title: String?, label: String?, proposal: String?, isSecret: Bool
  ) -> String {
    let wanted = [label, title].compactMap(\.self).first { !$0.isEmpty } ?? "value"
    let words = wanted.filter { !"{}[]$\"".contains($0) && !$0.isNewline }
    let name = words.allSatisfy(\.isWhitespace) ? "value" : words
    if isSecret { return "{{$password \(name)}}" }
    guard let proposal, !proposal.isEmpty,
      !proposal.contains(where: { "{}\"".contains($0) || $0.isNewline })
    else { return "{{$input \(name)}}" }
    return "{{$input \(name) $value: \(proposal)}}"
  }

  /// A variable without a value for what nothing here does, so that a send says what is missing.
  private func placeholder(
    _ tag: InsomniaTag, _ text: String, at place: OriginPlace, _ use: InsomniaUse
  ) -> String {
    let word = tag.isValue ? "value" : String(tag.call.name)
    let plain = word.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let (name, isNew) = placeholder(text, plain.isEmpty ? "tag" : plain)
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let comment = "\(name): \(line)"
    if !use.comments.contains(comment) { use.comments.append(comment) }
    if isNew {
      let what = tag.isValue ? "An expression" : "The tag `\(plain)`"
      notes.tell(
        .templateUnsupported,
        "\(what) of Insomnia has no equivalent; `{{\(name)}}` stands in its place. Define it.",
        at: place, origin: use.origin)
    }
    return "{{\(name)}}"
  }
}
