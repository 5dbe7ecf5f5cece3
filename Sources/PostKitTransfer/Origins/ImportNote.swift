// What an import tells of what it could not carry over as it was.

/// What a note is about: the closed list of contracts (IO, 2.1).
package enum ImportNoteCode: String, Sendable, Hashable, CaseIterable {
  case itemMalformed = "item-malformed"
  case formatOld = "format-old"
  case duplicateTitle = "duplicate-title"
  case descriptionCut = "description-cut"
  case disabledItem = "disabled-item"
  case urlDiffersFromRaw = "url-differs-from-raw"
  case encodingDiffers = "encoding-differs"
  case variableDuplicate = "variable-duplicate"
  case variableRenamed = "variable-renamed"
  case secretMoved = "secret-moved"
  case secretEmpty = "secret-empty"
  case authUnsupported = "auth-unsupported"
  case authPartial = "auth-partial"
  case templateUnsupported = "template-unsupported"
  case scriptTranslated = "script-translated"
  case scriptKept = "script-kept"
  case scriptUnknownAPI = "script-unknown-api"
  case testUnsupported = "test-unsupported"
  case settingUnsupported = "setting-unsupported"
  case protocolUnsupported = "protocol-unsupported"
  case cookieOmitted = "cookie-omitted"
  case headerOmitted = "header-omitted"
  case fileMissing = "file-missing"
  case fileOutside = "file-outside"
  case refRemote = "ref-remote"
  case refOutside = "ref-outside"
  case refMissing = "ref-missing"
  case schemaCycle = "schema-cycle"
  case schemaCut = "schema-cut"
  case styleUnsupported = "style-unsupported"
  case serverMissing = "server-missing"
  case memberUnknown = "member-unknown"
  case curlOption = "curl-option"
  case yamlValue = "yaml-value"
  case conflict
  case originGone = "origin-gone"
  case limit

  /// Whether such a note is about what changes what is sent; the rest is told for completeness.
  var isWarning: Bool {
    switch self {
    case .formatOld, .duplicateTitle, .descriptionCut, .disabledItem, .variableDuplicate,
      .variableRenamed, .secretMoved, .scriptTranslated, .scriptKept, .headerOmitted,
      .cookieOmitted, .schemaCycle, .schemaCut, .memberUnknown, .originGone, .yamlValue,
      .urlDiffersFromRaw:
      false
    default: true
    }
  }
}

/// Something that an import tells.
package struct ImportNote: Sendable, Hashable {
  package var code: ImportNoteCode
  /// Whether what is sent differs from the origin's; else the note is for completeness.
  package var isWarning: Bool
  /// Where in the source: a JSON Pointer, `FILE#/pointer` or `FILE:LINE`.
  package var place: String
  /// The names of folders and request, such as `Users / Get user`.
  package var origin: String?
  /// The written file, below the target.
  package var file: String?
  /// The line of it, counted from 1.
  package var line: Int?
  /// What happened and what to do, as a sentence, without any secret's value.
  package var message: String
}

/// Collects the notes of one import. It belongs to the one who imports; nothing of it is shared.
final class ImportNotes {
  /// Notes that are kept; more are counted (IO-5).
  static let limit = 10_000

  private(set) var notes: [ImportNote] = []
  /// How many came beyond the limit.
  private(set) var uncounted = 0
  /// Whether members that stand twice are yet to be told; who reads YAML has told them.
  var tellsDuplicates = true

  /// Tells one thing. The severity is the code's own unless it is given.
  func tell(
    _ code: ImportNoteCode, _ message: String, at place: OriginPlace, origin: String? = nil,
    isWarning: Bool? = nil
  ) {
    guard notes.count < Self.limit else {
      uncounted += 1
      return
    }
    notes.append(
      ImportNote(
        code: code, isWarning: isWarning ?? code.isWarning, place: place.description,
        origin: origin, message: message))
  }

  /// Says of each note that knows no file where it belongs, as far as that is known by its place.
  func locate(_ find: (String) -> (file: String, line: Int)?) {
    for index in notes.indices where notes[index].file == nil {
      guard let found = find(notes[index].place) else { continue }
      notes[index].file = found.file
      notes[index].line = found.line
    }
  }

  /// Takes a note that was made elsewhere.
  func tell(_ note: ImportNote) {
    guard notes.count < Self.limit else {
      uncounted += 1
      return
    }
    notes.append(note)
  }
}
