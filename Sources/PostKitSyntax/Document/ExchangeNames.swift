// The names by which references of a file read earlier exchanges: what is looked up in the history
// before a file can be looked at.

import Synchronization

/// The names before paths into exchanges, and those that `$xpath:name` reads.
package final class ExchangeNames: Sendable {
  /// The names, each once and in order.
  package let names: [String]

  init(_ blocks: BlockList) {
    names = Set(blocks.having(.readsExchanges).lazy.flatMap(\.exchangeNames)).sorted()
  }
}

/// The names of a file, once somebody has asked for them; shared by all versions of the file that
/// have the same.
final class CollectedReads: Sendable {
  private let kept = AtomicLazyReference<ExchangeNames>()

  /// The names in blocks; these have the names of the blocks at the first call.
  func names(in blocks: BlockList) -> ExchangeNames {
    // Two callers at once may collect the same; the first is kept.
    kept.load() ?? kept.storeIfNil(ExchangeNames(blocks))
  }
}

extension BlockList {
  /// The names in the blocks between the ends.
  func exchangeNames(from front: Int, back: Int) -> Set<String> {
    Set(self[front..<count - back].lazy.flatMap(\.exchangeNames))
  }
}

extension ParsedBlock {
  /// The names by which its references read earlier exchanges.
  fileprivate var exchangeNames: [String] { references.compactMap(\.expression.exchangeName) }
}
