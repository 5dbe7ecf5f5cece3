// The names of a file, of requests and of definitions, for callers that ask often.

import Synchronization

/// What is collected of the blocks of a file.
protocol BlockSummary: AnyObject, Sendable {
  init(_ blocks: BlockList)
}

/// A summary of a file, once somebody has asked for it; shared by all versions of the file that
/// have the same.
final class Collected<Summary: BlockSummary>: Sendable {
  private let kept = AtomicLazyReference<Summary>()

  /// The summary of blocks, which say the same as the blocks at the first call.
  func summary(of blocks: BlockList) -> Summary {
    // Two callers at once may collect the same; the first is kept.
    kept.load() ?? kept.storeIfNil(Summary(blocks))
  }
}

/// Finds requests and definitions by name in constant time where the name is exact. Places are
/// numbers of blocks, so that an index outlives edits that change no name.
package final class NameIndex: BlockSummary {
  /// A definition: the block it stands in, and its place among the variables of that block.
  package struct Definition: Sendable, Hashable {
    package let block: Int
    package let index: Int
  }

  /// The definitions of each name in the order of the file, without those after a response.
  package let definitions: [String: [Definition]]
  /// Those of them that set a global, `@global.name = value` (PK-59).
  package let globals: [String: [Definition]]
  /// The first block that defines a name after its response (PK-26).
  package let definedAfterResponse: [String: Int]
  /// The names whose values are the contents of files.
  package let definedByFile: Set<String>
  /// The GraphQL fragments of the file by name: the block, and the place among its fragments; of
  /// two with a name the last.
  package let fragments: [String: (block: Int, index: Int)]
  /// The blocks with definitions in them, in order.
  package let definingBlocks: [Int]
  /// The requests whose name an earlier request has, each with the first one of that name.
  package let duplicates: [(block: Int, first: Int)]
  /// The names of requests, each once, in the order of the file.
  package let requestNames: [String]
  private let named: [String: Int]
  /// The titles that are not the names of their blocks.
  private let titles: WrittenTitles
  private let spellings = AtomicLazyReference<Spellings>()
  private let first = FirstNames()

  /// Collects the names of the blocks of a file.
  init(_ blocks: BlockList) {
    var named: [String: Int] = [:]
    var titles = WrittenTitles()
    var duplicates: [(block: Int, first: Int)] = []
    var requestNames: [String] = []
    named.reserveCapacity(blocks.count)
    var definitions = DefinitionCollector()
    var fragments: [String: (block: Int, index: Int)] = [:]
    for (place, block) in blocks.enumerated() {
      if block.syntax.hasVariables { definitions.collect(block) }
      if block.syntax.hasExtras {
        for (index, fragment) in block.syntax.fragments.enumerated() {
          fragments[block.text(fragment.name)] = (place, index)
        }
      }
      guard block.isRequest else { continue }
      let (nameRange, titleRange) = (block.nameRange, block.titleRange)
      if let name = nameRange.map(block.text) {
        if let first = named[name] {
          duplicates.append((place, first))
        } else {
          named[name] = place
          requestNames.append(name)
        }
      }
      if let titleRange, titleRange != nameRange {
        titles.append(block.slice(titleRange), of: place)
      }
    }
    self.named = named
    self.requestNames = requestNames
    self.titles = titles
    self.duplicates = duplicates
    self.fragments = fragments
    self.definitions = definitions.byName
    globals = definitions.globals
    definedAfterResponse = definitions.afterResponse
    definedByFile = definitions.byFile
    definingBlocks = definitions.blocks
  }

  /// The first names that definitions have, in order.
  package var firstDefined: [String] { first.names(of: definitions.keys) }

  /// The first request of each name.
  package var requests: [String: Int] { named }

  /// The place of the first request of a name, a title, or one that is equal when folded (PK-7).
  /// Positions and `METHOD url` can't stand in a reference; `ParsedDocument.request(named:)` knows
  /// them, too.
  package func place(ofRequest name: String) -> Int? {
    if let place = named[name] { return place }
    // Two callers at once may collect the same; the first result is kept.
    let other = spellings.load() ?? spellings.storeIfNil(Spellings(named, titles))
    return other.titled[name] ?? other.folded[ParsedDocument.foldedName(name)]
  }
}

/// Titles one behind the other, of which most files have as many as requests and hardly anybody
/// asks for one.
private struct WrittenTitles: Sendable {
  private var bytes: [UInt8] = []
  private var places: [(end: Int, block: Int)] = []

  mutating func append(_ title: ArraySlice<UInt8>, of block: Int) {
    bytes.append(contentsOf: title)
    places.append((bytes.count, block))
  }

  /// Goes through the titles in order.
  func forEach(_ look: (String, Int) -> Void) {
    var start = 0
    for (end, block) in places {
      look(String(decoding: bytes[start..<end], as: UTF8.self), block)
      start = end
    }
  }
}

/// How requests may be called beside their names, once somebody has asked.
private final class Spellings: Sendable {
  /// The first request of each title.
  let titled: [String: Int]
  /// The first request of each name and title when folded.
  let folded: [String: Int]

  init(_ named: [String: Int], _ titles: WrittenTitles) {
    var titled: [String: Int] = [:]
    var folded: [String: Int] = [:]
    folded.reserveCapacity(named.count)
    func fold(_ name: String, _ place: Int) {
      let key = ParsedDocument.foldedName(name)
      if !key.isEmpty { folded[key] = min(place, folded[key] ?? place) }
    }
    for (name, place) in named { fold(name, place) }
    titles.forEach { title, place in
      if titled[title] == nil { titled[title] = place }
      fold(title, place)
    }
    self.titled = titled
    self.folded = folded
  }
}

/// Sorts definitions by name.
private struct DefinitionCollector {
  var byName: [String: [NameIndex.Definition]] = [:]
  var globals: [String: [NameIndex.Definition]] = [:]
  var afterResponse: [String: Int] = [:]
  var byFile: Set<String> = []
  var blocks: [Int] = []

  mutating func collect(_ block: ParsedBlock) {
    let variables = block.variables
    guard !variables.isEmpty else { return }
    blocks.append(block.index)
    for (index, variable) in variables.enumerated() {
      let name = block.name(of: variable)
      if variable.form == .file { byFile.insert(name) }
      if !variable.isAfterResponse {
        let definition = NameIndex.Definition(block: block.index, index: index)
        byName[name, default: []].append(definition)
        if variable.isGlobal { globals[name, default: []].append(definition) }
      } else if afterResponse[name] == nil {
        afterResponse[name] = block.index
      }
    }
  }
}

extension BlockList {
  /// Whether an index that holds for these blocks holds for others, which share so many trees with
  /// them at both ends.
  func hasSameNames(as new: BlockList, from front: Int, back: Int) -> Bool {
    count == new.count
      && (front..<count - back).allSatisfy { self[$0].hasSameNames(as: new[$0]) }
  }
}

extension ParsedBlock {
  /// Whether an index that holds for this block's file holds with the other one in its place.
  func hasSameNames(as other: ParsedBlock) -> Bool {
    if hasSameTree(as: other) { return true }
    func isSame(_ left: Range<Int>?, _ right: Range<Int>?) -> Bool {
      guard let left, let right else { return left == right }
      return slice(left) == other.slice(right)
    }
    return isSame(nameRange, other.nameRange) && isSame(titleRange, other.titleRange)
      && isRequest == other.isRequest
      && syntax.fragments.map { slice($0.name) }
        == other.syntax.fragments.map { other.slice($0.name) }
      && syntax.variables.elementsEqual(other.syntax.variables) {
        slice($0.nameRange) == other.slice($1.nameRange) && $0.isGlobal == $1.isGlobal
          && $0.isAfterResponse == $1.isAfterResponse && $0.form == $1.form
      }
  }
}
