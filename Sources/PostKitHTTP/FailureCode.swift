// The words by which tools know a failure.

/// The word for one kind of failure (CONTRACTS.md, section 1).
package struct FailureCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package var description: String { rawValue }

  package static let syntax = FailureCode(rawValue: "syntax")
  package static let unresolvedVariable = FailureCode(rawValue: "unresolved-variable")
  package static let variableCycle = FailureCode(rawValue: "variable-cycle")
  package static let fileNotFound = FailureCode(rawValue: "file-not-found")
  package static let includeCycle = FailureCode(rawValue: "include-cycle")
  package static let requestNotFound = FailureCode(rawValue: "request-not-found")
  package static let usage = FailureCode(rawValue: "usage")
  package static let connection = FailureCode(rawValue: "connection")
  package static let tls = FailureCode(rawValue: "tls")
  package static let timeout = FailureCode(rawValue: "timeout")
  package static let tooManyRedirects = FailureCode(rawValue: "too-many-redirects")
  package static let `protocol` = FailureCode(rawValue: "protocol")
  package static let scriptFailed = FailureCode(rawValue: "script-failed")
  package static let cancelled = FailureCode(rawValue: "cancelled")
  package static let store = FailureCode(rawValue: "store")
  package static let `internal` = FailureCode(rawValue: "internal")

  /// The exit code of `postkit run` for this failure (CONTRACTS.md, section 1).
  package var exitCode: Int32 {
    switch self {
    case .cancelled: 130
    case .usage, .requestNotFound: 2
    case .connection, .tls, .timeout, .tooManyRedirects, .protocol: 4
    case .store, .internal: 5
    default: 3
    }
  }

  /// Which exit code stands above which when several requests failed, the highest first.
  package static let exitCodePrecedence: [Int32] = [130, 5, 2, 3, 4, 1, 0]
}
