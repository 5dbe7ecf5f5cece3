// The text form of a parse that golden tests compare: what a person wants to see first.

/// Writes parsed files as text.
package enum SyntaxDump {
  /// The whole file: each block with what it says, then its tokens.
  package static func text(of document: ParsedDocument) -> String {
    document.blocks.map { text(of: $0) }.joined()
  }

  /// The whole file without its tokens.
  package static func outline(of document: ParsedDocument) -> String {
    document.blocks.map { text(of: $0, withTokens: false) }.joined()
  }

  /// One block.
  package static func text(of block: ParsedBlock, withTokens: Bool = true) -> String {
    var writer = Writer(block: block)
    writer.writeBlock(block.syntax, withTokens: withTokens)
    return writer.result
  }

  private struct Writer {
    let block: ParsedBlock
    var result = ""

    mutating func line(_ text: String, depth: Int = 1) {
      result += String(repeating: "  ", count: depth) + text + "\n"
    }

    func quoted(_ range: Range<Int>) -> String { SyntaxDump.quoted(block.slice(range)) }

    mutating func writeBlock(_ syntax: BlockSyntax, withTokens: Bool) {
      line("\(syntax.kind) \(block.range.lowerBound)..<\(block.range.upperBound)", depth: 0)
      if let separator = syntax.separator, let title = separator.title {
        line("title \(quoted(title))")
      }
      for tag in syntax.metadata {
        let key = MetadataTag.folded(block.text(tag.key))
        line("metadata \(tag.region) \(key) \(quoted(tag.value))")
      }
      for variable in syntax.variables {
        let marks = (variable.isGlobal ? " global" : "") + (variable.isLazy ? " lazy" : "")
          + (variable.isAfterResponse ? " after" : "")
          + (variable.form == .text ? "" : " \(variable.form)")
        line("variable \(block.name(of: variable)) \(quoted(variable.value))\(marks)")
      }
      for directive in syntax.directives {
        let called = directive.request.map { " #\(quoted($0))" } ?? ""
        line("\(directive.kind) \(quoted(directive.argument))\(called)")
        for (name, value) in directive.overrides {
          line("override \(quoted(name)) \(quoted(value))", depth: 2)
        }
      }
      for fragment in syntax.fragments {
        let text = fragment.path.map { "file " + quoted($0) } ?? quoted(fragment.range)
        line("fragment \(quoted(fragment.name)) \(text)")
      }
      if let request = syntax.request { write(request) }
      writeRest(syntax)
      guard withTokens else { return }
      line("tokens")
      writeTokens(syntax.tokens)
    }

    private mutating func writeRest(_ syntax: BlockSyntax) {
      for script in syntax.scripts {
        let what = script.path.map { "file " + quoted($0) } ?? script.text.map(quoted) ?? ""
        let event = script.event.map { " @\($0.rawValue)" } ?? ""
        line("\(script.kind)\(script.isForAll ? " +" : "")\(event) \(what)")
      }
      for redirect in syntax.saves + syntax.responseReferences {
        line("\(redirect.marker) \(quoted(redirect.path))")
      }
      for assertion in syntax.assertions { line("assertion \(quoted(assertion.text))") }
      if let response = syntax.inlineResponse { line("response \(quoted(response))") }
      for reference in syntax.references {
        let mark = reference.isPercentEncoded ? " encoded" : ""
        line("reference \(SyntaxDump.text(of: reference.expression))\(mark)")
      }
      for problem in syntax.problems { line("problem \(problem.kind) \(quoted(problem.range))") }
    }

    private mutating func write(_ request: RequestSyntax) {
      if let curl = request.curl { return line("curl \(quoted(curl))") }
      let method = request.method.map(quoted) ?? "none"
      let target = request.target.map(quoted).joined(separator: " + ")
      let version = request.version.map { " version " + quoted($0) } ?? ""
      line("request \(method) \(target)\(version)")
      for header in request.headers {
        let value = header.value.map(quoted).joined(separator: " + ")
        line((header.isSpread ? "spread" : "header") + " \(quoted(header.name)) \(value)", depth: 2)
      }
      guard let body = request.body else { return }
      line("body", depth: 2)
      for bodyLine in body.lines {
        switch bodyLine.kind {
        case .text: line("text \(quoted(bodyLine.content))", depth: 3)
        case .comment: line("comment \(quoted(bodyLine.content))", depth: 3)
        case .file(let file):
          let encoding = file.encoding.map { " " + quoted($0) } ?? ""
          line("\(file.marker)\(encoding) \(quoted(file.path))", depth: 3)
        }
      }
    }

    private mutating func writeTokens(_ tokens: SyntaxList<SyntaxToken>) {
      var at = 0
      for token in tokens {
        let end = at + Int(token.length)
        line("\(token.kind) \(quoted(at..<end))", depth: 2)
        at = end
      }
    }
  }

  private static func text(of expression: ReferenceExpression) -> String {
    switch expression {
    case .dynamic(let name, let arguments): "dynamic \(name) (\(arguments))"
    case .path(let name, let rest): "path \(name) \(rest)"
    case .script(let text): "script \(text)"
    case .empty: "empty"
    }
  }

  private static func quoted(_ bytes: ArraySlice<UInt8>) -> String {
    var result = "\""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{FEFF}": result += "\\u{FEFF}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
