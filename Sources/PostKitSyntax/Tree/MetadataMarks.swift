// What the parser notes of a tag, once for all lines that have it.

/// What the parser asks of a tag.
struct MetadataMarks: Sendable {
  let traits: BlockTraits
  let definedForm: VariableSyntax.Form?
  let isUnmistakable: Bool

  private static let byTag = MetadataTag.allCases.map { tag in
    let (traits, form): (BlockTraits, VariableSyntax.Form?) =
      switch tag.entry.form {
      case .requestFile: (.namesFiles, nil)
      case .requestName: (.namesRequests, nil)
      case .loop: (.repeats, nil)
      case .statusCodes: (.checks, nil)
      case .member: ([], .member)
      case .header: ([], .header)
      case .fileContent: ([], .file)
      case .none, .text, .newName, .labels, .condition, .preset, .duration, .pause, .prompt,
        .labelledPrompt:
        ([], nil)
      }
    return MetadataMarks(
      traits: traits, definedForm: form, isUnmistakable: tag.entry.isUnmistakable)
  }

  /// The marks of a tag.
  static func of(_ tag: MetadataTag) -> MetadataMarks { byTag[Int(tag.rawValue)] }
}

extension MetadataTag {
  /// Whether a line in a doubtful place, in a body or with an equals sign, is this tag, and not a
  /// comment or a definition that is commented out.
  package var isUnmistakable: Bool { MetadataMarks.of(self).isUnmistakable }

  /// Whether its value may be JavaScript.
  package var takesExpression: Bool { self == .disabled || self == .loop }
}

extension MetadataSyntax {
  /// What the value says where the tag defines a variable; inside a body it has no effect.
  package var definedForm: VariableSyntax.Form? {
    region == .body ? nil : kind.flatMap { MetadataMarks.of($0).definedForm }
  }
}
