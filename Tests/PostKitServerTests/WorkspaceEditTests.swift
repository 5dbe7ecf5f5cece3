// Edits of documents in the form that each client takes.

import LanguageServerProtocol
import PostKitSupport
import PostKitText
import Testing

@testable import PostKitServer
@testable import PostKitSession

@Suite struct WorkspaceEditTests {
  private let uri = DocumentURI("file:///w/a%20b.http")
  private let text = TextSnapshot(uri: "file:///w/a%20b.http", version: 7, text: "äb\ncd\n")

  private func profile(_ change: (inout ClientProfile) -> Void) -> ClientProfile {
    var profile = ClientProfile()
    change(&profile)
    return profile
  }

  @Test func `a client without document changes gets plain ones, in order`() throws {
    var builder = WorkspaceEditBuilder(ClientProfile())
    #expect(builder.isEmpty)
    builder.add([TextEdit(4..<5, "x")], to: uri, text: text)
    builder.add(
      [TextEdit(0..<0, "1"), TextEdit(0..<2, "2")], to: uri, text: text,
      annotation: .init(label: "not shown"))
    let edit = try builder.build()
    let edits = try #require(edit.changes?["file:///w/a%20b.http"])
    #expect(edits.map(\.newText) == ["1", "2", "x"])
    // Columns count UTF-16 units, as nothing else was agreed.
    #expect(edits.map(\.range.end.character) == [0, 1, 1])
    #expect(edit.documentChanges == nil && edit.changeAnnotations == nil)
    let made = builder.create(DocumentURI("file:///w/new"), text: "x")
    #expect(!made)
  }

  @Test func `a client with document changes gets versions, annotations and new files`() throws {
    var builder = WorkspaceEditBuilder(
      profile {
        $0.takesDocumentChanges = true
        $0.createsFiles = true
        $0.showsChangeAnnotations = true
      })
    builder.add([TextEdit(4..<5, "x")], to: uri, text: text)
    let note = WorkspaceEditBuilder.Annotation(label: "private", needsConfirmation: true)
    builder.add([TextEdit(0..<2, "y")], to: uri, text: text, annotation: note)
    let made = builder.create(DocumentURI("file:///w/new"), text: "{}\n", annotation: note)
    let again = builder.create(DocumentURI("file:///w/new"), text: "")
    #expect(made && !again)
    let edit = try builder.build()
    #expect(edit.changes == nil)
    #expect(edit.changeAnnotations?["private"]?.needsConfirmation == true)
    let changes = try #require(edit.documentChanges)
    #expect(changes.count == 3)
    guard case .textDocumentEdit(let first) = changes[0], case .createFile(let file) = changes[1],
      case .textDocumentEdit(let second) = changes[2]
    else {
      Issue.record("\(changes)")
      return
    }
    #expect(first.textDocument.version == 7 && second.textDocument.version == nil)
    #expect(file.uri == second.textDocument.uri && file.options?.overwrite == false)
    guard case .annotatedTextEdit(let annotated) = first.edits[0],
      case .textEdit(let plain) = first.edits[1]
    else {
      Issue.record("\(first.edits)")
      return
    }
    #expect(annotated.annotationId == "private" && annotated.newText == "y")
    #expect(plain.newText == "x")
  }

  @Test func `overlapping edits are never sent`() {
    var builder = WorkspaceEditBuilder(ClientProfile())
    builder.add([TextEdit(0..<3, "x")], to: uri, text: text)
    builder.add([TextEdit(2..<4, "y")], to: uri, text: text)
    let outcome = Bug.recorded { try? builder.build() }
    #expect(outcome.value == nil && outcome.reports.count == 1)
  }
}
