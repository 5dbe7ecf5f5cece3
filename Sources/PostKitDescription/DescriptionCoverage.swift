// Which operations of a description requests reach, and which requests reach none.

/// What requests and a description have in common, request by request.
package struct DescriptionCoverage<Place: Sendable>: Sendable {
  /// A request that means no operation.
  package struct Unknown: Sendable {
    /// The method in capitals.
    package let method: String
    /// The target as people know it.
    package let target: String
    /// Where it is, as who added it says.
    package let place: Place
    /// The methods that its path has; empty where the path is not described.
    package let methods: [String]
  }

  private let index: DescriptionIndex
  private var reached: Set<Int> = []
  /// Requests without an operation, in the order in which they were added.
  package private(set) var unknown: [Unknown] = []

  /// Has seen no request yet.
  package init(_ index: DescriptionIndex) { self.index = index }

  /// Takes a request. `shown` is its target as people know it.
  package mutating func add(_ request: DescribedRequest, shown: String, at place: Place) {
    let match = index.answering(
      index.match(request), method: request.method, target: request.target)
    if let match, match.isExact {
      reached.insert(match.operation)
    } else if match == nil || request.method != "OPTIONS" {
      unknown.append(
        Unknown(
          method: request.method, target: shown, place: place,
          methods: index.methods(of: request.target)))
    }
  }

  /// How many operations there are.
  package var operationCount: Int { index.operations.count }

  /// The operations that no request means, in the order of the description.
  package var missing: [DescriptionIndex.Entry] {
    index.operations.indices.filter { !reached.contains($0) }.map { index.operations[$0] }
  }
}
