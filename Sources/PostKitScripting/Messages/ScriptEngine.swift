// What runs scripts, as the runner sees it: it asks for a session, begins jobs and takes events.

/// Runs scripts.
package protocol ScriptEngine: Sendable {
  /// Gets a session for one run, and starts a child where none is free. A seed makes random values
  /// repeatable, `now` is the time that scripts see at first, in milliseconds since 1970.
  ///
  /// Errors: the engine is missing or can't be started.
  func session(
    _ limits: ScriptLimits, seed: UInt64?, now: Int64?
  ) async throws(ScriptEngineFailure) -> any ScriptSession
  /// Starts a child ahead of its use, and doesn't wait for it.
  func warm()
}

/// The scripts of one run. Its methods are called by one task, one after the other.
package protocol ScriptSession: Sendable {
  /// Makes a context for a file; scripts that begin in it share what they export.
  func open(_ context: ScriptContext) async
  /// Sets and removes what scripts of a context see as bare names.
  func define(_ scope: ScriptScope) async
  /// Begins a job. Another one may begin only while a call of this one waits; it ends first.
  func begin(_ job: ScriptJob) async
  /// Hands over a job that begins when its predecessor has ended, whatever that came to (SC-95);
  /// whether it was handed over.
  func follow(with job: EvaluateExpressions) async -> Bool
  /// The next event of the jobs that go on. Where none goes on, that is a failure.
  func next() async -> ScriptEvent
  /// Answers a call.
  func answer(_ call: ScriptCall, _ answer: ScriptAnswer) async
  /// Ends the jobs that go on: each still gets its `.done` or `.failed`.
  func cancel()
  /// Ends the session: its contexts are forgotten, the child may serve another run.
  func close() async
}

extension ScriptSession {
  /// Takes no job ahead, as an engine may.
  package func follow(with job: EvaluateExpressions) async -> Bool { false }
}

/// What a session tells.
package enum ScriptEvent: Sendable {
  /// A script asks for something and waits for `answer`, unless `isAsync`.
  case call(ScriptCall)
  /// A script printed something; lines come before the end of their job.
  case log(job: Int, [ScriptLine])
  /// A `.run` or a `.deliver` has ended.
  case done(ScriptOutcome)
  /// An `.evaluate` has ended.
  case values(ExpressionOutcome)
  /// A `.check` has ended.
  case checked(job: Int, [ScriptChecked])
  /// The engine has failed; all jobs that went on have ended with it, nothing of theirs took
  /// effect. A later job gets a new child, in which nothing of the contexts is left.
  case failed(ScriptEngineFailure)
}

/// Why there is no result.
package enum ScriptEngineFailure: Error, Sendable, Hashable {
  /// Why a child was killed.
  package enum Limit: Sendable, Hashable {
    case time(milliseconds: Int)
    case memory(bytes: Int)
  }

  /// No library was found (SC-63); the sentence says how to install one.
  case missing(String)
  /// The child ended by itself; `how` is a signal's name or an exit code.
  case crashed(how: String)
  /// The child didn't end its job in time and was killed.
  case killed(Limit)
  /// The run was cancelled, and the child killed as it didn't stop.
  case cancelled
  /// The child can't be started or understood.
  case broken(String)

  /// Says what happened, in one or two sentences.
  package var message: String {
    switch self {
    case .missing(let sentence), .broken(let sentence): sentence
    case .crashed(let how):
      "The script engine ended (\(how)). This is a mistake of the engine or of PostKit; "
        + "the script has been stopped."
    case .killed(.time(let milliseconds)):
      "The script took longer than \(ScriptLimits.shown(milliseconds: milliseconds))."
    case .killed(.memory(let bytes)):
      "The script used more than \(ScriptLimits.shown(bytes: bytes))."
    case .cancelled: "The script was cancelled."
    }
  }
}

/// What scripts may use up.
package struct ScriptLimits: Sendable, Hashable {
  /// Time of one script, in milliseconds.
  package var milliseconds: Int
  /// Memory that one script may add to that of the engine, in bytes.
  package var memoryBytes: Int
  /// What one script may print, in bytes.
  package var outputBytes: Int

  /// The time of a script without a limit: some 24 days.
  package static let longestMilliseconds = Int(Int32.max)

  /// Whether scripts run only where the system confines the engine.
  package var requiresConfinement = false

  /// Makes limits; those that are left out are the program's own.
  package init(
    milliseconds: Int = 10_000, memoryBytes: Int = 256 << 20, outputBytes: Int = 256 << 10
  ) {
    self.milliseconds = milliseconds
    self.memoryBytes = memoryBytes
    self.outputBytes = outputBytes
  }

  /// A time as a message says it.
  package static func shown(milliseconds: Int) -> String {
    milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  /// An amount of memory as a message says it.
  package static func shown(bytes: Int) -> String { "\(bytes >> 20) MB" }
}

/// An engine where scripts can't run; each session fails with its reason.
package struct NoScriptEngine: ScriptEngine {
  /// Why there is none.
  package let failure: ScriptEngineFailure

  /// Makes an engine that fails.
  package init(_ failure: ScriptEngineFailure) { self.failure = failure }

  /// Fails with the reason.
  package func session(
    _ limits: ScriptLimits, seed: UInt64?, now: Int64?
  ) async throws(ScriptEngineFailure) -> any ScriptSession { throw failure }

  /// Does nothing.
  package func warm() {}
}
