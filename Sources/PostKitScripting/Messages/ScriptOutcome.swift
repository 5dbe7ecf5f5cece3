// What became of a job.

package import PostKitHTTP
package import PostKitJSON

/// A test of a script.
package struct ScriptTest: Sendable, Hashable {
  package var name: String
  package var isPassed: Bool
  /// Why it failed.
  package var message: String?
  /// What an assertion found, and what it expected, where it says so.
  package var actual: String?
  package var expected: String?
  package var place: ScriptPlace
  package var milliseconds: Double

  /// Makes a test's result.
  package init(
    name: String, isPassed: Bool, message: String? = nil, actual: String? = nil,
    expected: String? = nil, place: ScriptPlace, milliseconds: Double = 0
  ) {
    self.name = name
    self.isPassed = isPassed
    self.message = message
    self.actual = actual
    self.expected = expected
    self.place = place
    self.milliseconds = milliseconds
  }
}

/// What a script threw, or what is wrong with its text.
package struct ScriptError: Error, Sendable, Hashable {
  /// The name of the error, such as `TypeError`.
  package var name: String
  package var message: String
  /// Where it was thrown: the innermost place in a file of the user.
  package var place: ScriptPlace
  /// That place and those that led to it, in files of the user only.
  package var frames: [ScriptPlace]
  /// Of an expression: the bare name that has no value, if that is what is wrong.
  package var unknownName: String?

  /// Makes an error.
  package init(
    name: String, message: String, place: ScriptPlace, frames: [ScriptPlace] = [],
    unknownName: String? = nil
  ) {
    self.name = name
    self.message = message
    self.place = place
    self.frames = frames
    self.unknownName = unknownName
  }
}

/// Something that a script printed.
package struct ScriptLine: Sendable, Hashable {
  /// `log`, `info`, `warn`, `error` or `debug`.
  package var level: String
  package var text: String
  package var file: String
  package var line: Int

  /// Makes a line.
  package init(level: String, text: String, file: String, line: Int) {
    self.level = level
    self.text = text
    self.file = file
    self.line = line
  }
}

/// Why a script ended early; none of them is an error of the script but `time` and `memory`.
package enum ScriptStop: String, Sendable, Hashable, CaseIterable {
  case exit, skip, abort, replay, cancelled, time, memory
}

/// What a script wants changed. Each part is applied as a whole.
package struct ScriptEffects: Sendable, Hashable {
  /// Changes of one store: names that were set, in order of writing, and names that were removed;
  /// none is in both. Where it `clears`, everything else goes first.
  package struct Changes: Sendable, Hashable {
    package var clears = false
    package var set: [JSONMember] = []
    package var unset: [String] = []

    /// Makes changes; none where nothing is said.
    package init(clears: Bool = false, set: [JSONMember] = [], unset: [String] = []) {
      self.clears = clears
      self.set = set
      self.unset = unset
    }

    /// Whether nothing changes.
    package var isEmpty: Bool { !clears && set.isEmpty && unset.isEmpty }
  }

  /// Parts of the request that were given other values.
  package struct Mutation: Sendable, Hashable {
    package var url: String?
    package var method: String?
    /// All headers.
    package var headers: [HeaderField]?
    package var body: [UInt8]?

    /// Makes a mutation.
    package init(
      url: String? = nil, method: String? = nil, headers: [HeaderField]? = nil,
      body: [UInt8]? = nil
    ) {
      self.url = url
      self.method = method
      self.headers = headers
      self.body = body
    }
  }

  /// Which request goes next.
  package enum Next: Sendable, Hashable {
    case request(String)
    case none
  }

  package var exports = Changes()
  /// Names that are exported as functions; they live in the context.
  package var exportedFunctions: [String] = []
  package var request = Changes()
  package var globals = Changes()
  package var headers = Changes()
  package var environment = Changes()
  package var collection = Changes()
  package var mutation: Mutation?
  /// What the response's body is shown as.
  package var display: String?
  package var next: Next?
  package var stopsRun = false

  /// Makes effects that change nothing.
  package init() {}
}

/// How a script ended.
package struct ScriptOutcome: Sendable, Hashable {
  package var id: Int
  package var effects: ScriptEffects
  package var tests: [ScriptTest]
  package var error: ScriptError?
  package var stopped: ScriptStop?
  /// What `stopped` says of its reason, such as the message of an abort.
  package var reason: String?
  /// Subscriptions to the stream that are open.
  package var subscriptions: [ScriptSubscription]
  package var milliseconds: Double

  /// Makes an outcome.
  package init(
    id: Int, effects: ScriptEffects = ScriptEffects(), tests: [ScriptTest] = [],
    error: ScriptError? = nil, stopped: ScriptStop? = nil, reason: String? = nil,
    subscriptions: [ScriptSubscription] = [], milliseconds: Double = 0
  ) {
    self.id = id
    self.effects = effects
    self.tests = tests
    self.error = error
    self.stopped = stopped
    self.reason = reason
    self.subscriptions = subscriptions
    self.milliseconds = milliseconds
  }
}

/// A subscription of a script to a stream.
package struct ScriptSubscription: Sendable, Hashable {
  package var number: Int
  /// What it is delivered, such as `line` or `message`.
  package var what: String

  /// Makes a subscription.
  package init(number: Int, what: String) {
    self.number = number
    self.what = what
  }
}

/// What an expression came to.
package enum ScriptValue: Sendable, Hashable {
  case value(JSONValue)
  case undefined
  case bytes([UInt8])
  case error(ScriptError)
}

/// What the expressions of a batch came to.
package struct ExpressionOutcome: Sendable, Hashable {
  package var id: Int
  /// In the order in which they were asked.
  package var items: [(key: String, value: ScriptValue)] {
    get { zip(keys, values).map { ($0, $1) } }
    set { (keys, values) = (newValue.map(\.key), newValue.map(\.value)) }
  }
  package var effects: ScriptEffects
  /// Whether all were given up, and why.
  package var stopped: ScriptStop?
  /// What is wrong with the batch as a whole; nothing was evaluated then.
  package var error: ScriptError?
  private var keys: [String]
  private var values: [ScriptValue]

  /// Makes an outcome.
  package init(
    id: Int, items: [(key: String, value: ScriptValue)], effects: ScriptEffects = ScriptEffects(),
    stopped: ScriptStop? = nil, error: ScriptError? = nil
  ) {
    self.id = id
    self.effects = effects
    self.stopped = stopped
    self.error = error
    keys = items.map(\.key)
    values = items.map(\.value)
  }
}

/// What a check found in one text.
package struct ScriptChecked: Sendable, Hashable {
  package var key: String
  /// What is wrong, and in which line of the text, from 1.
  package var error: (message: String, line: Int)? {
    message.map { ($0, line) }
  }
  private var message: String?
  private var line: Int

  /// Makes a finding.
  package init(key: String, error: (message: String, line: Int)? = nil) {
    self.key = key
    message = error?.message
    line = error?.line ?? 0
  }
}
