// What a script's expression reads of a response.

/// A part of a response that both scripts and `??` lines can name.
enum ScriptSubject: Sendable, Hashable {
  /// A step into JSON.
  enum Step: Sendable, Hashable {
    case member(String)
    case element(Int)
  }

  case status, duration
  case header(String)
  /// The whole body as a text.
  case text
  /// A value in the JSON of the body; without steps the outermost.
  case json([Step])
  /// All headers, as long as none is named.
  case headers

  /// The left side of a `??` line; `nil` for what can't stand there.
  var leftSide: String? {
    switch self {
    case .status: "status"
    case .duration: "duration"
    case .header(let name): "header \(name)"
    case .text: "body"
    case .json(let steps): Self.path(steps).map { "body \($0)" }
    case .headers: nil
    }
  }

  /// The same as an expression of a JetBrains handler; `nil` where it has none.
  var expression: String? {
    switch self {
    case .status: "response.status"
    case .header(let name): "response.headers.valueOf(\(ScriptLiteral.quoted(name)))"
    case .json(let steps):
      steps.reduce("response.body") { (text: String, step) -> String in
        switch step {
        case .member(let name):
          ScriptLiteral.isName(name) ? "\(text).\(name)" : "\(text)[\(ScriptLiteral.quoted(name))]"
        case .element(let index): "\(text)[\(index)]"
        }
      }
    // The body of a handler is text or JSON by its type, and time is not to be had there.
    case .text, .duration, .headers: nil
    }
  }

  /// A step further; `nil` where nothing lies deeper.
  func stepping(_ step: Step) -> ScriptSubject? {
    switch (self, step) {
    case (.json(let steps), _): .json(steps + [step])
    case (.headers, .member(let name)): Self.isHeader(name) ? .header(name) : nil
    default: nil
    }
  }

  /// Whether a text can be the name of a header.
  static func isHeader(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  /// The steps as JSONPath; `nil` where a name can't stand in a line.
  private static func path(_ steps: [Step]) -> String? {
    var path = "$"
    for step in steps {
      switch step {
      case .element(let index): path += "[\(index)]"
      case .member(let name) where ScriptLiteral.isName(name) && !name.contains("$"):
        path += ".\(name)"
      case .member(let name):
        guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "'" && $0 != "\\" }),
          !name.contains("{{")
        else { return nil }
        path += "['\(name)']"
      }
    }
    return path
  }
}
