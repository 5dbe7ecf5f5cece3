// What a run knows of its scripts: the session with the engine, and what lives longer than a turn.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitScripting
import PostKitSyntax

/// The scripts of a run.
struct ScriptState: Sendable {
  /// The session; `nil` until a script runs.
  var session: (any ScriptSession)?
  /// The scripts of each file that are no request's own; empty where no file has a script.
  var files: [FileScripts?] = []
  /// The plan that was made last.
  var plan: (place: RequestPlace, plan: ScriptPlan?)?
  /// Whether the engine was lost, so that exported functions are gone.
  var wasLost = false
  /// The files whose contexts are open.
  var opened: Set<Int> = []
  /// The files whose `={% %}` block has run.
  var imported: Set<Int> = []
  /// The modules that scripts have asked for, with their bytes.
  var modules: [String: Int] = [:]
  /// Why the `={% %}` blocks of files have failed.
  var importFailures: [Int: ScriptRefusal] = [:]
  /// How often the scripts of each request have asked for random bytes.
  var randomCalls: [RequestPlace: Int] = [:]
  /// The number of the latest job.
  var jobs = 0
  /// What each context has as bare names.
  var defined: [Int: [String: JSONValue]] = [:]
  /// The texts of the scripts that run, by the numbers of their jobs.
  var texts: [Int: String] = [:]
  /// The words of the scripts of each context whose functions live on, as they may be read later.
  var lastingWords: [Int: Set<String>] = [:]
  /// The words of all scripts and expressions of so many files, once they were looked for.
  var words: (files: Int, words: Set<String>)?
  /// The names that are no identifiers, by file.
  var foldedNames: [Int: FoldedNames] = [:]
  /// The expressions of definitions that are being evaluated, as scripts read their names.
  var meeting: Set<ExpressionNeed> = []
  /// The variables of each request, as long as its turns last.
  var requestVariables: [RequestPlace: [String: JSONValue]] = [:]
  /// The requests that scripts are waiting for.
  var executing: [RequestPlace] = []
  /// What scripts ask while another one runs that they have started: it is done after that.
  var deferred: [ScriptCall] = []
  /// The expressions that are evaluated while the request before theirs is done with.
  var ahead: ExpressionsAhead?
  /// The request whose global blocks have run already.
  var globalsRunFor: RequestPlace?
  /// The request whose scripts before sending have run already, as these say how often it is sent.
  var preparedFirstTurn: RequestPlace?
  /// The turn of a loop or a collection, from 0.
  var iteration = 0
  /// How often the request has been sent again at its own wish.
  var replays = 0
  /// What the scripts of the present turn have come to.
  var turn = ScriptTurn()
  /// Who reads the response that comes in; `nil` while none does.
  var stream: StreamState?
  /// What the present turn has printed; secrets are masked.
  var output: [OutputLine] = []
  /// Tells of what is printed.
  var tell: (@Sendable (RunEvent) -> Void)?
}

/// What the scripts of a turn have come to.
struct ScriptTurn: Sendable {
  var tests: [TestResult] = []
  /// Why no script runs, or why the run has ended.
  var refusal: Failure?
  /// Why the request is left out.
  var skip: String?
  /// Whether the request wants to be sent again.
  var replays = false
  /// What is displayed in place of the body.
  var display: String?
  /// Which request goes next.
  var next: ScriptEffects.Next?
  var stopsRun = false
  /// What scripts have set: the changes of each in their order.
  var assigned: [JSONMember] = []
  /// Failures that don't count, such as those of scripts at the end.
  var warnings: [EvaluationProblem] = []
}
