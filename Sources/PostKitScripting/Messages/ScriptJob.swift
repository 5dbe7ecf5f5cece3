// What the engine is asked to do.

package import PostKitJSON

/// The file that scripts belong to.
package struct ScriptContext: Sendable, Hashable {
  /// Its index in the run, by which jobs name it.
  package var number: Int
  /// The path as positions and `__filename` show it.
  package var file: String
  /// The workspace's folder.
  package var root: String
  package var dialect: String
  /// The names of the environments that are chosen.
  package var environment: [String]
  /// Whether tests run when their script has ended, not at once.
  package var runsTestsLast = false

  /// Makes the context of a file.
  package init(
    number: Int, file: String, root: String = "", dialect: String = "", environment: [String] = []
  ) {
    self.number = number
    self.file = file
    self.root = root
    self.dialect = dialect
    self.environment = environment
  }
}

/// What changes among the bare names of a context.
package struct ScriptScope: Sendable, Hashable {
  package var context: Int
  package var set: [JSONMember]
  package var unset: [String]

  /// Makes a change.
  package init(context: Int, set: [JSONMember] = [], unset: [String] = []) {
    self.context = context
    self.set = set
    self.unset = unset
  }
}

/// When a script runs.
package enum ScriptPhase: String, Sendable, Hashable, CaseIterable {
  case imports, pre, request, streaming, response, logging, after
}

/// Which forms of scripts a text belongs to.
package enum ScriptFamily: String, Sendable, Hashable, CaseIterable {
  /// `{% %}`, script files and imports.
  case jetbrains
  /// `{{ }}`.
  case httpyac
}

/// A place in a file; lines and columns count from 1, columns in UTF-16 units.
package struct ScriptPlace: Sendable, Hashable {
  package var file: String
  package var line: Int
  package var column: Int

  /// Makes a place.
  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

/// A script as it stands in its file.
package struct ScriptText: Sendable, Hashable {
  package var text: String
  /// Where its first byte stands.
  package var place: ScriptPlace

  /// Makes a script's text.
  package init(_ text: String, at place: ScriptPlace) {
    self.text = text
    self.place = place
  }
}

/// Something the engine does; the number is the session's own for it.
package enum ScriptJob: Sendable {
  case run(RunScript)
  case evaluate(EvaluateExpressions)
  case check(CheckScripts)
  case deliver(DeliverItem)

  /// The number by which events name the job.
  package var id: Int {
    switch self {
    case .run(let job): job.id
    case .evaluate(let job): job.id
    case .check(let job): job.id
    case .deliver(let job): job.id
    }
  }
}

/// Runs one script.
package struct RunScript: Sendable, Hashable {
  package var id: Int
  package var context: Int
  package var phase: ScriptPhase
  package var family: ScriptFamily
  package var script: ScriptText
  package var request: ScriptRequest
  package var response: ScriptResponse?
  package var stores: ScriptStores
  /// Time that the script has, in milliseconds; `nil` for that of the session's limits.
  package var deadlineMilliseconds: Int?

  /// Makes a job.
  package init(
    id: Int, context: Int, phase: ScriptPhase, family: ScriptFamily = .jetbrains,
    script: ScriptText, request: ScriptRequest, response: ScriptResponse? = nil,
    stores: ScriptStores = ScriptStores(), deadlineMilliseconds: Int? = nil
  ) {
    self.id = id
    self.context = context
    self.phase = phase
    self.family = family
    self.script = script
    self.request = request
    self.response = response
    self.stores = stores
    self.deadlineMilliseconds = deadlineMilliseconds
  }
}

/// One expression, such as the `a + b` of `{{a + b}}`.
package struct ScriptExpression: Sendable, Hashable {
  /// What its value is called in the answer.
  package var key: String
  package var script: ScriptText

  /// Makes an expression.
  package init(key: String, _ script: ScriptText) {
    self.key = key
    self.script = script
  }
}

/// Evaluates expressions in order.
package struct EvaluateExpressions: Sendable, Hashable {
  package var id: Int
  package var context: Int
  package var request: ScriptRequest
  package var response: ScriptResponse?
  package var stores: ScriptStores
  package var items: [ScriptExpression]
  /// Time that all of them have, in milliseconds; `nil` for 2 s and 10 ms each.
  package var deadlineMilliseconds: Int?
  /// The job that must have ended before; `nil` for one that begins at once.
  package var predecessor: Int?

  /// Makes a job.
  package init(
    id: Int, context: Int, request: ScriptRequest, response: ScriptResponse? = nil,
    stores: ScriptStores = ScriptStores(), items: [ScriptExpression],
    deadlineMilliseconds: Int? = nil
  ) {
    self.id = id
    self.context = context
    self.request = request
    self.response = response
    self.stores = stores
    self.items = items
    self.deadlineMilliseconds = deadlineMilliseconds
  }
}

/// Checks the syntax of scripts and runs nothing.
package struct CheckScripts: Sendable, Hashable {
  /// What a text is read as.
  package enum Kind: String, Sendable, Hashable { case script, expression, module }

  /// One text.
  package struct Item: Sendable, Hashable {
    package var key: String
    package var text: String
    package var kind: Kind

    /// Makes an item.
    package init(key: String, text: String, kind: Kind) {
      self.key = key
      self.text = text
      self.kind = kind
    }
  }

  package var id: Int
  package var items: [Item]

  /// Makes a job.
  package init(id: Int, items: [Item]) {
    self.id = id
    self.items = items
  }
}

/// Hands an item of a stream to those of a script that subscribed to it.
package struct DeliverItem: Sendable, Hashable {
  package var id: Int
  package var context: Int
  /// The subscription's number in `ScriptOutcome.subscriptions`.
  package var subscription: Int
  /// The item; `nil` at the end of the stream.
  package var item: JSONValue?

  /// Makes a job.
  package init(id: Int, context: Int, subscription: Int, item: JSONValue?) {
    self.id = id
    self.context = context
    self.subscription = subscription
    self.item = item
  }
}
