// The names by which references of a file read earlier exchanges: what is looked up in the history
// before a file can be looked at.

/// The names before paths into exchanges, and those that `$xpath:name` reads.
package final class ExchangeNames: BlockSummary {
  /// The names, each once and in order.
  package let names: [String]

  init(_ blocks: BlockList) {
    names = Set(blocks.having(.readsExchanges).lazy.flatMap(\.exchangeNames)).sorted()
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
