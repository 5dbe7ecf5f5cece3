// What `Writing` makes of a collection: files in parts, so that a later import can be merged into
// what people have made of them (IO-20).

/// A collection as a folder of request files, without the disk.
struct WrittenFolder: Sendable, Hashable {
  /// The request files in the order of the origin.
  var files: [WrittenFile] = []
  /// Scripts, examples, bodies and attachments beside them.
  var attachments: [TransferFile] = []
  /// The names of variables for the credentials of each request, by what they are for.
  var credentials: [String: [String: String]] = [:]
  /// The names that the import has made up for credentials of all requests and for clients.
  var namedHere: Set<String> = []
  /// Of a collection of the store, the id of what holds each request.
  var containers: [String: String] = [:]
  /// What could not be had of the origin this time.
  var partial = PartialOrigin()
  /// The paths of the request files that name files of the source.
  var filesNamingSource: Set<String> = []
  /// The members of `http-client.env.json`: `$shared` first, then the environments in order.
  var environments: [WrittenEnvironment] = []
  /// Whether `.gitignore` must keep the private file out of version control.
  var hasSecrets: Bool { environments.contains { !$0.secrets.isEmpty } }

  /// Whether a path leads to a file with values of the process environment, which may be secrets.
  static func isDotenv(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name == ".env" || name.hasPrefix(".env.")
  }
}

/// A request file in blocks.
struct WrittenFile: Sendable, Hashable {
  /// The path below the target, with `/` between its parts.
  var path: String
  /// What stands before the first request: the collection's description and file variables.
  var head = ""
  var blocks: [WrittenBlock] = []
  /// Whether its text was read back and has exactly these parts; who changes one says that it was
  /// not.
  var isRead = false
}

/// The parts of a block that are merged each by itself, in the order in which they stand.
struct WrittenBlock: Sendable, Hashable {
  /// The request's id in the origin, unique in the import.
  var id: String
  /// The title behind `###`.
  var title: String
  /// Comments, tags, definitions and what runs before the request.
  var head = ""
  /// The request line with the query.
  var line = ""
  var headers = ""
  /// The body, without the blank lines around it.
  var body = ""
  /// Scripts that run afterwards, and `??` lines.
  var tail = ""
}

/// A member of the environment files.
struct WrittenEnvironment: Sendable, Hashable {
  /// The name, or `$shared`.
  var name: String
  /// What everybody may read, in order.
  var values: [WrittenVariable] = []
  /// What goes to `http-client.private.env.json`.
  var secrets: [WrittenVariable] = []
}

/// A variable of an environment file.
struct WrittenVariable: Sendable, Hashable {
  var name: String
  /// Its value as JSON text.
  var json: String
}

/// What of an origin is on other machines and was not fetched.
struct PartialOrigin: Sendable, Hashable {
  /// The ids of the requests of which something is missing.
  var requests: Set<String> = []
  /// The files with such requests, and those beside them.
  var files: Set<String> = []
  /// Whether there may be requests of which nothing is known.
  var lacksRequests = false
}
