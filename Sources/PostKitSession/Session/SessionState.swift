// What outlives a request, and is no document's: what was sent, chosen, shown and asked.

package import PostKitRunner
package import PostKitTransport
import Synchronization

/// What the session knows beside the store, behind one lock. It is read as a copy and changed by
/// what its values do; nothing waits and nobody is called while the lock is held.
@dynamicMemberLookup
package final class SessionState: Sendable {
  /// All that is known.
  package struct Values: Sendable {
    package var memory = SessionMemory()
    package var choices = SharedChoices()
    package var sends = Sends()
    package var live = LiveResponses()
    package var copies = CopiedTexts()
    package var lists = ShownLists()
    package var transfers = Transfers()
    package var printed = PrintedLines()
    package var failedScripts = FailedScripts()
    package var scriptFiles = ScriptFileFindings()
    var settings = EditorSettings()
    /// What the user was told and need not be told again.
    var told: Set<String> = []
    /// The changes of the store when it was compared with the memory last.
    var compared: Int64?
    var openTransport: Transport?
    /// Who has the tokens that are kept, once somebody has asked for one.
    package var keptTokens: TokenBroker?
  }

  private let values = Mutex(Values())
  /// Asks for the trust in a folder once.
  package let trustQuestions = OneAtATime()
  /// Saves a stored request once at a time.
  package let requestSaves = OneAtATime()
  package let exampleServer = LazyExampleServer()
  package let mock = SessionMock()
  package let views = ViewFiles()
  /// The tokens that last as long as the session.
  package let tokensInMemory = TokenBroker()

  /// A session in which nothing has happened.
  package init() {}

  /// A part of what is known, as it is now.
  package subscript<Value: Sendable>(dynamicMember part: KeyPath<Values, Value>) -> Value {
    values.withLock { $0[keyPath: part] }
  }

  /// Changes what is known; `change` does nothing else.
  package func update<Result>(_ change: (inout Values) -> Result) -> Result {
    values.withLock { change(&$0) }
  }

  /// The transport; its connections are used again by all sends of the session.
  package func transport(spoolDirectory: String, keptBodyBytes: Int) -> Transport {
    update { values in
      if let transport = values.openTransport { return transport }
      let made = Transport(
        TransportConfiguration(spoolDirectory: spoolDirectory, keptBodyBytes: keptBodyBytes))
      values.openTransport = made
      return made
    }
  }

  /// Who has the tokens that outlive the session in a store.
  package func tokens(_ vault: @autoclosure () -> any TokenVault) -> TokenBroker {
    update { values in
      if let broker = values.keptTokens { return broker }
      let made = TokenBroker(vault())
      values.keptTokens = made
      return made
    }
  }

  /// Ends what is being sent and closes all connections; the next send has a transport of its own.
  package func restartTransport() {
    let old = update { values in
      defer { values.openTransport = nil }
      return values.openTransport
    }
    old?.shutdown()
  }
}
