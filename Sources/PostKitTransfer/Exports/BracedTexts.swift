// Texts for tools whose variables stand in double braces, as in Postman and Bruno.

import PostKitHTTP

/// Writes texts of one export for such a tool.
struct BracedTexts {
  /// The tool, as people call it.
  let program: String
  let collection: ExportedCollection
  let notes: ExportNotes
  let captures: CapturePlan
  /// What becomes of a value that is to be percent-encoded, as a sentence.
  let encoding: String
  /// What stands before the name of a variable of the process.
  let processPrefix: String
  /// The line of a script that sets a variable to the value of an expression.
  let setting: (_ name: String, _ expression: String) -> String

  /// A text of no request, such as the value of a variable.
  func text(_ text: ExportedText) -> String {
    var made: [String] = []
    return self.text(text, of: nil, &made)
  }

  /// A text of a request. Values that the tool has no word for are made by lines of a script that
  /// runs before.
  func text(
    _ text: ExportedText, of request: ExportedRequest?, _ made: inout [String]
  ) -> String {
    var result = ""
    for piece in text.pieces {
      switch piece {
      case .literal(let literal):
        if literal.contains("{{") {
          notes.tell(
            .templateUnsupported, "\(program) takes `{{` in a text for a variable.", of: request)
        }
        result += literal.shown
      case .reference(let reference, let isEncoded):
        if isEncoded { notes.tell(.encodingDiffers, encoding, of: request) }
        result += written(reference, of: request, &made)
      }
    }
    return result
  }

  private func written(
    _ reference: ExportedReference, of request: ExportedRequest?, _ made: inout [String]
  ) -> String {
    switch reference {
    case .variable(let name): return "{{\(name)}}"
    case .process(let name): return "{{\(processPrefix)\(name)}}"
    case .response(let index, let part):
      if let name = captures.name(index, part) { return "{{\(name)}}" }
      let written = "{{\(collection.requests[index].title).response…}}"
      notes.tellTemplate(written, of: request)
      return written
    case .unknown(let written):
      notes.tellTemplate(written, of: request)
      return written
    case .dynamic(let name, let arguments):
      let dynamic = ExportedDynamic(name: name, arguments: arguments)
      switch dynamic {
      case .uuid: return "{{$guid}}"
      case .seconds(shift: 0): return "{{$timestamp}}"
      case .iso8601: return "{{$isoTimestamp}}"
      case .email: return "{{$randomEmail}}"
      default: break
      }
      guard request != nil, let code = dynamic.javaScript else {
        let written = "{{$\(name)\(arguments.isEmpty ? "" : " " + arguments)}}"
        notes.tellTemplate(written, of: request)
        return written
      }
      let variable = "made_\(made.count + 1)"
      made.append(setting(variable, code))
      return "{{\(variable)}}"
    }
  }
}
