// What became of the check of a response against the description of its API (IO-38).

/// A place where a response is not as its API is described.
package struct ContractDeviation: Sendable, Hashable {
  /// The place in the body as a JSON Pointer (RFC 6901); empty for the response as a whole.
  package var pointer: String
  /// What was expected and what came, as a clause.
  package var message: String

  /// Makes a deviation.
  package init(pointer: String = "", message: String) {
    (self.pointer, self.message) = (pointer, message)
  }

  /// The place and the clause.
  package var text: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

/// What a check of a response against a description has found.
package struct ContractFindings: Sendable, Hashable {
  /// The name of the description's file, such as `openapi.yaml`.
  package var description: String
  /// The operation's own word or `GET /users/{id}`; `nil` where the description has none for the
  /// request.
  package var operation: String?
  /// The deviations, as many as are told; none where the response is as described.
  package var deviations: [ContractDeviation]
  /// Why not all could be checked, as a sentence.
  package var obstacle: String?

  /// How many deviations people are told.
  package static let listed = 5

  /// Makes findings.
  package init(
    description: String, operation: String? = nil, deviations: [ContractDeviation] = [],
    obstacle: String? = nil
  ) {
    self.description = description
    self.operation = operation
    self.deviations = deviations
    self.obstacle = obstacle
  }

  /// Whether the response was checked and is as described.
  package var holds: Bool { obstacle == nil && deviations.isEmpty }

  /// One line for people: `3 deviations from openapi.yaml`; `nil` where there is nothing to say.
  package var summary: String? {
    if deviations.isEmpty { return nil }
    let count = deviations.count == 1 ? "1 deviation" : "\(deviations.count) deviations"
    return "\(count) from \(description)"
  }

  /// The sentence of a failure: the first deviations, each with its place; empty where there is
  /// none.
  package var explanation: String {
    guard let summary else { return obstacle ?? "" }
    let listed = deviations.prefix(Self.listed).map(\.text).joined(separator: "; ")
    let rest = deviations.count - Self.listed
    let operation = operation.map { " (\($0))" } ?? ""
    let more = rest > 0 ? "; and \(rest) more" : ""
    return "\(summary)\(operation): \(listed)\(more)." + (obstacle.map { " \($0)" } ?? "")
  }

  /// The findings with every text of the response masked.
  package func masked(by mask: SecretMask) -> ContractFindings {
    if deviations.isEmpty, obstacle == nil { return self }
    var findings = self
    findings.obstacle = obstacle.map { mask.mask($0).text }
    findings.deviations = deviations.map {
      ContractDeviation(pointer: mask.mask($0.pointer).text, message: mask.mask($0.message).text)
    }
    return findings
  }
}
