// What is to be put in where somebody writes arguments: of dynamic variables and metadata tags.

import PostKitEvaluate
package import PostKitSyntax

/// The forms of what is being written, and where in them the caret is.
package struct SignatureHelp: Sendable, Hashable {
  /// One form.
  package struct Signature: Sendable, Hashable {
    package var label: String
    package var documentation: String
    /// Parts of the label.
    package var parameters: [String]
  }
  package var signatures: [Signature]
  /// The form that fits what is written so far.
  package var activeSignature: Int
  /// The parameter that the caret is in.
  package var activeParameter: Int

  /// Makes help from signatures.
  init(signatures: [Signature], activeSignature: Int, activeParameter: Int) {
    self.signatures = signatures
    self.activeSignature = activeSignature
    self.activeParameter = activeParameter
  }
}

extension Analysis {
  /// The characters after which an editor should ask by itself.
  package static let signatureTriggers = [" ", "("]
  /// The same while a signature is shown.
  package static let signatureRetriggers = [","]
}

extension SignatureHelp {
  /// The signature at an offset; `nil` where no arguments are written.
  package init?(_ document: ParsedDocument, at offset: Int) {
    if let help = SignatureHelp.script(document, at: offset) {
      self = help
      return
    }
    let context = CursorContext(document, at: offset)
    if case .reference(let prefix, _, _) = context {
      guard let help = SignatureHelp.dynamic(prefix) else { return nil }
      self = help
      return
    }
    guard case .metadataValue(let known, let words, let replaced) = context,
      let tag = known?.entry, tag.status == .works, tag.form != .none, !tag.isOpen
    else { return nil }
    let caret = CaretLine(document, at: offset).caret
    let forms = SignatureForm.forms(of: tag)
    // The last parameter of a tag is a text that goes on.
    let place = words.filter { !$0.isEmpty }.count
    let active = forms.firstIndex { place < $0.parameters.count } ?? forms.count - 1
    guard caret >= replaced.lowerBound, let form = forms.dropFirst(active).first else { return nil }
    self.init(forms, tag.summary, active, min(place, max(0, form.parameters.count - 1)))
  }

  private static func dynamic(_ prefix: String) -> SignatureHelp? {
    guard prefix.hasPrefix("$"),
      let end = prefix.firstIndex(where: { $0 == " " || $0 == "(" || $0 == "\t" })
    else { return nil }
    let name = prefix[..<end].dropFirst()
    let base = name.split(separator: ":").first.map(String.init) ?? ""
    guard let variable = DynamicVariables.named(base) else { return nil }
    let form = SignatureForm(variable)
    let arguments = prefix[prefix.index(after: end)...]
    if arguments.contains(")") { return nil }
    let place = argumentPlace(arguments)
    guard place < form.parameters.count else { return nil }
    return SignatureHelp([form], variable.summary, 0, place)
  }

  /// How many arguments end before the end of a text; blanks and commas inside of quotes end none.
  private static func argumentPlace(_ text: Substring) -> Int {
    var count = 0
    var isInside = false
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == " " || character == "," || character == "\t" {
        if isInside { count += 1 }
        isInside = false
      } else {
        if character == "\"" || character == "'" { quote = character }
        isInside = true
      }
    }
    return count
  }

  private init(_ forms: [SignatureForm], _ summary: String, _ signature: Int, _ parameter: Int) {
    signatures = forms.map { form in
      Signature(label: form.label, documentation: summary, parameters: form.parameters.map(\.text))
    }
    activeSignature = signature
    activeParameter = parameter
  }
}
