// What schemas say of types, numbers and texts.

import PostKitJSON

extension SchemaRun {
  /// Whether a value has one of the types.
  func hasType(_ at: Int, _ types: SchemaTypes) -> Bool {
    if types == .all { return true }
    switch nodes[at].kind {
    case .null: return types.contains(.null)
    case .true, .false: return types.contains(.boolean)
    case .string: return types.contains(.string)
    case .array: return types.contains(.array)
    case .object: return types.contains(.object)
    case .number:
      return types.contains(.number)
        || types.contains(.integer) && isWhole(at)
    }
  }

  /// Whether a value is one of those that `enum` or `const` list.
  mutating func isOne(_ at: Int, _ rule: UnsafePointer<SchemaRule>) -> Bool {
    let values = rule.pointee.values ?? []
    if nodes[at].kind == .string, !nodes[at].isEscaped {
      if names.find(inside(at), in: rule.pointee.texts) != nil { return true }
    } else {
      let own = tree.view(at: at).value
      if values.contains(where: { $0.isEquivalent(to: own) }) { return true }
    }
    return refuse(
      at, values.count == 1 ? "const" : "enum",
      "expected \(values.count == 1 ? "" : "one of ")\(Self.list(values)), came another value")
  }

  private static func list(_ values: [JSONValue]) -> String {
    values.prefix(8).map(\.text).joined(separator: ", ") + (values.count > 8 ? ", …" : "")
  }

  // MARK: - Numbers

  /// Whether a number keeps to its bounds.
  mutating func numberFits(_ at: Int, _ rule: UnsafePointer<SchemaRule>) -> Bool {
    var isFine = true
    let view = tree.view(at: at)
    if let bound = rule.pointee.minimum, isPast(at, bound, isBelow: true) {
      let words = bound.isExclusive ? "more than" : "at least"
      isFine = refuse(at, "minimum", "expected \(words) \(bound.digits), came \(Self.digits(view))")
    }
    if let bound = rule.pointee.maximum, isPast(at, bound, isBelow: false) {
      let words = bound.isExclusive ? "less than" : "at most"
      isFine = refuse(at, "maximum", "expected \(words) \(bound.digits), came \(Self.digits(view))")
    }
    if let step = rule.pointee.multipleOf, !SchemaNumbers.isMultiple(Self.digits(view), of: step) {
      isFine = refuse(at, "multipleOf", "expected a multiple of \(step), came \(Self.digits(view))")
    }
    return isFine
  }

  private func isPast(_ at: Int, _ bound: SchemaBound, isBelow: Bool) -> Bool {
    if let short = bound.short, let order = ShortDecimal(source(at))?.order(short) {
      return order == 0 ? bound.isExclusive : isBelow == (order < 0)
    }
    return isBelow
      ? SchemaNumbers.isBelow(digits(at), bound) : SchemaNumbers.isAbove(digits(at), bound)
  }

  private func digits(_ at: Int) -> String { Self.digits(tree.view(at: at)) }

  private static func digits(_ view: JSONView) -> String { view.numberText ?? "" }

  private func isWhole(_ at: Int) -> Bool {
    for byte in source(at) where byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
      return SchemaNumbers.isWhole(digits(at))
    }
    return true
  }

  /// The bytes of a value.
  private func source(_ at: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[Int(nodes[at].start)..<Int(nodes[at].end)])
  }

  // MARK: - Texts

  /// Whether a text has the length and matches the pattern.
  mutating func stringFits(_ at: Int, _ rule: UnsafePointer<SchemaRule>) -> Bool {
    var isFine = true
    if rule.pointee.minLength != nil || rule.pointee.maxLength != nil {
      let length = length(at)
      if let least = rule.pointee.minLength, length < least {
        isFine = refuse(at, "minLength", "expected at least \(least) characters, came \(length)")
      }
      if let most = rule.pointee.maxLength, length > most {
        isFine = refuse(at, "maxLength", "expected at most \(most) characters, came \(length)")
      }
    }
    if rule.pointee.pattern != nil, let pattern = rule.pointee.pattern,
      !pattern.matches(tree.view(at: at).string ?? "")
    {
      isFine = refuse(
        at, "pattern", "expected a text that matches `\(pattern.text)`, came another one")
    }
    return isFine
  }

  /// The number of Unicode scalars.
  private func length(_ at: Int) -> Int {
    guard !nodes[at].isEscaped else {
      return tree.view(at: at).string?.unicodeScalars.count ?? 0
    }
    var count = 0
    for byte in inside(at) where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// The bytes between the quotes of a string or name.
  func inside(_ at: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[Int(nodes[at].start) + 1..<Int(nodes[at].end) - 1])
  }
}
