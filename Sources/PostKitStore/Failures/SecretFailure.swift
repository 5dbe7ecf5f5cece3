// What can go wrong with the values of secret variables, in sentences for people.

/// Why a secret can't be kept, read or deleted.
package enum SecretFailure: Sendable, Hashable {
  /// The keyring is locked, and its user did not unlock it.
  case locked
  /// The keyring, or its user, gave no answer within so many seconds.
  case silent(seconds: Int)
  /// What asked for the secret was cancelled.
  case cancelled
  /// The keyring refused; with what it said.
  case keyring(reason: String)
  /// The file can't be used; with a sentence that names it.
  case file(String)
  /// The file was written by a newer PostKit.
  case newerFile(path: String)
  /// A value that a keyring can't hold.
  case nulByte
  /// Another process has changed secrets for longer than a keyring waits for its user.
  case held(path: String)
  /// The collections were changed; of what went with that, not all could be done.
  case leftBehind(String)
  /// A token is forgotten, but its value could not be deleted yet.
  case tokenLeft(String)

  /// One or two sentences for a person.
  package var message: String {
    switch self {
    case .locked:
      "The desktop's keyring, which has a secret variable, is locked. Unlock it, for instance by "
        + "logging in on the desktop, and try again."
    case .silent(let seconds):
      "The desktop's keyring gave no answer within \(seconds) seconds. Look whether it asks for "
        + "its password somewhere on the screen, unlock it, and try again in a minute; where it is "
        + "broken, log in anew or start without it (DBUS_SESSION_BUS_ADDRESS empty), and new "
        + "secrets go to a file."
    case .cancelled: "The secret variable was not read or written: the call was cancelled."
    case .keyring(let reason):
      "The desktop's keyring refused a secret variable (\(reason)). Run 'postkit doctor' to see "
        + "which keyring that is, and try again."
    case .file(let sentence): sentence
    case .newerFile(let path):
      "A newer PostKit wrote \(path); it is unchanged. Update this PostKit "
        + "to use its secret variables."
    case .nulByte:
      "The value of a secret variable can't contain a NUL byte. Remove it and try again."
    case .held(let path):
      "Another PostKit is changing a secret variable and holds \(path). Look whether its keyring "
        + "asks for a password, or whether it is stopped. Then try again."
    case .leftBehind(let sentence):
      "The collections were changed, but not all secrets could be deleted or copied. \(sentence)"
    case .tokenLeft(let sentence):
      "The token is forgotten, but its value can't be deleted yet; PostKit tries again later. "
        + sentence
    }
  }
}
