// The code of load tests that all languages have in common: values, chains and checks (IO-30).

import PostKitHTTP
import PostKitSyntax

/// A piece of a program, with what it calls.
struct CodePhrase {
  var text: String
  /// The helpers that it calls.
  var helpers: [String] = []
  /// The modules that it takes, in the language's own words.
  var imports: [String] = []

  /// Makes a piece that calls helpers.
  init(_ text: String, _ helpers: String..., imports: [String] = []) {
    self.text = text
    self.helpers = helpers
    self.imports = imports
  }
}

/// The words of the language in which a load test is written.
protocol LoadLanguage: Sendable {
  /// What people call the program that runs the test.
  var program: String { get }
  var literal: CopyLiteral { get }
  /// The functions that a test may call, among them `setting`, `basic`, `legal`, `needed` and
  /// `member`, each after those that it calls.
  var helpers: [CodeHelpers.Helper] { get }
  /// Words that no constant and no function of a test may have.
  var taken: Set<String> { get }
  /// The helper that reads a variable of the process.
  var processReader: String { get }

  /// The line that defines a constant.
  func definition(_ constant: String, _ value: String) -> String
  /// The arguments of `setting` that say why a variable has no value.
  func arguments(reason: String) -> [String]
  /// A value that is made anew at each use; `nil` where the language can't make it.
  func dynamic(_ value: ExportedDynamic, _ helpers: inout CodeHelpers) -> String?
  /// A value with all signs encoded that mean something in a URL.
  func encoded(_ value: String) -> CodePhrase
  /// What is kept of the response of a function, of a member the whole value of the body; `nil`
  /// where it is not kept.
  func kept(_ part: ExportedPart, of word: String) -> CodePhrase?
  /// What a check looks at in `response`, where it is no member of the body's value; `nil` where
  /// the program can't tell it.
  func subject(of check: ExportedCheck) -> CodePhrase?
  /// Whether a value is as a check wants it.
  func condition(
    _ predicate: AssertionForm.Predicate, _ subject: String, _ expected: String
  ) -> CodePhrase
}

/// Writes the values and checks of one load test.
struct LoadCode {
  let collection: ExportedCollection
  let plan: LoadPlan
  let notes: ExportNotes
  let language: any LoadLanguage
  var helpers: CodeHelpers

  /// Plans a collection in a language. What can't be said is told.
  init(_ collection: ExportedCollection, _ notes: ExportNotes, _ language: any LoadLanguage) {
    self.collection = collection
    self.notes = notes
    self.language = language
    helpers = CodeHelpers(language.helpers)
    plan = LoadPlan(collection, taken: language.taken)
  }

  /// A text as a literal in one line.
  func short(_ text: String) -> String { language.literal.short(text) }

  /// Says that the program has a piece.
  mutating func use(_ phrase: CodePhrase) -> String {
    phrase.helpers.forEach { helpers.use($0) }
    phrase.imports.forEach { helpers.take($0) }
    return phrase.text
  }

  /// The definitions of the variables.
  mutating func settingLines() -> [String] {
    plan.settings.map { setting in
      let name = short(setting.variable.name)
      if setting.isOfProcess {
        let reader = language.processReader
        helpers.use(reader)
        return language.definition(setting.constant, "\(reader)(\(name))")
      }
      helpers.use("setting")
      var arguments = [name]
      if let value = setting.variable.value {
        arguments.append(expression(value, .plain, in: nil))
      } else if setting.variable.isSecret {
        arguments += language.arguments(reason: "its value is a secret and was not exported")
      }
      return language.definition(
        setting.constant, "setting(\(arguments.joined(separator: ", ")))")
    }
  }

  /// The names and values of the headers of a request, as expressions.
  mutating func headers(
    of request: ExportedRequest
  ) -> [(name: String, value: String, isLiteral: Bool)] {
    var pairs: [(name: String, value: String, isLiteral: Bool)] = []
    for header in request.sentHeaders(basic: { _, _ in nil }) {
      pairs.append(
        (
          expression(header.name, .plain, in: request),
          expression(header.value, .plain, in: request), header.name.literal != nil
        ))
    }
    if case .basic(let user, let password) = request.auth {
      helpers.use("basic")
      let words = [user, password].map { expression($0, .plain, in: request) }
      pairs.append((short("Authorization"), "basic(\(words.joined(separator: ", ")))", true))
    }
    return pairs
  }

  // MARK: - Texts

  /// Where a text stands, which decides how values are encoded.
  enum Place { case plain, url, form }

  /// A piece of a body: a file by its path, a text, or the expression of a value.
  enum BodyPiece { case file(String), literal(String), value(String) }

  /// The pieces of a body in order.
  mutating func pieces(ofBodyOf request: ExportedRequest) -> [BodyPiece] {
    let place: Place = request.mediaType?.isForm == true ? .form : .plain
    var result: [BodyPiece] = []
    for chunk in request.body {
      switch chunk {
      case .file(let path): result.append(.file(path))
      case .text(let text):
        for piece in text.pieces {
          switch piece {
          case .literal(let literal): result.append(.literal(literal))
          case .reference(let reference, let isEncoded):
            result.append(.value(value(reference, place, isEncoded, in: request)))
          }
        }
      }
    }
    return result
  }

  /// A text with its references as an expression.
  mutating func expression(
    _ text: ExportedText, _ place: Place, in request: ExportedRequest?
  ) -> String {
    let parts = text.pieces.enumerated().map { index, piece in
      switch piece {
      case .literal(let literal): return short(literal.shown)
      case .reference(let reference, let isEncoded):
        // What begins a URL has its scheme and host.
        let place = index == 0 && place == .url ? Place.plain : place
        return value(reference, place, isEncoded, in: request)
      }
    }
    return parts.isEmpty ? "\"\"" : parts.joined(separator: " + ")
  }

  private mutating func value(
    _ reference: ExportedReference, _ place: Place, _ isEncoded: Bool, in request: ExportedRequest?
  ) -> String {
    let value = value(reference, in: request)
    if isEncoded { return use(language.encoded(value)) }
    return place == .plain ? value : use(CodePhrase("legal(\(value))", "legal"))
  }

  private mutating func value(
    _ reference: ExportedReference, in request: ExportedRequest?
  ) -> String {
    switch reference {
    case .variable(let name): return plan.constant(of: name) ?? short("{{\(name)}}")
    case .process(let name):
      return plan.constant(ofProcess: name) ?? short("{{$processEnv \(name)}}")
    case .dynamic(let name, let arguments):
      let made = ExportedDynamic(name: name, arguments: arguments)
      if let code = language.dynamic(made, &helpers) { return code }
      notes.tellTemplate("{{$\(name)\(arguments.isEmpty ? "" : " " + arguments)}}", of: request)
      return short("{{$\(name)}}")
    case .unknown(let written):
      notes.tellTemplate(written, of: request)
      return short(written)
    case .response(let index, let part):
      guard let step = plan.step(index), let code = value(part, of: step) else {
        notes.tellTemplate("{{\(collection.requests[index].title).response…}}", of: request)
        return "\"\""
      }
      return code
    }
  }

  private mutating func value(_ part: ExportedPart, of step: LoadPlan.Step) -> String? {
    guard let phrase = language.kept(part, of: step.word) else { return nil }
    let kept = use(phrase)
    switch part {
    case .body, .status, .other: return kept
    case .header(let name): return needed(kept, "header " + name)
    case .member(let path): return select(path, from: kept).map { needed($0, path.text) }
    }
  }

  /// A value without which the program can't go on.
  private mutating func needed(_ value: String, _ what: String) -> String {
    use(CodePhrase("needed(\(value), \(short(what)))", "needed"))
  }

  private mutating func select(_ path: ExportedPath, from value: String) -> String? {
    guard let steps = path.steps else { return nil }
    if steps.isEmpty { return value }
    let words = steps.map { step in
      switch step {
      case .name(let name): short(name)
      case .index(let index): String(index)
      }
    }
    return use(CodePhrase("member(\(value), \(words.joined(separator: ", ")))", "member"))
  }

  // MARK: - Checks

  /// The checks of a request that the program can be asked, as conditions on `response` and, where
  /// they read members, on `value`.
  mutating func conditions(of request: ExportedRequest) -> [(check: ExportedCheck, code: String)] {
    request.checks.compactMap { check in condition(check, request).map { (check, $0) } }
  }

  private mutating func condition(_ check: ExportedCheck, _ request: ExportedRequest) -> String? {
    guard let subject = subject(of: check) else {
      notes.tell(
        .testUnsupported,
        "The check `\(check.title)` is left out: \(language.program) can't be asked that.",
        of: request)
      return nil
    }
    let expected = expression(check.expected, .plain, in: request)
    return use(language.condition(check.predicate, subject, expected))
  }

  private mutating func subject(of check: ExportedCheck) -> String? {
    if case .part(.member(let path)) = check.subject { return select(path, from: "value") }
    return language.subject(of: check).map { use($0) }
  }
}

extension ExportedCheck {
  /// Whether it is about a value in the body.
  var readsMember: Bool { if case .part(.member) = subject { true } else { false } }
}
