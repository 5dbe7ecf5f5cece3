// Which requests' responses the references of a block read.

import PostKitJSON
package import PostKitSyntax

/// Finds the requests whose responses expressions read, by themselves or through the definitions
/// that they name. A block may have a hundred thousand references to definitions that refer to each
/// other, so that what one of them has found serves the others.
package struct ReadingSearch {
  private let scope: Scope
  /// The numbers of the expressions that were met.
  private var numbers: [ReferenceExpression: Int] = [:]
  private var expressions: [ReferenceExpression] = []
  /// What the expressions come to, where that is the same in all of the block.
  private var known: [Step?] = []
  /// The numbers of the definitions that were met, by name.
  private var definitions: [String: Int] = [:]
  /// The last search that has followed each definition.
  private var followed: [Int] = []
  private var search = 0

  /// What an expression comes to.
  private struct Step {
    /// The requests that it reads itself.
    var places: [RequestPlace] = []
    /// The definition that it means.
    var definition: Int?
    /// The expressions in that definition.
    var references: [Int] = []
  }

  /// Is going to look from one block, whose names mean what they mean in a scope.
  package init(_ scope: Scope) { self.scope = scope }

  /// The requests that an expression at an offset reads, in the order in which it names them.
  package mutating func requests(
    readBy expression: ReferenceExpression, at offset: Int
  ) -> [RequestPlace] {
    search += 1
    var places: [RequestPlace] = []
    visit(number(of: expression), at: offset, depth: 0, &places)
    return places
  }

  /// Each definition is followed once: a few that name each other often would make trillions.
  private mutating func visit(
    _ number: Int, at offset: Int, depth: Int, _ places: inout [RequestPlace]
  ) {
    let step = step(number, at: offset)
    places += step.places
    guard let definition = step.definition, followed[definition] != search else { return }
    followed[definition] = search
    guard depth < Evaluator.depthLimit else { return }
    for reference in step.references {
      visit(reference, at: offset, depth: depth + 1, &places)
    }
  }

  private mutating func step(_ number: Int, at offset: Int) -> Step {
    if let step = known[number] { return step }
    let (step, isSameEverywhere) = makeStep(expressions[number], at: offset)
    if isSameEverywhere { known[number] = step }
    return step
  }

  private mutating func makeStep(
    _ expression: ReferenceExpression, at offset: Int
  ) -> (step: Step, isSameEverywhere: Bool) {
    if case .dynamic(let name, "") = expression, name.hasPrefix("global.") {
      return makeStep(ReferenceExpression(parsing: String(name.dropFirst(7))), at: offset)
    }
    guard case .path(let name, let rest) = expression else {
      let places = expression.exchangeName.map(scope.requests(referredToAs:)) ?? []
      return (Step(places: places), true)
    }
    let isSame = scope.meansOne(name) && (rest.isEmpty || scope.meansOne(name + rest))
    if let definition = scope.lookup(name + rest, at: offset) ?? scope.lookup(name, at: offset) {
      return (step(of: definition), isSame)
    }
    if let place = scope.placeDefining(name + rest) ?? scope.placeDefining(name) {
      return (Step(places: [place]), isSame)
    }
    if rest.isEmpty && !name.hasSuffix("List") { return (Step(), isSame) }
    return (Step(places: scope.requests(referredToAs: name)), isSame)
  }

  /// What a definition refers to.
  private mutating func step(of definition: VariableDefinition) -> Step {
    guard !definition.isLiteral, case .string(let text) = definition.value,
      text.utf8.contains(UInt8(ascii: "{"))
    else { return Step() }
    let bytes = Array(text.utf8)
    var step = Step()
    for case .reference(let reference) in TemplateParser.pieces(bytes, in: 0..<bytes.count) {
      step.references.append(number(of: reference.expression))
    }
    step.definition = definitions[definition.name] ?? followed.count
    if step.definition == followed.count {
      definitions[definition.name] = followed.count
      followed.append(0)
    }
    return step
  }

  private mutating func number(of expression: ReferenceExpression) -> Int {
    if let number = numbers[expression] { return number }
    numbers[expression] = expressions.count
    expressions.append(expression)
    known.append(nil)
    return expressions.count - 1
  }
}

extension Scope {
  /// Whether a name means the same at each offset of a block.
  fileprivate func meansOne(_ name: String) -> Bool {
    let places = files.files[file].content.names.definitions[name] ?? []
    return places.isEmpty || places.count == 1 && dialect(of: file).redefinition == .nearestAbove
  }
}
