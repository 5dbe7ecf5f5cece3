// A collection of another tool as a value: what every importer makes, and all that `Writing` knows
// of where something came from.

/// A collection as another tool keeps it, with nothing of the `.http` language in it but templates.
package struct OriginCollection: Sendable, Hashable {
  /// The format it was read from.
  var format: OriginFormat
  /// The version of that format as the source says it, such as `2.1`.
  var version: String?
  /// What the whole collection is and gives to its requests; its name is that of the collection.
  var root: OriginFolder
  /// Its environments in order; values that hold in all of them are `shared`.
  var environments: [OriginEnvironment] = []
  /// What holds in every environment; the origin's globals come first, so that those of the
  /// collection win.
  var shared: [OriginVariable] = []
  /// Files that the origin carries with it and that are written beside the requests, such as a
  /// description (`openapi.yaml`) or tests of another tool (`tests/NAME.js`).
  var attachments: [TransferFile] = []
  /// Names in templates that mean nothing to the origin unless a variable has them, and something
  /// here: JavaScript, or a value of the process. `Writing` gives them others.
  var unknownNames: Set<String> = []
  /// Whether requests could not be had, since they are on another machine.
  var isPartial = false

  /// The number of requests in it.
  package var requestCount: Int { root.requestCount }
}

/// A folder with what it gives to the requests in it and below.
struct OriginFolder: Sendable, Hashable {
  /// How the origin names the folder for good; `nil` where it does not.
  var id: String?
  var name: String
  /// Text for people, in Markdown or none.
  var description = ""
  /// Where it stands in the source.
  var place: OriginPlace
  var auth = OriginAuth.inherited
  /// Where the auth stands; `nil` where it is the place of the folder.
  var authPlace: OriginPlace?
  /// Headers that every request below gets unless it has one of that name.
  var headers: [OriginPair] = []
  var variables: [OriginVariable] = []
  var scripts: [OriginScript] = []
  /// The folders in it, in the order of the origin.
  var folders: [OriginFolder] = []
  /// The requests directly in it, in the order of the origin.
  var requests: [OriginRequest] = []

  /// The number of requests in it and below.
  var requestCount: Int { folders.reduce(requests.count) { $0 + $1.requestCount } }
}

/// An environment of a collection.
struct OriginEnvironment: Sendable, Hashable {
  var name: String
  var place: OriginPlace
  var variables: [OriginVariable] = []
  /// Whether all of it is secret, so that other environments may say openly what it hides.
  var isPrivate = false
  /// What its `Security.Auth` has beside the auth of requests: a description's schemes.
  var security: [OriginOAuth2] = []
}

/// A variable as the origin has it.
struct OriginVariable: Sendable, Hashable {
  var name: String
  /// The value; `nil` where the origin keeps it elsewhere, as a secret.
  var value: OriginValue?
  /// Whether the origin itself says that it is a secret; names that look like one are found later.
  var isSecret = false
  /// Whether it is switched on; one that is off is counted and not written (IO-15).
  var isOn = true
  /// Whether one definition holds for all requests of a file that have the same variable, as that
  /// of a part of an earlier answer does.
  var isForLater = false
  /// Whether the import has made up the name, as those of credentials: another one is as good.
  var isNamedHere = false
  var place: OriginPlace
}

/// The value of a variable.
enum OriginValue: Sendable, Hashable {
  /// A text, with templates in our form.
  case text(String)
  /// A number, boolean, object or array; templates in its strings are in our form.
  case json(OriginJSON)

  /// The value as the text that a request gets.
  var text: String {
    switch self {
    case .text(let text): text
    case .json(let json): json.text
    }
  }
}

/// JSON as it is written, compact.
struct OriginJSON: Sendable, Hashable {
  var text: String
}
