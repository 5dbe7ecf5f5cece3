// Edits of several documents in the one form that a client takes (PROMISES.md D12).

import JSONRPC
import LanguageServerProtocol
import PostKitLanguage
import PostKitSession
import PostKitSupport
import PostKitText

/// Collects the edits of documents and makes a `WorkspaceEdit` of them: in the order of the text,
/// without overlaps, with versions, annotations and new files where the client takes those.
struct WorkspaceEditBuilder {
  /// What is said to the user about a group of edits before they are made.
  struct Annotation: Sendable, Hashable {
    var label: String
    /// Whether the user is to agree to each of the edits.
    var needsConfirmation = false
    var description: String?
  }

  private struct Change {
    var edit: TextEdit
    var annotation: String?
  }

  /// Where the offsets of a document are.
  private enum Places {
    case text(PositionConverter)
    /// In a file of the index, whose text need not be at hand.
    case names(NamePlaces)

    mutating func lsp(_ range: Range<Int>) -> LSP.Range {
      switch self {
      case .text(let converter): return converter.lsp(range)
      case .names(var places):
        defer { self = .names(places) }
        return places.range(range)
      }
    }
  }

  /// The edits of one document.
  private struct Group {
    /// As the client spells it.
    let uri: DocumentURI
    /// The version that the edits mean; `nil` for a document that isn't open.
    let version: Int?
    let places: Places
    /// Whether the file is made first.
    let isNew: Bool
    var changes: [Change] = []
  }

  private let profile: ClientProfile
  private var groups: [Group] = []
  private var annotations: [String: LSP.ChangeAnnotation] = [:]
  private var isOverlapping = false

  /// Begins with nothing, for a client with these abilities.
  init(_ profile: ClientProfile) { self.profile = profile }

  /// Whether nothing would be changed.
  var isEmpty: Bool { groups.allSatisfy { $0.changes.isEmpty && !$0.isNew } }

  /// Adds edits of an open document, whose ranges all mean its text as it is.
  mutating func add(
    _ edits: [TextEdit], to document: OpenDocument, annotation: Annotation? = nil
  ) {
    add(edits, to: document.uri, text: document.text, annotation: annotation)
  }

  /// Adds edits of a document with this text; edits of the same document join those before.
  mutating func add(
    _ edits: [TextEdit], to uri: DocumentURI, text: TextSnapshot, annotation: Annotation? = nil
  ) {
    let places = Places.text(text.converter(profile.encoding))
    add(edits, Group(uri: uri, version: text.version, places: places, isNew: false), annotation)
  }

  /// Adds edits of a file of the index; one that a person should look at first is annotated.
  mutating func add(_ file: RenamedFile, in snapshot: Snapshot, annotation: Annotation?) {
    let places = NamePlaces(file.file, snapshot)
    let uri = DocumentURI(places.uri)
    let group = Group(
      uri: uri, version: snapshot.documents[uri]?.text.version, places: .names(places),
      isNew: false)
    add(file.edits, group, file.needsConfirmation ? annotation : nil)
  }

  private mutating func add(_ edits: [TextEdit], _ group: Group, _ annotation: Annotation?) {
    let name = annotation.map { note($0) } ?? nil
    let uri = group.uri
    if !groups.contains(where: { $0.uri == uri }) { groups.append(group) }
    let changes = edits.map { Change(edit: $0, annotation: name) }
    for index in groups.indices where groups[index].uri == uri {
      groups[index].changes += changes
      if groups[index].isNew || TextEdit.sorted(groups[index].changes.map(\.edit)) == nil {
        isOverlapping = true
      }
    }
  }

  /// Adds a file that is not there yet; `false` where the client can't make one, and then nothing
  /// is added.
  mutating func create(_ uri: DocumentURI, text: String, annotation: Annotation? = nil) -> Bool {
    guard profile.createsFiles, !groups.contains(where: { $0.uri == uri }) else { return false }
    let name = annotation.map { note($0) } ?? nil
    let empty = TextSnapshot(uri: uri.spelling, version: nil, text: "")
    let insertion = Change(edit: TextEdit(0..<0, text), annotation: name)
    groups.append(
      Group(
        uri: uri, version: nil, places: .text(empty.converter(profile.encoding)), isNew: true,
        changes: text.isEmpty ? [] : [insertion]))
    return true
  }

  /// The edit; fails where edits of one document overlap, which would be a mistake of ours.
  func build() throws(RPCError) -> LSP.WorkspaceEdit {
    guard !isOverlapping else {
      bug("edits of one document overlap")
      throw RPCError(
        .internalError, "The edits of a document overlap, so nothing was changed.")
    }
    guard profile.takesDocumentChanges else {
      var changes: [String: [LSP.TextEdit]] = [:]
      for group in groups where !group.changes.isEmpty {
        var places = group.places
        changes[group.uri.spelling] = WorkspaceEditBuilder.sorted(group).map {
          LSP.TextEdit(range: places.lsp($0.edit.range), newText: $0.edit.replacement)
        }
      }
      return LSP.WorkspaceEdit(changes: changes)
    }
    return LSP.WorkspaceEdit(
      documentChanges: groups.flatMap(documentChanges),
      changeAnnotations: annotations.isEmpty ? nil : annotations)
  }

  private func documentChanges(_ group: Group) -> [LSP.TextDocumentEditOrCreateFile] {
    var result: [LSP.TextDocumentEditOrCreateFile] = []
    if group.isNew {
      result.append(
        .createFile(
          LSP.CreateFile(
            kind: "create", uri: group.uri.spelling,
            // Whatever has come into being meanwhile is not overwritten; the edit is refused.
            options: LSP.CreateFileOptions(overwrite: false, ignoreIfExists: false))))
    }
    guard !group.changes.isEmpty else { return result }
    var places = group.places
    let edits = WorkspaceEditBuilder.sorted(group).map { change in
      let range = places.lsp(change.edit.range)
      let text = change.edit.replacement
      return change.annotation.map {
        .annotatedTextEdit(LSP.AnnotatedTextEdit(range: range, newText: text, annotationId: $0))
      } ?? LSP.TextEditOrAnnotatedTextEdit.textEdit(LSP.TextEdit(range: range, newText: text))
    }
    result.append(
      .textDocumentEdit(
        LSP.TextDocumentEdit(
          textDocument: LSP.OptionalVersionedTextDocumentIdentifier(
            uri: group.uri.spelling, version: group.version),
          edits: edits)))
    return result
  }

  /// In the order of the text, those at one place in the order given, an insertion before a
  /// replacement: the order of `TextEdit.sorted`, with the annotations.
  private static func sorted(_ group: Group) -> [Change] {
    group.changes.enumerated().sorted { left, right in
      let (a, b) = (left.element.edit.range, right.element.edit.range)
      return (a.lowerBound, a.isEmpty ? 0 : 1, left.offset)
        < (b.lowerBound, b.isEmpty ? 0 : 1, right.offset)
    }.map(\.element)
  }

  /// The id of an annotation; `nil` where the client shows none.
  private mutating func note(_ annotation: Annotation) -> String? {
    guard profile.showsChangeAnnotations, profile.takesDocumentChanges else { return nil }
    annotations[annotation.label] = LSP.ChangeAnnotation(
      label: annotation.label, needsConfirmation: annotation.needsConfirmation,
      description: annotation.description)
    return annotation.label
  }
}
