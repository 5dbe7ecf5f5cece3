// What descriptions of APIs say where somebody types, points or follows (IO-34 to IO-36).

import PostKitDescription
import PostKitEvaluate
import PostKitLanguage
import PostKitRunner
import PostKitSession
import PostKitStore
import PostKitSupport
import PostKitSyntax

extension Snapshot {
  /// Adds what a description says to what completion knows; whether it was read in time.
  func describe(
    _ sources: inout CompletionSources, _ context: DocumentContext, at offset: Int
  ) async -> Bool {
    let parsed = context.document.parsed
    let block = parsed.block(at: offset)
    // A reference may read the answer of a request that names a description of its own.
    let line = parsed.bytes[parsed.lineRange(at: offset).lowerBound..<offset]
    let isInReference = line.lastIndex(of: UInt8(ascii: "{")).map { open in
      !line[open...].contains(UInt8(ascii: "}"))
    }
    let asked = isInReference == true ? parsed.taggedBlocks : block.map { [$0] } ?? []
    let found = await descriptions.around(
      context, of: asked, within: Limits.completionReadMilliseconds, client)
    if found.isEmpty { return found.isComplete }
    let tag = parsed.descriptionTag(of: block)
    sources.described = { place in
      let request = place.request
      var named = tag
      if case .responseKeys(_, let own, _) = place { named = own }
      // Why it can't be read is told as a diagnostic, not to who types.
      let description = try? found.description(for: request, tag: named)
      return description?.index.texts(for: place) ?? []
    }
    return found.isComplete
  }

  /// The description that the request at an offset means; `nil` without one, and where it can't be
  /// read, or not in so many milliseconds.
  func description(
    _ analysis: Analysis, _ context: DocumentContext, at offset: Int,
    within milliseconds: Int? = nil
  ) async -> LoadedDescription? {
    guard let block = analysis.describedBlock(at: offset), block.request != nil else { return nil }
    let found = await descriptions.around(context, of: [block], within: milliseconds, client)
    guard !found.isEmpty, let request = analysis.describedRequest(of: block) else { return nil }
    // Why it can't be read is told as a diagnostic.
    return try? found.description(
      for: request, tag: analysis.document.descriptionTag(of: block))
  }

  /// A hover with what a description says of the same place.
  func describedHover(
    _ hover: Hover?, _ analysis: Analysis, _ context: DocumentContext, at offset: Int
  ) async -> Hover? {
    let read = await description(
      analysis, context, at: offset, within: Limits.describedReadMilliseconds)
    guard let description = read else { return hover }
    let said = analysis.describedHover(at: offset, in: description.index) { value in
      let place = description.place(of: value)
      let text = "\(FilePath.name(URLCredentials.without(place.path))):\(place.line + 1)"
      let isLink = client.profile.takesMarkdownInHover && FilePath.isAbsolute(place.path)
      let uri = DocumentURI(path: place.path).spelling + "#L\(place.line + 1)"
      return isLink ? Markdown.link(text, to: uri) : text
    }
    guard let said else { return hover }
    return hover.map { $0.followed(by: said) } ?? said
  }

  /// The place of a description that the part of a request at an offset leads to, or its file where
  /// the tag that names it stands there.
  func describedDefinitions(
    _ analysis: Analysis, _ context: DocumentContext, at offset: Int
  ) async -> [DefinitionPlace] {
    let block = analysis.document.block(at: offset)
    if let tag = analysis.document.descriptionTag(of: block),
      tag.range.lowerBound <= offset, offset <= tag.range.upperBound
    {
      return await definition(of: tag, block, context)
    }
    guard let description = await description(analysis, context, at: offset) else { return [] }
    let found = analysis.describedDefinition(at: offset, in: description.index)
    return found.map { description.definitions(of: [$0.place], from: $0.origin) } ?? []
  }

  /// The places of a description where the type stands of the part of a request at an offset.
  func describedTypes(
    _ analysis: Analysis, _ context: DocumentContext, at offset: Int
  ) async -> [DefinitionPlace] {
    guard let description = await description(analysis, context, at: offset) else { return [] }
    let found = analysis.describedTypes(at: offset, in: description.index)
    return found.map { description.definitions(of: $0.places, from: $0.origin) } ?? []
  }

  /// The file that a tag names, at the operation that it names.
  private func definition(
    of tag: DescriptionTag, _ block: ParsedBlock?, _ context: DocumentContext
  ) async -> [DefinitionPlace] {
    let found = await descriptions.around(
      context, of: block.map { [$0] } ?? [], within: nil, client)
    let request = DescribedRequest(method: "", target: "", operation: tag.operation)
    // Why it can't be read is told as a diagnostic.
    guard let description = try? found.description(for: request, tag: tag) else { return [] }
    let place = tag.operation.flatMap(description.index.place(ofOperation:))
    let start = place.map { description.place(of: $0).offset } ?? 0
    let target = DefinitionPlace(
      origin: tag.range, path: description.path, range: start..<start)
    return [target.fetched(.openAPI, environment: nil)]
  }
}

extension LoadedDescription {
  /// Places of it as where something at bytes of a request file is defined.
  fileprivate func definitions(
    of values: [DescribedValue], from origin: Range<Int>
  ) -> [DefinitionPlace] {
    values.map(place(of:)).map {
      DefinitionPlace(origin: origin, path: $0.path, range: $0.offset..<$0.offset)
        .fetched(.openAPI, environment: nil)
    }
  }
}
