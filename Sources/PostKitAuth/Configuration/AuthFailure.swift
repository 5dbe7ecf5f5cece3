// Why there is no token.

package import PostKitHTTP

/// Why no token was got, and what to do next.
package struct AuthFailure: Error, Sendable, Hashable {
  /// The word in reports, such as `auth-invalid_client`.
  package var code: FailureCode
  /// What happened, where, and what to do next.
  package var message: String
  /// Whether somebody closed the question.
  package var wasDeclined = false
  /// Whether what was kept is of no use any more (AU-43).
  package var forgetsTokens = false
  /// What was got before something later failed, as the text that is kept: it renews a sign-in, and
  /// its access token is of no use. It is kept, as a refresh token may serve only once.
  package var renewable: String?

  /// Makes a failure.
  package init(_ code: FailureCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The failure as a report has it.
  package var failure: Failure { Failure(code, message, wasDeclined: wasDeclined) }
}

extension FailureCode {
  package static let authIncomplete = FailureCode(rawValue: "auth-incomplete")
  package static let authGrantUnknown = FailureCode(rawValue: "auth-grant-unknown")
  package static let authUnknownID = FailureCode(rawValue: "auth-unknown-id")
  package static let authParameterReserved = FailureCode(rawValue: "auth-parameter-reserved")
  package static let authLoginNeeded = FailureCode(rawValue: "auth-login-needed")
  package static let authPasteNeeded = FailureCode(rawValue: "auth-paste-needed")
  package static let authPortInUse = FailureCode(rawValue: "auth-port-in-use")
  package static let authNoIDToken = FailureCode(rawValue: "auth-no-id-token")
  package static let authIDToken = FailureCode(rawValue: "auth-id-token")
  package static let authIssuerMismatch = FailureCode(rawValue: "auth-issuer-mismatch")
  package static let authAnswerUnreadable = FailureCode(rawValue: "auth-answer-unreadable")
  package static let authEndpointRedirect = FailureCode(rawValue: "auth-endpoint-redirect")
  package static let authCryptoMissing = FailureCode(rawValue: "auth-crypto-missing")
  package static let authTimeout = FailureCode(rawValue: "auth-timeout")
  package static let authState = FailureCode(rawValue: "auth-state")
}
