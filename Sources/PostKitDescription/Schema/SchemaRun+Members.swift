// What schemas say of objects.

import PostKitJSON

extension SchemaRun {
  /// Whether an object has the members that it must have, and whether each fits.
  mutating func objectFits(_ at: Int, _ rule: UnsafePointer<SchemaRule>) -> Bool {
    var isFine = true
    var present = PresentMembers(rule.pointee.watched)
    if isStrict, rule.pointee.describesMembers { described.append(at) }
    let end = Int(nodes[at].next)
    var key = at + 1
    var guess = -1
    while key < end {
      let found = find(key, in: rule.pointee.names, guess: guess)
      if let found {
        guess = names.names[found].following
        if names.names[found].place >= 0 { present.insert(names.names[found].place) }
      }
      if !memberFits(key, found, rule) {
        isFine = false
        if ends(isFine) { return false }
      }
      key = Int(nodes[key + 1].next)
    }
    for (place, name) in rule.pointee.required where !present.contains(place) {
      isFine = refuse(at, "required", "expected the member `\(name)`, it is missing")
    }
    if rule.pointee.minProperties != nil || rule.pointee.maxProperties != nil {
      isFine = countFits(at, rule) && isFine
    }
    for (place, name, others) in rule.pointee.dependentRequired where present.contains(place) {
      for other in others where !present.contains(other.place) {
        isFine = refuse(
          at, "dependentRequired",
          "expected the member `\(other.name)` beside `\(name)`, it is missing")
      }
    }
    for (place, number) in rule.pointee.dependentSchemas where present.contains(place) {
      if !fits(at, number) { isFine = false }
    }
    return isFine
  }

  private mutating func countFits(_ at: Int, _ rule: UnsafePointer<SchemaRule>) -> Bool {
    var isFine = true
    let count = Set(tree.view(at: at).members.map { Array(($0.key.string ?? "").utf8) }).count
    if let least = rule.pointee.minProperties, count < least {
      isFine = refuse(at, "minProperties", "expected at least \(least) members, came \(count)")
    }
    if let most = rule.pointee.maxProperties, count > most {
      isFine = refuse(at, "maxProperties", "expected at most \(most) members, came \(count)")
    }
    return isFine
  }

  /// Whether a member fits; `found` is the name that the rule has for it.
  private mutating func memberFits(
    _ key: Int, _ found: Int?, _ rule: UnsafePointer<SchemaRule>
  ) -> Bool {
    let value = key + 1
    var isFine = true
    var isNamed = false
    if let found, names.names[found].property >= 0 {
      isNamed = true
      isFine = fits(value, names.names[found].property)
      if isStrict, names.names[found].isForOtherWay {
        isFine = refuse(value, "writeOnly", "this member goes the other way alone")
      }
    }
    if !rule.pointee.patternProperties.isEmpty {
      let name = tree.view(at: key).string ?? ""
      for (pattern, number) in rule.pointee.patternProperties where pattern.matches(name) {
        // One that can't be checked names every member and holds for none.
        isNamed = true
        if pattern.compiled != nil, !fits(value, number) { isFine = false }
      }
    }
    if !isNamed {
      if rule.pointee.isClosed {
        isFine = refuse(value, "additionalProperties", "this member is not described")
      } else if let number = rule.pointee.additionalProperties {
        isFine = fits(value, number)
      }
    }
    if isStrict, isNamed || rule.pointee.isOpen || rule.pointee.isClosed { described.append(key) }
    if let number = rule.pointee.propertyNames, !quietlyFits(key, number) {
      isFine = refuse(key, "propertyNames", "the name does not fit what names may be")
    }
    return isFine
  }

  private func find(_ key: Int, in range: Range<Int>, guess: Int) -> Int? {
    guard nodes[key].isEscaped else { return names.find(inside(key), in: range, guess: guess) }
    var name = tree.view(at: key).string ?? ""
    return name.withUTF8 { names.find($0, in: range) }
  }

  /// Tells the members that no schema describes, of objects whose members are described.
  mutating func tellUndescribed() {
    let known = Set(described)
    for at in known.sorted() where nodes[at].kind == .object {
      var key = at + 1
      while key < Int(nodes[at].next) {
        if !known.contains(key) {
          _ = refuse(key + 1, "additionalProperties", "this member is not described")
        }
        key = Int(nodes[key + 1].next)
      }
    }
  }
}

/// Which of the members that are looked for are there.
private struct PresentMembers {
  private var few: UInt64 = 0
  private var many: [Bool] = []

  init(_ count: Int) {
    if count > 64 { many = Array(repeating: false, count: count) }
  }

  mutating func insert(_ place: Int) {
    if many.isEmpty { few |= 1 << UInt64(place) } else { many[place] = true }
  }

  func contains(_ place: Int) -> Bool {
    many.isEmpty ? few >> UInt64(place) & 1 == 1 : many[place]
  }
}
