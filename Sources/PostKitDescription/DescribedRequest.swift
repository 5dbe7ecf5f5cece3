// Which description of several a request means, and which operation of it (IO-34, IO-35).

/// What a description needs to know of a request.
package struct DescribedRequest: Sendable, Hashable {
  /// The method in capitals.
  package var method: String
  /// The URL with all names resolved, else as it is written: `{{baseUrl}}/users/{{id}}`.
  package var target: String
  /// The operation that the request says it is (`# @openapi PATH#operationId`).
  package var operation: String?

  /// Describes a request.
  package init(method: String, target: String, operation: String? = nil) {
    (self.method, self.target, self.operation) = (method, target, operation)
  }
}

extension DescriptionIndex {
  /// The operation that a request means: the one it names, else the one of its method and path.
  package func match(_ request: DescribedRequest) -> OperationMatch? {
    let found = match(method: request.method, target: request.target)
    guard let id = request.operation, let named = operations.firstIndex(where: { $0.id == id })
    else { return found }
    if found?.operation == named { return found }
    return OperationMatch(
      operation: named, pathParameters: [], isExact: operations[named].method == request.method)
  }

  /// Which of several descriptions a request means, the nearest first: the one whose servers have
  /// its origin and whose paths have its path, else the one with its path, else the one with its
  /// origin, else the nearest. `nil` for none at all.
  package static func chosen(
    among descriptions: [DescriptionIndex], for request: DescribedRequest
  ) -> Int? {
    guard descriptions.count > 1 else { return descriptions.isEmpty ? nil : 0 }
    let ranks = descriptions.map { index -> Int in
      let match = index.match(request)
      if let id = request.operation, index.operations.contains(where: { $0.id == id }) { return 6 }
      // Without an origin of its own a description is served anywhere, which says nothing.
      let isServed = !index.origins.isEmpty && index.serves(request.target)
      let fit = match.map { $0.isExact ? 2 : 1 } ?? 0
      return (isServed && match != nil ? 3 : 0) + fit
    }
    let best = ranks.max() ?? 0
    if best == 0 {
      return descriptions.firstIndex { !$0.origins.isEmpty && $0.serves(request.target) } ?? 0
    }
    return ranks.firstIndex(of: best)
  }
}
