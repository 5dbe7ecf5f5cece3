// The header fields of a request (PK-13, PK-14).

import PostKitHTTP
import PostKitJSON
import PostKitSyntax

extension BlockLowering {
  /// Adds the headers in order; `Cookie` lines are joined, `Content-Length` is dropped because it
  /// is always computed.
  mutating func addHeaders(_ request: RequestSyntax, to fields: inout HeaderFields) {
    let changed = changedHeaders(request)
    for (index, header) in request.headers.enumerated() where !changed.gone.contains(index) {
      let range = block.absolute(header.line)
      if header.isSpread {
        report(.unsupported("This version does not support header spreads (`...name`)."), range)
        continue
      }
      if header.value.isEmpty {
        wholeLine(header, at: range, to: &fields)
        continue
      }
      let name = evaluator.text(header.name, of: block, place: .header).shown
      guard var value = value(header, name: name, at: range) else { continue }
      if dialect.dropsTrailingComma, value.hasSuffix(",") { value.removeLast() }
      guard HeaderName.isToken(name) else {
        report(.malformedHeader, range)
        continue
      }
      if HeaderName.namesCertificate(name, value) {
        report(.unsupported("This version does not support certificates in `\(name)`."), range)
        continue
      }
      add(name, value, at: range, to: &fields)
    }
    let line = block.absolute(request.line)
    for field in changed.new {
      let name = expanded(field.name, at: line, .header)
      let value = expanded(field.value, at: line, .header)
      if !name.equalsIgnoringASCIICase("Authorization") {
        addLine(name, value, at: line, to: &fields)
      } else if let value = authorization(template: field.value, value, at: line) {
        add(name, value, at: line, to: &fields)
      }
    }
  }

  /// Adds the headers that scripts give to every request that doesn't write them.
  mutating func addScriptHeaders(_ fields: inout HeaderFields, at range: Range<Int>) {
    let headers = evaluator.scope.globals[Scope.globalHeaders]?.value
    guard case .object(let members)? = headers else { return }
    for member in members where !fields.contains(member.key) {
      addLine(member.key, member.value.substitutionText, at: range, to: &fields)
    }
  }

  /// Adds the headers that the environment gives to every request which doesn't write them, and of
  /// those that a collection gives which `takes` wants. Problems are reported at `range`.
  mutating func addEnvironmentHeaders(
    _ fields: inout HeaderFields, at range: Range<Int>,
    where takes: (VariableDefinition) -> Bool = { _ in true }
  ) {
    for header in evaluator.scope.environments.defaultHeaders
    where !fields.contains(header.name) && takes(header) {
      let isAuthorization = header.name.equalsIgnoringASCIICase("Authorization")
      if isAuthorization, settings.options.authentication != nil || signature != nil { continue }
      var value = evaluator.within(evaluator.path(of: header)) {
        $0.expand(
          text: header.value.substitutionText, reportedAt: range, place: .header,
          offset: range.lowerBound)
      }
      if header.isSecret { evaluator.note(secret: value) }
      if isAuthorization, header.origin.layer == .collection {
        hasDefaultCredentials = true
        let template = header.value.substitutionText
        guard let rewritten = authorization(template: template, value, at: range) else { continue }
        value = rewritten
      }
      add(header.name, value, at: range, to: &fields)
    }
  }

  /// The headers of shared blocks that send nothing themselves are added where the request has none
  /// of that name (PK-40).
  mutating func addSharedHeaders(to fields: inout HeaderFields) {
    let own = fields
    for shared in evaluator.scope.sharedBlocks(for: block) where shared.isPlaceholder {
      guard let request = shared.request else { continue }
      var lowering = BlockLowering(block: shared, in: self)
      var defaults = HeaderFields()
      if let (name, value) = shared.headerInsteadOfTarget {
        let text = lowering.evaluator.text(value, of: shared, place: .header)
        lowering.add(shared.text(name), text, at: shared.absolute(value), to: &defaults)
      }
      var headers = HeaderFields()
      lowering.addHeaders(request, to: &headers)
      defaults.fields += headers.fields
      evaluator = lowering.evaluator
      for field in defaults.fields where !own.contains(field.name) {
        fields.append(field.name, field.value)
      }
    }
  }

  /// A line that is one reference, whose value is a header or several (PK-45).
  private mutating func wholeLine(
    _ header: HeaderSyntax, at range: Range<Int>, to fields: inout HeaderFields
  ) {
    let problems = evaluator.problems.count
    let text = evaluator.text(header.name, of: block, place: .header)
    guard evaluator.problems.count == problems else { return }
    for line in text.split(whereSeparator: \.isNewline) where !String(line).trimmingBlanks.isEmpty {
      let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2 else { return report(.malformedHeader, range) }
      addLine(
        String(halves[0]).trimmingBlanks, String(halves[1]).trimmingBlanks, at: range, to: &fields)
    }
  }

  /// Adds a header that came as a whole line out of a value.
  mutating func addLine(
    _ name: String, _ value: String, at range: Range<Int>, to fields: inout HeaderFields
  ) {
    guard HeaderName.isToken(name) else { return report(.malformedHeader, range) }
    // The secret is the whole line, but its value alone must be masked as well.
    if evaluator.secrets.contains(where: { $0.contains(value) }) { evaluator.note(secret: value) }
    if !name.equalsIgnoringASCIICase("Authorization") {
      add(name, value, at: range, to: &fields)
    } else if let value = authorization(template: value, value, at: range) {
      add(name, value, at: range, to: &fields)
    }
  }

  /// Adds a field as it goes over the wire: its value in one line, cookies in one field, no length.
  mutating func add(
    _ name: String, _ value: String, at range: Range<Int>, to fields: inout HeaderFields
  ) {
    if value.breaksLine { return report(.headerInjection(name: name), range) }
    if name.equalsIgnoringASCIICase("Content-Length") { return }
    if name.equalsIgnoringASCIICase("Cookie"),
      let index = fields.fields.firstIndex(where: { $0.name.equalsIgnoringASCIICase("Cookie") })
    {
      fields.fields[index].value += "; " + value
      return
    }
    fields.append(name, value)
  }

  private mutating func value(
    _ header: HeaderSyntax, name: String, at range: Range<Int>
  ) -> String? {
    let value = header.value.joined { evaluator.text($0, of: block, place: .header) }
      .trimmingASCIIBlanks()
    guard name.equalsIgnoringASCIICase("Authorization") else { return value }
    let template = header.value.joined { block.keptText($0) }
    return authorization(template: template, value, at: range)
  }

  /// The value to send; `nil` where libcurl makes the header.
  private mutating func authorization(
    template: String, _ value: String, at range: Range<Int>
  ) -> String? {
    // Hardly any header needs one.
    var scratch: Evaluator?
    let outcome = Credentials.rewrite(template: template, value: value) { half in
      var expanding = scratch ?? evaluator
      defer { scratch = expanding }
      return expanding.expand(
        text: half, reportedAt: range, place: .header, offset: range.lowerBound)
    }
    switch outcome {
    case .verbatim: return value
    case .rewritten(let text): return text
    case .authentication(let authentication):
      settings.options.authentication = authentication
      switch authentication {
      case .digest(_, let password), .ntlm(_, let password), .negotiate(_, let password):
        evaluator.note(secret: password)
      case .signature: break
      }
      return nil
    case .signature(let request):
      evaluator.note(secret: request.secret)
      evaluator.note(secret: request.token ?? "")
      signature = (request, range)
      return nil
    case .token(let header): return authorization(header, at: range)
    case .passwordMissing(let scheme):
      report(.credentialShape(scheme: scheme), range)
      return value
    case .unsupported(let what):
      report(.unsupported(what), range)
      return value
    }
  }

  /// Bytes of method, URL and headers together; libcurl builds heads of up to 1 MiB.
  private static let longestHead = 1_000_000

  /// Refuses a head that libcurl can't build.
  mutating func checkHead(_ start: String, _ headers: HeaderFields, at range: Range<Int>) {
    var bytes = headers.fields.reduce(start.utf8.count) {
      $0 + $1.name.utf8.count + $1.value.utf8.count + 4
    }
    guard bytes > BlockLowering.longestHead else { return }
    // What is no UTF-8 was counted several times.
    bytes -= headers.fields.reduce(0) { $0 + $1.value.utf8.count - $1.value.keptBytes.count }
    if bytes > BlockLowering.longestHead {
      report(
        .syntax(
          "The URL and the headers have \(bytes) bytes, more than any server accepts. Move the "
            + "long value into the body."), range)
    }
  }

  /// Settles what a signature is made with, once the target is known (PK-80).
  mutating func sign(_ headers: inout HeaderFields, url: String) {
    guard let (request, range) = signature else { return }
    guard let material = request.signature(host: URLParts(url)?.host ?? "") else {
      return report(.signatureService, range)
    }
    settings.options.authentication = .signature(material)
    if let token = request.token, !headers.contains("X-Amz-Security-Token") {
      headers.append("X-Amz-Security-Token", token)
    }
  }
}

extension RangeList {
  /// The texts of the pieces with blanks between.
  fileprivate func joined(_ text: (Range<Int>) -> String) -> String {
    // One by far the most often.
    count == 1 ? text(self[0]) : map(text).joined(separator: " ")
  }
}

/// What a header may be called.
package enum HeaderName {
  /// Whether a field is httpYac's way of naming a certificate: it holds a passphrase and is never
  /// sent.
  static func namesCertificate(_ name: String, _ value: String) -> Bool {
    (name.equalsIgnoringASCIICase("ClientCert") || name.equalsIgnoringASCIICase("X-ClientCert"))
      && ["cert:", "key:", "pfx:"].contains { value.hasPrefix($0) }
  }

  /// Whether a name is a token (RFC 9110, section 5.6.2).
  package static func isToken(_ name: String) -> Bool {
    !name.isEmpty && name.withBytes { $0.allSatisfy(tokenLetters.contains) }
  }

  private static let tokenLetters = ASCIISet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~")
}
