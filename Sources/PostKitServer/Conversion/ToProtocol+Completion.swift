// Completion items as the protocol has them: exact edits, order, and what it takes to resolve them.

import LanguageServerProtocol
import PostKitJSON
import PostKitLanguage
import PostKitSession
import PostKitText

/// The document that items were made for.
struct CompletionOrigin: Sendable {
  let uri: String
  let document: OpenDocument

  /// How much of a long line is looked at.
  private static let tracedBytes = 256

  /// Whether something that was offered for a place is about the same place of a document, whose
  /// user may have typed on, chosen it, or changed something below.
  static func isSame(_ document: OpenDocument, at place: Int, trace: Int?) -> Bool {
    let bytes = document.text.bytes
    return 0 <= place && place <= bytes.count && self.trace(bytes, to: place) == trace
  }

  /// What tells the line up to a place from another one.
  func trace(to place: Int) -> Int { CompletionOrigin.trace(document.text.bytes, to: place) }

  private static func trace(_ bytes: [UInt8], to place: Int) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in bytes[..<place].suffix(tracedBytes).reversed() {
      if byte == 10 || byte == 13 { break }
      hash = (hash ^ UInt32(byte)) &* 16_777_619
    }
    return Int(hash & 0xFF_FFFF)
  }
}

extension ToProtocol {
  /// The list; where all items replace the same range, that is said once.
  static func completionList(
    _ answer: CompletionAnswer, _ converter: PositionConverter, _ profile: ClientProfile,
    isIncomplete: Bool, from origin: CompletionOrigin
  ) -> LSP.CompletionList {
    let chosen = profile.choosesInsertedRange ? answer.items : answer.items.map(\.keepingQuote)
    let common = chosen.first?.replaced
    let shares = profile.takesDefaultEditRange && chosen.allSatisfy { $0.replaced == common }
    var ranges: [Range<Int>: EditRanges] = [:]
    let items = chosen.enumerated().map { place, item in
      let range = ranges[item.replaced] ?? EditRanges(item, converter, profile)
      ranges[item.replaced] = range
      return completionItem(
        item, place, shares ? nil : range, profile, data: data(of: item, profile, origin))
    }
    let defaults = shares ? chosen.first.map { EditRanges($0, converter, profile) } : nil
    return LSP.CompletionList(
      isIncomplete: isIncomplete || answer.isIncomplete,
      itemDefaults: defaults.map { LSP.CompletionItemDefaults(editRange: $0.shared) }, items: items)
  }

  /// What an item replaces, and what it replaces where the rest of the word is to stay.
  private struct EditRanges {
    let replaced: LSP.Range
    var inserted: LSP.Range?

    init(_ item: CompletionItem, _ converter: PositionConverter, _ profile: ClientProfile) {
      replaced = converter.lsp(item.replaced)
      if profile.choosesInsertedRange, let end = item.insertedEnd {
        inserted = converter.lsp(item.replaced.lowerBound..<end)
      }
    }

    /// The ranges as the whole list has them.
    var shared: LSP.RangeOrEditRangeWithInsertReplace {
      guard let inserted else { return .range(replaced) }
      return .editRangeWithInsertReplace(
        LSP.EditRangeWithInsertReplace(insert: inserted, replace: replaced))
    }

    /// The edit that puts a text in.
    func edit(_ text: String) -> LSP.TextEditOrInsertReplaceEdit {
      guard let inserted else { return .textEdit(LSP.TextEdit(range: replaced, newText: text)) }
      return .insertReplaceEdit(
        LSP.InsertReplaceEdit(newText: text, insert: inserted, replace: replaced))
    }
  }

  /// An item at a place of the list; without a range that of the list holds.
  private static func completionItem(
    _ item: CompletionItem, _ place: Int, _ range: EditRanges?, _ profile: ClientProfile,
    data: JSONValue?
  ) -> LSP.CompletionItem {
    let digits = String(place)
    let snippet = profile.takesSnippets ? item.snippetText : nil
    let text = snippet ?? item.text
    var result = LSP.CompletionItem(
      label: item.label, kind: kind(item.kind), detail: item.detail,
      sortText: String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
    if let range {
      result.textEdit = range.edit(text)
    } else if text != item.label {
      result.textEditText = text
    }
    if snippet != nil { result.insertTextFormat = .snippet }
    if item.isDeprecated, profile.marksDeprecated { result.tags = [.deprecated] }
    if item.filterText != item.label { result.filterText = item.filterText }
    if profile.takesLabelDetails, let origin = item.origin {
      result.labelDetails = LSP.CompletionItemLabelDetails(description: origin)
    }
    result.data = data
    if item.continues, profile.asksForMore {
      result.command = LSP.Command(title: "Suggest", command: ClientProfile.askForMore)
    }
    if data == nil, let documentation = item.documentation {
      result.documentation = self.documentation(documentation, profile)
    }
    return result
  }

  /// What resolving needs: the kind and the name, and for a variable the document it was seen in.
  private static func data(
    of item: CompletionItem, _ profile: ClientProfile, _ origin: CompletionOrigin
  ) -> JSONValue? {
    guard profile.resolvesDocumentation else { return nil }
    let kind: JSONValue = .string("\(item.kind)")
    switch item.kind {
    case .variable:
      guard let version = origin.document.text.version, !item.label.hasPrefix("@") else {
        return nil
      }
      let name = item.label.filter { !"{}".contains($0) }
      return [
        "k": kind, "id": .string(name), "uri": .string(origin.uri), "rev": .int(version),
        "at": .int(item.replaced.lowerBound),
        "line": .int(origin.trace(to: item.replaced.lowerBound)),
      ]
    case .method, .header, .metadata, .dynamicVariable:
      return item.documentation == nil ? nil : ["k": kind, "id": .string(item.label)]
    case .function, .object, .member:
      return item.apiPath.map { ["k": "script", "id": .string($0)] }
    default: return nil
    }
  }

  private static func kind(_ kind: CompletionKind) -> LSP.CompletionItemKind {
    switch kind {
    case .method: .method
    case .header, .member: .property
    case .value: .value
    case .variable: .variable
    case .dynamicVariable: .function
    case .request: .reference
    case .metadata: .keyword
    case .snippet: .snippet
    case .file: .file
    case .folder: .folder
    case .function: .function
    case .object: .module
    case .keyword: .keyword
    }
  }
}
