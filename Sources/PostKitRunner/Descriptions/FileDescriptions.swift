// The descriptions around a request file, read and ready to be asked.

package import PostKitDescription
package import PostKitSyntax

/// What was read for a request file.
package struct FileDescriptions: Sendable {
  /// What reading a description came to.
  package typealias Reading = Result<LoadedDescription, DescriptionFailure>

  private var readings: [String: Reading] = [:]
  private var surroundings: [String] = []
  /// The paths that tags lead to, by their texts; none for what is not there.
  private var tagged: [String: [String]] = [:]
  /// Whether all was read in the time that there was.
  package var isComplete = true

  /// Knows nothing.
  package init() {}

  /// Puts together what was found for some blocks of a file.
  package init(
    _ tags: [DescriptionTag], _ finder: DescriptionFinder, surroundings: [String],
    _ read: (String) -> Reading?
  ) {
    self.surroundings = surroundings
    for tag in tags where tagged[tag.path] == nil {
      tagged[tag.path] = finder.candidates(of: tag).paths
    }
    for path in Set(surroundings + tagged.values.joined()) {
      if let reading = read(path) { readings[path] = reading } else { isComplete = false }
    }
  }

  /// The paths of all that may be meant.
  package var paths: [String] { Array(Set(surroundings + tagged.values.joined())) }

  /// Whether there is nothing that could be asked.
  package var isEmpty: Bool { readings.isEmpty }

  /// Another number once something else was read, or is found in another place.
  package var revision: Int {
    var hasher = Hasher()
    hasher.combine(surroundings)
    hasher.combine(tagged)
    for path in readings.keys.sorted() {
      hasher.combine(path)
      switch readings[path] {
      case .success(let description): hasher.combine(description.number)
      case .failure(let failure): hasher.combine(failure)
      case nil: break
      }
    }
    return hasher.finalize()
  }

  /// The description that a request means; `nil` without any. `tag` is that of its block.
  ///
  /// Throws where the one that is meant can't be read.
  package func description(
    for request: DescribedRequest, tag: DescriptionTag?
  ) throws(DescriptionFailure) -> LoadedDescription? {
    var paths = surroundings
    if let tag {
      paths = tagged[tag.path] ?? []
      if paths.isEmpty, isComplete {
        throw DescriptionFailure(
          path: tag.path, message: "There is no file \(tag.path) for `@openapi`.")
      }
    }
    return try DescriptionShelf.chosen(paths.compactMap { readings[$0] }, for: request)
  }

  /// The description that a tag names; `nil` where it was not read yet.
  ///
  /// Throws where it can't be read.
  package func description(
    of tag: DescriptionTag
  ) throws(DescriptionFailure) -> LoadedDescription? {
    try description(for: DescribedRequest(method: "", target: ""), tag: tag)
  }
}

extension ParsedDocument {
  /// The blocks that name a description of their own.
  package var taggedBlocks: [ParsedBlock] {
    blocks.filter { block in block.metadata.contains { $0.kind == .openAPI } }
  }

  /// The descriptions that blocks name, their own and that of the first block for all.
  package func descriptionTags(of blocks: some Sequence<ParsedBlock>) -> [DescriptionTag] {
    var seen: Set<String> = []
    let all = [descriptionTag(of: nil)] + blocks.map { descriptionTag(of: $0) }
    return all.compactMap { $0 }.filter { seen.insert($0.path).inserted }
  }
}
