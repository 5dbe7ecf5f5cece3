// What is secret in the messages between a client and an authorization server, by its name (AU-48).

/// Parameters and members whose values nobody is shown, however short they are.
package enum SecretParameters {
  /// Their names, in small letters.
  package static let names: Set<String> = [
    "client_secret", "password", "code", "code_verifier", "refresh_token", "access_token",
    "id_token", "device_code", "user_code", "assertion", "client_assertion", "subject_token",
    "actor_token", "token", "id_token_hint",
  ]
}
