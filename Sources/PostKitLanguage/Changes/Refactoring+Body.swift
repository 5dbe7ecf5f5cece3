// Headers that a body needs or doesn't, and other forms of it.

import PostKitHTTP
import PostKitJSON
import PostKitSyntax
import PostKitText

extension Refactoring {
  // MARK: - Headers

  /// `Content-Type` for a body that has none, as far as its text tells.
  var contentType: CodeChange? {
    guard header("content-type") == nil, let body = request.body, let text = bodyText,
      let type = Refactoring.type(of: text),
      isInTarget || touches(body.range) || request.headers.contains(where: { touches($0.line) })
    else { return nil }
    let end = endOfHead
    return CodeChange(
      .rewrite, "Add `Content-Type: \(type)`",
      [TextEdit(end..<end, "\(lineEnd)Content-Type: \(type)")])
  }

  private static func type(of body: String) -> String? {
    let text = body.trimmingASCIIBlanks()
    if text.hasPrefix("<?xml") { return "application/xml" }
    if text.hasPrefix("{{") { return nil }
    if text.hasPrefix("{") || text.hasPrefix("[") { return "application/json" }
    let isForm = text.split(separator: "&").allSatisfy { pair in
      let name = pair.prefix { $0 != "=" }
      return name.count < pair.count && !name.isEmpty && !name.contains { " <>\"".contains($0) }
    }
    return isForm && !text.isEmpty ? "application/x-www-form-urlencoded" : nil
  }

  // MARK: - JSON and forms

  /// A JSON body as a form, or a form as JSON.
  var otherForm: CodeChange? {
    guard let body = request.body, let header = header("content-type"),
      touches(body.range) || touches(header.line), let value = header.value.first,
      let type = mediaType, let text = bodyText
    else { return nil }
    let isForm = type.isForm
    guard isForm || type.isJSON else { return nil }
    let title = isForm ? "Convert the form to JSON" : "Convert the JSON to a form"
    let converted = isForm ? Refactoring.json(ofForm: text) : Refactoring.form(ofJSON: text)
    switch converted {
    case .failure(let reason): return CodeChange(.rewrite, title, disabled: reason.text)
    case .success(let new):
      let lines = new.split(separator: "\n").joined(separator: lineEnd)
      return CodeChange(
        .rewrite, title,
        [
          TextEdit(
            block.absolute(value),
            isForm ? "application/json" : "application/x-www-form-urlencoded"),
          TextEdit(block.absolute(body.range), lines),
        ])
    }
  }

  /// Why a body has no other form.
  private struct Reason: Error { let text: String }

  /// References stay as they are: what stands for a name or value is itself one.
  private static func json(ofForm text: String) -> Result<String, Reason> {
    let written = text.split(whereSeparator: \.isNewline)
    let joined = written.map { String($0).trimmingASCIIBlanks() }.joined()
    var members: [JSONMember] = []
    for pair in joined.split(separator: "&") {
      let name = plain(String(pair.prefix { $0 != "=" }))
      guard !members.contains(where: { $0.key == name }) else {
        return .failure(Reason(text: "`\(name)` occurs twice, which a JSON object can't express."))
      }
      let value = pair.drop { $0 != "=" }.dropFirst()
      members.append(JSONMember(name, .string(plain(String(value)))))
    }
    guard !members.isEmpty else { return .failure(Reason(text: "The form has no fields.")) }
    let lines = members.map { "  \(JSONValue.string($0.key).text): \($0.value.text)" }
    return .success("{\n\(lines.joined(separator: ",\n"))\n}")
  }

  private static func form(ofJSON text: String) -> Result<String, Reason> {
    let reason = Reason(text: "A form needs an object of strings, numbers and booleans.")
    guard let tree = try? JSONTree(parsing: Array(text.utf8)),  // a diagnostic says what is wrong
      case .object(let members) = tree.root.value, !members.isEmpty
    else { return .failure(reason) }
    var pairs: [String] = []
    for member in members {
      let value: String
      switch member.value {
      case .string(let text): value = text
      case .number, .bool: value = member.value.text
      case .null, .array, .object: return .failure(reason)
      }
      pairs.append("\(encoded(member.key))=\(encoded(value))")
    }
    return .success(pairs.joined(separator: "&\n"))
  }

  /// A name or a value of a form without its escapes, and its references as they are.
  private static func plain(_ text: String) -> String {
    pieces(text) { literal in
      // Escapes of the author's own (PK-20).
      PercentEncoding.decodeForm(literal)
    }
  }

  /// A name or a value as a form has it, with its references as they are.
  private static func encoded(_ text: String) -> String {
    pieces(text) { PercentEncoding.encode($0, allowing: .form) }
  }

  private static func pieces(_ text: String, _ change: (String) -> String) -> String {
    let bytes = Array(text.utf8)
    return TemplateParser.pieces(bytes, in: 0..<bytes.count).map { piece in
      switch piece {
      case .literal(let range): change(String(decoding: bytes[range], as: UTF8.self))
      case .reference(let reference): String(decoding: bytes[reference.range], as: UTF8.self)
      case .escapedReference(let range):
        "\\{\\{" + String(decoding: bytes[range], as: UTF8.self) + "\\}\\}"
      }
    }.joined()
  }
}
