// One check of one value: a walk of its nodes beside the rules of its schema.

import PostKitJSON

/// Walks a value and the rules that it must fit. It owns nothing that it walks on, and works out
/// places only where something is told, so that a value that fits costs no memory.
struct SchemaRun {
  let rules: UnsafeBufferPointer<SchemaRule>
  let names: SchemaNames
  let nodes: UnsafeBufferPointer<JSONNode>
  let bytes: UnsafeBufferPointer<UInt8>
  let tree: JSONTree
  /// The value, as an index of `nodes`.
  let root: Int
  /// Whether members that no schema describes are told.
  let isStrict: Bool
  private let stepLimit: Int

  var deviations: [SchemaDeviation] = []
  private(set) var isCut = false
  /// Above zero while only the answer counts, as in branches.
  var quiet = 0
  private var steps = 0
  private var depth = 0
  private var identities: IdentifiedJSON?
  /// References to nothing that values were to fit, as indexes of `SchemaRules.failures`.
  private(set) var unresolved: Set<Int> = []
  /// Answers of branches, by node and rule, once there are so many steps that some must come again.
  private var answers: [Question: Bool] = [:]
  /// Objects whose members are described and names that are; the last is taken back where a branch
  /// does not fit.
  var described: [Int] = []

  private static let depthLimit = 512
  /// After how many steps answers are remembered.
  private static let forgottenSteps = 10_000

  /// A node and a rule.
  private struct Question: Hashable {
    let node: Int
    let rule: SchemaRule.Number
  }

  init(
    rules: UnsafeBufferPointer<SchemaRule>, names: SchemaNames,
    nodes: UnsafeBufferPointer<JSONNode>, bytes: UnsafeBufferPointer<UInt8>, tree: JSONTree,
    root: Int, isStrict: Bool, stepLimit: Int
  ) {
    self.rules = rules
    self.names = names
    self.nodes = nodes
    self.bytes = bytes
    self.tree = tree
    self.root = root
    self.isStrict = isStrict
    self.stepLimit = stepLimit
  }

  /// Checks the value against a rule.
  mutating func check(_ number: SchemaRule.Number) {
    _ = fits(root, number)
    if isStrict { tellUndescribed() }
  }

  // MARK: - One schema

  /// Whether a value fits a schema; where it does not, that is told unless only the answer counts.
  mutating func fits(_ at: Int, _ number: SchemaRule.Number) -> Bool {
    steps += 1
    guard steps <= stepLimit, depth < Self.depthLimit else {
      isCut = true
      return true
    }
    depth += 1
    defer { depth -= 1 }
    let rule = rules.baseAddress.unsafelyUnwrapped + number
    let kind = nodes[at].kind
    if let failure = rule.pointee.failure { unresolved.insert(failure) }
    if rule.pointee.isImpossible { return refuse(at, "false", "nothing may stand here") }
    if rule.pointee.isNullable, kind == .null { return true }
    var isFine = true
    if let reference = rule.pointee.reference {
      isFine = fits(at, reference)
      if ends(isFine) { return false }
    }
    if !hasType(at, rule.pointee.types) {
      let (types, view) = (rule.pointee.types, tree.view(at: at))
      return refuse(at, "type", "expected \(types.text), came \(Self.word(for: view))")
    }
    if rule.pointee.values != nil, !isOne(at, rule) { isFine = false }
    switch kind {
    case .number:
      if rule.pointee.looksAtNumbers, !numberFits(at, rule) { isFine = false }
    case .string: if !stringFits(at, rule) { isFine = false }
    case .array: if !arrayFits(at, rule) { isFine = false }
    case .object: if rule.pointee.looksAtMembers, !objectFits(at, rule) { isFine = false }
    default: break
    }
    if ends(isFine) { return false }
    if rule.pointee.hasBranches, !branchesFit(at, rule) { isFine = false }
    return isFine
  }

  /// Whether nothing more need be known: the answer is clear and nobody is told the rest.
  func ends(_ isFine: Bool) -> Bool {
    !isFine && (quiet > 0 || deviations.count >= SchemaCheck.deviationLimit)
  }

  /// The same without telling.
  mutating func quietlyFits(_ at: Int, _ number: SchemaRule.Number) -> Bool {
    // What is described depends on the way, so that it is looked at each time.
    let remembers = steps > Self.forgottenSteps && !isStrict
    let question = Question(node: at, rule: number)
    if remembers, let answer = answers[question] { return answer }
    let count = described.count
    quiet += 1
    let isFine = fits(at, number)
    quiet -= 1
    if remembers { answers[question] = isFine }
    if !isFine { described.removeLast(described.count - count) }
    return isFine
  }

  private mutating func branchesFit(_ at: Int, _ rule: UnsafePointer<SchemaRule>) -> Bool {
    var isFine = true
    for part in rule.pointee.all where !ends(isFine) {
      if !fits(at, part) { isFine = false }
    }
    if let any = rule.pointee.any, !fitsAny(at, any) {
      isFine = refuseBranches(at, "anyOf", any)
    }
    if let one = rule.pointee.one {
      var count = 0
      for branch in one where quietlyFits(at, branch) { count += 1 }
      if count == 0 {
        isFine = refuseBranches(at, "oneOf", one)
      } else if count > 1 {
        isFine = refuse(
          at, "oneOf", "expected exactly one of \(one.count) schemas to fit, \(count) do")
      }
    }
    if let not = rule.pointee.not {
      let count = described.count
      if quietlyFits(at, not) {
        isFine = refuse(at, "not", "expected a value that a schema excludes not to come")
      }
      described.removeLast(described.count - count)
    }
    if let condition = rule.pointee.condition {
      let branch = quietlyFits(at, condition) ? rule.pointee.then : rule.pointee.otherwise
      if let branch, !fits(at, branch) { isFine = false }
    }
    return isFine
  }

  /// Whether a branch fits. All are looked at where each says which members are described.
  private mutating func fitsAny(_ at: Int, _ branches: [SchemaRule.Number]) -> Bool {
    var isFine = false
    for branch in branches where isStrict || !isFine {
      if quietlyFits(at, branch) { isFine = true }
    }
    return isFine
  }

  /// Tells that no branch fits; of a single one that could, by its type, what does not fit in it.
  private mutating func refuseBranches(
    _ at: Int, _ keyword: String, _ branches: [SchemaRule.Number]
  ) -> Bool {
    guard quiet == 0 else { return false }
    let near = branches.filter { branch in
      var rule = rules.baseAddress.unsafelyUnwrapped + branch
      var hops = 0
      while let next = rule.pointee.reference, rule.pointee.types == .all, hops < 32 {
        rule = rules.baseAddress.unsafelyUnwrapped + next
        hops += 1
      }
      return hasType(at, rule.pointee.types)
    }
    if near.count == 1 { return fits(at, near[0]) }
    return refuse(at, keyword, "expected one of \(branches.count) schemas to fit, none does")
  }

  // MARK: - Arrays

  private mutating func arrayFits(_ at: Int, _ rule: UnsafePointer<SchemaRule>) -> Bool {
    var isFine = true
    let count = Int(nodes[at].count)
    if let least = rule.pointee.minItems, count < least {
      isFine = refuse(at, "minItems", "expected at least \(least) elements, came \(count)")
    }
    if let most = rule.pointee.maxItems, count > most {
      isFine = refuse(at, "maxItems", "expected at most \(most) elements, came \(count)")
    }
    let end = Int(nodes[at].next)
    if rule.pointee.items != nil || !rule.pointee.prefixItems.isEmpty {
      var (element, index) = (at + 1, 0)
      while element < end, !ends(isFine) {
        let number =
          index < rule.pointee.prefixItems.count
          ? rule.pointee.prefixItems[index] : rule.pointee.items
        guard let number else { break }
        if !fits(element, number) { isFine = false }
        element = Int(nodes[element].next)
        index += 1
      }
    }
    if let contains = rule.pointee.contains {
      var (element, hits) = (at + 1, 0)
      while element < end {
        if quietlyFits(element, contains) { hits += 1 }
        element = Int(nodes[element].next)
      }
      let least = rule.pointee.minContains
      if hits < least {
        isFine = refuse(
          at, "contains", "expected at least \(least) fitting elements, came \(hits)")
      }
      if let most = rule.pointee.maxContains, hits > most {
        isFine = refuse(
          at, "maxContains", "expected at most \(most) fitting elements, came \(hits)")
      }
    }
    if rule.pointee.isUnique, count > 1, !areUnique(at) {
      isFine = refuse(at, "uniqueItems", "expected each element once, one came again")
    }
    return isFine
  }

  private mutating func areUnique(_ at: Int) -> Bool {
    let end = Int(nodes[at].next)
    if end - at <= 32, (at + 1..<end).allSatisfy({ isPlainString($0) }) {
      for left in at + 1..<end {
        for right in left + 1..<end where inside(left).elementsEqual(inside(right)) { return false }
      }
      return true
    }
    if identities == nil {
      var all = JSONIdentities()
      identities = all.identify(tree)
    }
    guard let identities else { return true }
    var seen: Set<Int> = []
    return tree.view(at: at).elements.allSatisfy {
      seen.insert(identities.identity(of: $0)).inserted
    }
  }

  private func isPlainString(_ at: Int) -> Bool {
    nodes[at].kind == .string && !nodes[at].isEscaped
  }

  // MARK: - Telling

  /// Tells a deviation unless only the answer counts; answers that the value does not fit.
  mutating func refuse(
    _ at: Int, _ keyword: String, _ message: @autoclosure () -> String
  ) -> Bool {
    if quiet == 0, deviations.count < SchemaCheck.deviationLimit {
      deviations.append(
        SchemaDeviation(
          pointer: pointer(to: at), range: Int(nodes[at].start)..<Int(nodes[at].end),
          keyword: keyword, message: message()))
    }
    return false
  }

  /// The way from the value to a node, found from above: what is told is rare.
  private func pointer(to target: Int) -> String {
    var result = ""
    var at = root
    while at != target {
      let isObject = nodes[at].kind == .object
      var (step, index) = (at + 1, 0)
      let end = Int(nodes[at].next)
      // A name stands before its value and belongs to the same step.
      func isPast(_ step: Int) -> Bool { Int(nodes[isObject ? step + 1 : step].next) <= target }
      while step < end, isPast(step) {
        step = Int(nodes[isObject ? step + 1 : step].next)
        index += 1
      }
      guard step < end else { break }
      if isObject {
        let name = tree.view(at: step).string ?? ""
        result += "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
        at = step == target ? step : step + 1
      } else {
        result += "/\(index)"
        at = step
      }
    }
    return result
  }

  /// What a value is, with its article.
  static func word(for value: JSONView) -> String {
    switch value.kind {
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "the number \(value.numberText ?? "")"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
