// A request file of a collection of another tool: written, read back, and written with more care.

import PostKitSyntax

/// Writes one request file and reads it back.
struct PlannedFileWriter {
  private let planned: PlannedFile
  private let context: WritingContext
  private let plan: DefinitionPlan
  private let imports: [String]

  /// A file with what belongs to it.
  struct Written {
    var file: WrittenFile
    /// What lies beside it.
    var attachments: [TransferFile]
    /// Whether it names files of the source.
    var namesSource: Bool
    var partial: PartialOrigin
  }

  /// Plans the definitions of a file.
  init(_ planned: PlannedFile, _ files: ReferencedFiles, _ context: WritingContext) {
    self.planned = planned
    self.context = context
    plan = DefinitionPlan(planned.requests, context.variables)
    let needed = files.imports(of: planned)
    imports = context.options.standsAlone ? [] : needed
    guard context.options.standsAlone, !needed.isEmpty else { return }
    for request in planned.requests {
      context.notes.tell(
        .settingUnsupported,
        "It needs the answer of another request, which a collection does not send first. "
          + "`--to FOLDER` keeps that.", at: request.request.place,
        origin: request.frame.origin(of: request.request))
    }
  }

  /// The file, and what lies beside it.
  func write() -> Written {
    let writers = zip(planned.requests, plan.names).map { request, names in
      RequestBlockWriter(request, names, directory: planned.directory, context)
    }
    var drafts = writers.map { $0.draft(.plain) }
    var file = WrittenFile(path: planned.path)
    file.head = head(planned.comments)
    if !isHeadRead(file.head) { file.head = head([]) }
    file.blocks = drafts.map(\.block)
    if !isRead(&file, drafts) {
      for index in drafts.indices {
        for care in WritingCare.allCases where care != .trimmed || context.options.standsAlone {
          if care > .plain { drafts[index] = writers[index].draft(care) }
          if care == .comment || Self.isRead(drafts[index]) { break }
        }
      }
      file.blocks = drafts.map(\.block)
    }
    tell(drafts, writers, file)
    return Written(
      file: file, attachments: drafts.flatMap(\.attachments),
      namesSource: drafts.contains(where: \.namesSource),
      partial: partial(drafts))
  }

  /// The requests of which something could not be had, with their files.
  private func partial(_ drafts: [RequestDraft]) -> PartialOrigin {
    var partial = PartialOrigin()
    for (request, draft) in zip(planned.requests, drafts) where request.request.isPartial {
      partial.requests.insert(request.request.id)
      partial.files.formUnion([planned.path] + draft.attachments.map(\.path))
    }
    return partial
  }

  private func head(_ comments: [String]) -> String {
    let imports = imports.map { "# @import \($0)" }
    return (comments + imports + plan.head).joined(separator: "\n")
  }

  // MARK: - Reading back

  /// Whether the whole file is read as it is meant: one parse for nearly all files. It says of the
  /// file whether it has its parts as they are written, so that nobody has to parse it again.
  private func isRead(_ file: inout WrittenFile, _ drafts: [RequestDraft]) -> Bool {
    let document = ParsedDocument(bytes: file.utf8)
    let first = file.head.isEmpty ? 0 : 1
    guard document.blocks.count == drafts.count + first,
      drafts.indices.allSatisfy({ drafts[$0].isRead(as: document.blocks[$0 + first]) })
    else { return false }
    file.isRead = context.haveParts(document, file)
    return true
  }

  private static func isRead(_ draft: RequestDraft) -> Bool {
    let document = ParsedDocument(bytes: Array(draft.block.text.utf8))
    return document.blocks.count == 1 && draft.isRead(as: document.blocks[0])
  }

  private func isHeadRead(_ head: String) -> Bool {
    if head.isEmpty { return true }
    let document = ParsedDocument(bytes: Array((head + "\n").utf8))
    guard document.blocks.count == 1 else { return false }
    let block = document.blocks[0]
    return !block.isRunnable && block.metadata.count == imports.count
      && block.variables.count == plan.head.count
  }

  // MARK: - Notes

  private func tell(
    _ drafts: [RequestDraft], _ writers: [RequestBlockWriter], _ file: WrittenFile
  ) {
    guard drafts.contains(where: { !$0.notes.isEmpty }) else { return }
    for (line, (draft, writer)) in zip(file.blockLines, zip(drafts, writers)) {
      for note in draft.notes {
        context.notes.tell(
          ImportNote(
            code: note.code, isWarning: note.code.isWarning, place: note.place.description,
            origin: writer.origin, file: file.path, line: line, message: note.message))
      }
    }
  }
}
