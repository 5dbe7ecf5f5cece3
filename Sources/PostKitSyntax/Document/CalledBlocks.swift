// Blocks by all that `@ref` and `run` lines may call them.

import Synchronization

/// Finds the blocks of one document by what they are called, in constant time once somebody has
/// asked: a file may have as many lines that call requests as it has requests.
package final class CalledBlocks: Sendable {
  private let kept = AtomicLazyReference<Callings>()

  /// Finds nothing yet.
  package init() {}

  /// The first request that a name means (PK-7), else the first named block without one (PK-40).
  package func place(named written: String, in document: ParsedDocument) -> Int? {
    // Two callers at once may collect the same; the first result is kept.
    let callings = kept.load() ?? kept.storeIfNil(Callings(document))
    return callings.place(named: ParsedDocument.comparedName(written))
  }
}

/// The first block of each calling, those of requests apart from the others.
private final class Callings: Sendable {
  private let requests: [Int]
  private let ofRequests: FirstBlocks
  private let ofOthers: FirstBlocks

  init(_ document: ParsedDocument) {
    var requests: [Int] = []
    var (ofRequests, ofOthers) = (FirstBlocks(), FirstBlocks())
    for block in document.blocks {
      if block.isRequest {
        requests.append(block.index)
        ofRequests.add(block)
      } else if block.name != nil {
        ofOthers.add(block)
      }
    }
    self.requests = requests
    self.ofRequests = ofRequests
    self.ofOthers = ofOthers
  }

  func place(named name: String) -> Int? {
    if let place = ofRequests.exact(name) { return place }
    if name.hasPrefix("#"), let number = Int(name.dropFirst()) {
      if requests.indices.contains(number - 1) { return requests[number - 1] }
      return ofOthers.exact(name)
    }
    return ofRequests.alike(name) ?? ofOthers.exact(name) ?? ofOthers.alike(name)
  }
}

/// The first place of each name, title, method with target, and folded name.
private struct FirstBlocks: Sendable {
  private var names: [String: Int] = [:]
  private var titles: [String: Int] = [:]
  private var targets: [String: Int] = [:]
  private var folded: [String: Int] = [:]

  mutating func add(_ block: ParsedBlock) {
    func note(_ name: String, _ places: inout [String: Int]) {
      if places[name] == nil { places[name] = block.index }
    }
    for name in [block.name, block.title].compactMap({ $0 }) {
      note(ParsedDocument.foldedName(name), &folded)
    }
    if let name = block.name { note(name, &names) }
    if let title = block.title { note(title, &titles) }
    if let target = block.methodAndTarget { note(target, &targets) }
  }

  func exact(_ name: String) -> Int? { names[name] ?? titles[name] }

  func alike(_ name: String) -> Int? {
    if let place = targets[name] { return place }
    let key = ParsedDocument.foldedName(name)
    return key.isEmpty ? nil : folded[key]
  }
}
