// Who has the tokens of a process: one owner for all runs, editors and commands in it.

package import PostKitAuth
import PostKitHTTP

/// Gets tokens, each once however many ask, and keeps them (AU-40 to AU-46).
package actor TokenBroker {
  /// What one request lends the broker: its connection settings, its record, its person.
  package struct Errand: Sendable {
    package var place: TokenPlace
    package var driver: TokenPlanDriver
    /// Whether somebody may be asked to sign in.
    package var mayAskPerson: Bool
    /// Whether a token is got even where a valid one is kept (`postkit auth login --force`).
    package var isForced = false

    /// Makes an errand.
    package init(place: TokenPlace, driver: TokenPlanDriver, mayAskPerson: Bool) {
      self.place = place
      self.driver = driver
      self.mayAskPerson = mayAskPerson
    }
  }

  /// Gives a token: the kept one where it is valid, else a new one.
  package func token(
    _ need: TokenNeed, _ errand: Errand
  ) async -> Result<TokenAnswer, AuthFailure> {
    .failure(AuthFailure(.internal, "Not built yet."))
  }
}
