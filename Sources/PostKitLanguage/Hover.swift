// What a thing under the caret means: values with their origin, headers, methods, results.

package import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// A text about a range of the file, in Markdown.
package struct Hover: Sendable, Hashable {
  package var range: Range<Int>
  package var markdown: String

  /// Makes a hover; the middle of what nobody reads whole is left out.
  package init(range: Range<Int>, markdown: String) {
    self.range = range
    self.markdown = Markdown.shortened(markdown)
  }

  /// The same with what another one says, about the range of both that is smaller.
  package func followed(by other: Hover) -> Hover {
    let isSmaller = other.range.count < range.count
    return Hover(
      range: isSmaller ? other.range : range, markdown: markdown + "\n\n---\n\n" + other.markdown)
  }
}

extension Analysis {
  /// The hover at an offset. Values are shown in the other `environments`, too, behind the last
  /// result of a request the beginning of the body that `lastBody` gives, and at a check what it is
  /// about in the response that `lastAnswer` gives, secrets masked.
  package func hover(
    at position: Int, environments: () -> [EnvironmentSet] = { [] },
    lastBody: (LastResult) -> String? = { _ in nil },
    lastAnswer: (LastResult) -> AnsweredRequest? = { _ in nil }
  ) -> Hover? {
    let offset = max(0, min(position, document.bytes.count))
    guard let block = document.block(at: offset) else { return nil }
    let token = WebTokenHover.hover(in: document.bytes, at: offset, now: context.now())
    if let token { return token }
    let place = offset - block.range.lowerBound
    let known = scriptHover(at: offset) { variableHover($0, $1, at: offset, environments) }
    if let known { return known }
    if let hover = statusHover(block, place) ?? checkHover(block, place, lastAnswer) {
      return hover
    }
    if let reference = block.syntax.references.first(where: {
      $0.range.lowerBound <= place && place < $0.range.upperBound
    }) {
      return hover(reference, block, environments)
    }
    if let tag = block.syntax.metadata.first(where: { $0.key.touches(place) }) {
      if let hover = hover(tag, block) { return hover }
    }
    if let hover = dependencyHover(block, place, lastBody) { return hover }
    if let hover = nameHover(block, place, environments, lastBody) { return hover }
    // Of a name of its own a script tells more than a sentence about the script does.
    if block.isInsideScript(offset) { return nil }
    return lineHover(block, place, lastBody)
  }

  /// The hover of a word that stands for itself: a definition's name, a method, a header's name; of
  /// the rest of a request line that of the request.
  private func nameHover(
    _ block: ParsedBlock, _ place: Int, _ environments: () -> [EnvironmentSet],
    _ lastBody: (LastResult) -> String?
  ) -> Hover? {
    if let variable = block.syntax.variables.first(where: { $0.nameRange.touches(place) }) {
      let range = block.absolute(variable.nameRange)
      return variableHover(
        block.name(of: variable), range, at: block.range.lowerBound + place, environments)
    }
    guard let request = block.syntax.request else { return nil }
    if let method = request.method, method.lowerBound <= place, place <= method.upperBound,
      let description = MethodCatalog.named(block.text(method).uppercased())
    {
      return Hover(range: block.absolute(method), markdown: Analysis.text(description))
    }
    let parts = [request.line] + request.target
    if let part = parts.first(where: { $0.touches(place) }) {
      var hover = requestHover(block, request, lastBody)
      hover?.range = block.absolute(part)
      return hover
    }
    for header in request.headers where header.name.touches(place) {
      guard let description = HeaderCatalog.named(block.text(header.name)) else { break }
      return Hover(
        range: block.absolute(header.name),
        markdown: "**\(description.name)**: \(description.summary)\n\n\(description.source)")
    }
    return nil
  }

  private func hover(
    _ reference: ReferenceSyntax, _ block: ParsedBlock, _ environments: () -> [EnvironmentSet]
  ) -> Hover? {
    let range = block.absolute(reference.range)
    switch reference.expression {
    case .dynamic(let name, _):
      if name.hasPrefix("global.") {
        let path = name.dropFirst(7)
        let key = String(path.prefix { $0 != "." })
        return variableHover(key, range, at: range.lowerBound, environments)
      }
      let base = name.hasSuffix("-askonce") ? String(name.dropLast(8)) : name
      let key = name.hasPrefix("env.") ? "processEnv" : base
      guard let variable = DynamicVariables.named(key) else { return nil }
      let written = block.text(reference.range)
      let sample = sample(of: key, written, at: range.lowerBound).map { "\n\n\($0)" } ?? ""
      return Hover(
        range: range,
        markdown: "\(Markdown.code(variable.signature))\n\n\(variable.summary)\(sample)")
    case .path(let name, let rest):
      if scope.lookup(name + rest, at: range.lowerBound) != nil {
        return variableHover(name + rest, range, at: range.lowerBound, environments)
      }
      if rest.isEmpty || scope.lookup(name, at: range.lowerBound) != nil {
        return variableHover(name, range, at: range.lowerBound, environments)
      }
      return responseHover(name, rest, range)
    case .script(let text):
      return Hover(
        range: range,
        markdown: "\(Analysis.code(text)) is a JavaScript expression. "
          + "PostKit evaluates it when the request is sent.")
    case .empty:
      return nil
    }
  }

  /// The value in force, where it comes from, and what it covers.
  private func variableHover(
    _ name: String, _ range: Range<Int>, at offset: Int, _ environments: () -> [EnvironmentSet]
  ) -> Hover {
    let candidates = scope(at: offset).candidates(name, at: offset)
    guard let first = candidates.first else {
      if let request = scope.requestDefining(name) {
        return Hover(
          range: range,
          markdown: Markdown.sentence(
            EvaluationProblem(.requestNotRun(name: request), range: range).message))
      }
      let hint = scope.nameResembling(name, at: offset)
      let sentence = "\(Analysis.code(name)) is not defined."
        + (hint.map { " Did you mean \(Analysis.code($0))?" } ?? "")
      let elsewhere = valuesElsewhere(of: name, environments, at: offset)
      return Hover(range: range, markdown: ([sentence] + elsewhere).joined(separator: "\n\n"))
    }
    if first.origin.layer == .prompt {
      return Hover(
        range: range,
        markdown: "PostKit asks for \(Analysis.code(name)) before it sends the request.")
    }
    var lines = [
      "\(Analysis.code(name)) = \(value(first, at: offset))",
      "from " + Analysis.origin(first.origin),
    ]
    for covered in candidates.dropFirst() {
      lines.append("covers \(value(covered, at: offset)) from \(Analysis.origin(covered.origin))")
    }
    lines += valuesElsewhere(of: name, environments, at: offset)
    return Hover(range: range, markdown: lines.joined(separator: "\n\n"))
  }

  /// A value for display: references resolved where that needs no effect, secrets masked.
  func value(_ definition: VariableDefinition, at offset: Int) -> String {
    if definition.isSecret { return Markdown.code(SecretMask.text) }
    let written = definition.shownText
    if definition.isFile { return "the content of \(Analysis.code(written))" }
    var evaluator = displayEvaluator
    if definition.isLiteral { return Analysis.code(masked(written, evaluator)) }
    let expanded = evaluator.display(written, at: offset)
    let shown = Analysis.code(masked(expanded, evaluator))
    if let problem = evaluator.problems.first {
      return "\(shown)\n\n\(Markdown.sentence(problem.message))"
    }
    return expanded == written
      ? shown : "\(shown) (written \(Analysis.code(masked(written, evaluator))))"
  }

  /// An evaluator that puts the mask in place of secrets.
  var displayEvaluator: Evaluator { Evaluator(context: context, scope: scope, masksSecrets: true) }

  /// A text without secrets, those included that were used to make it.
  func masked(_ text: String, _ evaluator: Evaluator) -> String {
    SecretMask(secrets: knownSecrets + evaluator.secrets).mask(text).text
  }

  /// The beginning of a text as code on one line.
  static func code(_ text: String) -> String {
    let end = text.index(text.startIndex, offsetBy: 200, limitedBy: text.endIndex)
    let isLong = end.map { $0 < text.endIndex } ?? false
    let short = isLong ? String(text.prefix(199)) + "…" : text
    let line = short.split(whereSeparator: \.isNewline).joined(separator: " ")
    return Markdown.code(line)
  }

  private static func origin(_ origin: VariableOrigin) -> String {
    let place = place(origin).map(Markdown.text)
    if origin.layer == .file { return place ?? "this file" }
    if let owner = origin.defaultsOwner { return "the defaults of \(code(owner))" }
    let environment = origin.environment.map { " " + code($0) } ?? ""
    return "the \(origin.layer.rawValue)\(environment)" + (place.map { ", \($0)" } ?? "")
  }

  private func responseHover(_ name: String, _ rest: String, _ range: Range<Int>) -> Hover {
    guard scope.request(referredToAs: name) != nil else {
      return variableHover(name, range, at: range.lowerBound, { [] })
    }
    var evaluator = displayEvaluator
    let text = evaluator.display("{{\(name)\(rest)}}", at: range.lowerBound)
    if let problem = evaluator.problems.first {
      return Hover(range: range, markdown: Markdown.sentence(problem.message))
    }
    return Hover(
      range: range,
      markdown: "\(Analysis.code(masked(text, evaluator)))\n\n"
        + "from the latest response of \(Analysis.code(name))")
  }

  private func hover(_ tag: MetadataSyntax, _ block: ParsedBlock) -> Hover? {
    guard let entry = tag.kind?.entry else { return nil }
    let outcome = outcome(of: tag, block).map { "\n\n" + Markdown.sentence($0) } ?? ""
    return Hover(
      range: block.absolute(tag.key),
      markdown: "\(Markdown.code("@" + entry.usage))\n\n\(entry.explanation)\(outcome)")
  }

  /// The URL as it would be sent, and the last result.
  func requestHover(
    _ block: ParsedBlock, _ request: RequestSyntax, _ lastBody: (LastResult) -> String?
  ) -> Hover? {
    let lowered = Lowering.lower(
      block, evaluator: Evaluator(context: context, scope: scope(of: block)), defaults: defaults)
    let secrets = lowered.secrets.union(context.exchangeSecrets)
    var lines: [String] = []
    if let spec = lowered.spec {
      let method = SecretMask(secrets: knownSecrets + secrets).mask(spec.method).text
      lines.append(Markdown.code("\(method) \(displayURL(block, spec.url, secrets))"))
    } else if let failure = lowered.failure {
      lines.append(Markdown.sentence(failure.masking(secrets).message))
    }
    lines += defaultLines(block)
    if let result = result(of: block) { lines += resultLines(result, lastBody) }
    guard !lines.isEmpty else { return nil }
    return Hover(range: block.absolute(request.line), markdown: lines.joined(separator: "\n\n"))
  }

  /// A URL without secrets: made with the mask in their places, and if that is no URL, searched.
  func displayURL(_ block: ParsedBlock, _ url: String, _ secrets: Set<String>) -> String {
    guard !secrets.isEmpty else { return SecretMask(secrets: []).maskURL(url).text }
    let mask = SecretMask(secrets: knownSecrets + secrets)
    let evaluator = Evaluator(context: context, scope: scope(of: block), masksSecrets: true)
    let lowered = Lowering.lower(block, evaluator: evaluator, defaults: defaults)
    guard let masked = lowered.spec?.url else {
      return SecretText.masking(mask.maskURL(url).text, secrets)
    }
    let encoded = PercentEncoding.encodeComponent(SecretMask.text)
    let plain = masked.split(separator: encoded, omittingEmptySubsequences: false)
    return mask.maskURL(plain.joined(separator: SecretMask.text)).text
  }

  private static func text(_ method: MethodDescription) -> String {
    let nature =
      method.isSafe
      ? "Safe and idempotent."
      : method.isIdempotent ? "Idempotent." : "Neither safe nor idempotent."
    return "**\(method.name)**: \(method.summary) \(nature)\n\n\(method.source)"
  }
}
