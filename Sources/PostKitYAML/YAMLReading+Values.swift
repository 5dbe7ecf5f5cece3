// What scalars and tags of a YAML text become.

import PostKitJSON

extension YAMLReading {
  /// The beginning of the tags that YAML itself has (`!!`).
  private static let own = "tag:yaml.org,2002:"

  /// Writes a scalar as a value.
  mutating func value(
    _ text: UnsafeBufferPointer<UInt8>, isPlain: Bool, tag: String?, _ offset: Int
  ) {
    guard let tag else {
      return write(isPlain ? YAMLScalar(plain: text) : .string, text, offset)
    }
    write(tagged(text, isPlain: isPlain, tag: tag, offset), text, offset)
  }

  /// What a scalar with a tag is: what the tag says where the text can be read so.
  private mutating func tagged(
    _ text: UnsafeBufferPointer<UInt8>, isPlain: Bool, tag: String, _ offset: Int
  ) -> YAMLScalar {
    let plain = YAMLScalar(plain: text)
    let found: YAMLScalar?
    switch tag.hasPrefix(Self.own) ? String(tag.dropFirst(Self.own.count)) : "" {
    case "str": return .string
    case "null": found = plain == .null ? plain : nil
    case "bool": if case .bool = plain { found = plain } else { found = nil }
    case "int":
      let number = YAMLNumber(text, strips: true)
      found = number.isInteger ? number.scalar : nil
    case "float":
      let number = YAMLNumber(text, strips: true)
      found = number.scalar == .string ? nil : number.scalar
    default:
      let shown = YAMLNotes.shown(tag)
      notes.tell(offset, "PostKit does not know the tag `\(shown)` and reads what it stands at.")
      return isPlain ? plain : .string
    }
    if let found { return found }
    notes.tell(offset, "This is no value of the kind that its tag names; it is read as a text.")
    return .string
  }

  private mutating func write(
    _ scalar: YAMLScalar, _ text: UnsafeBufferPointer<UInt8>, _ offset: Int
  ) {
    switch scalar {
    case .null: builder.null()
    case .bool(let flag): builder.bool(flag)
    case .number: builder.number(text)
    case .converted(var digits): digits.withUTF8 { builder.number($0) }
    case .notFinite:
      notes.tell(offset, "JSON has no infinite numbers and no NaN; this is read as a text.")
      builder.string(text)
    case .huge:
      notes.tell(offset, "This number has too many digits to be converted; it is read as a text.")
      builder.string(text)
    case .string: builder.string(text)
    }
  }

  /// Tells the tag of a list or a mapping where it says something else than what is there.
  mutating func tellTag(_ tag: String, isMapping: Bool, _ offset: Int) {
    switch tag.hasPrefix(Self.own) ? String(tag.dropFirst(Self.own.count)) : "" {
    case "map" where isMapping, "seq" where !isMapping: break
    case "map", "seq", "str", "int", "float", "bool", "null":
      notes.tell(
        offset,
        "This is a \(isMapping ? "mapping" : "list"), though its tag names something else.")
    default:
      let shown = YAMLNotes.shown(tag)
      notes.tell(offset, "PostKit does not know the tag `\(shown)` and reads what it stands at.")
    }
  }
}
