// Requests as they are written for other tools: what the edge makes of request files, and all that
// the writers know of them.

import PostKitEvaluate
import PostKitHTTP
import PostKitJSON
import PostKitSyntax

/// Requests that stand by themselves: what files share, import and define is in or beside them.
struct ExportedCollection: Sendable, Hashable {
  var name: String
  /// The requests in the order of the source.
  var requests: [ExportedRequest] = []
  /// The places of the requests in an order in which each comes after those that it needs.
  var order: [Int] = []
  /// What holds whatever environment is chosen, what others are made of first.
  var variables: [ExportedVariable] = []
  /// The environments that were asked for.
  var environments: [ExportedEnvironment] = []
  /// What can't be exported at all.
  var omissions: [ExportedOmission] = []

  /// The number of requests in it.
  var requestCount: Int { order.count }

  /// What a program starts with: the variables that are used, those of the first environment in
  /// the place of others.
  var settings: [ExportedVariable] {
    var result = variables
    for variable in environments.first?.variables ?? [] {
      if let place = result.firstIndex(where: { $0.name == variable.name }) {
        result[place] = variable
      } else {
        result.append(variable)
      }
    }
    return ExportedVariable.ordered(result.filter(\.isUsed))
  }
}

/// A variable as it is exported.
struct ExportedVariable: Sendable, Hashable {
  var name: String
  /// The value; `nil` for a secret, and for what nothing defines.
  var value: ExportedText?
  /// Whether the value is withheld because it is a secret.
  var isSecret = false
  /// Whether a request uses it, by itself or by another variable.
  var isUsed = true

  /// Variables in an order in which each comes after those of which its value is made.
  static func ordered(_ variables: [ExportedVariable]) -> [ExportedVariable] {
    var result: [ExportedVariable] = []
    var placed: Set<String> = []
    let byName = Dictionary(variables.map { ($0.name, $0) }) { $1 }
    func place(_ variable: ExportedVariable) {
      guard placed.insert(variable.name).inserted else { return }
      for case .variable(let name) in variable.value?.references ?? [] {
        if let other = byName[name] { place(other) }
      }
      result.append(variable)
    }
    variables.forEach(place)
    return result
  }
}

/// An environment as it is exported: what differs from the variables of the collection.
struct ExportedEnvironment: Sendable, Hashable {
  var name: String
  var variables: [ExportedVariable]
}

/// A request that is left out.
struct ExportedOmission: Sendable, Hashable {
  var folder: [String]
  var title: String
  /// Why, as a sentence.
  var reason: String
}

/// A request as it is exported.
struct ExportedRequest: Sendable, Hashable {
  /// What tells it apart for good: the path of its file below the source, its title, and a number
  /// where several are equal in both.
  var id: String
  /// The folders around it: directories, then the file where the source has several.
  var folder: [String] = []
  var title: String
  /// What `@description` says.
  var description = ""
  var tags: [String] = []
  var method = ExportedText()
  /// The absolute URL, percent-encoded.
  var url = ExportedText()
  /// The fields that the author wrote, without the `Authorization` that `auth` has.
  var headers: [ExportedHeader] = []
  var auth = ExportedAuth.none
  var body: [ExportedChunk] = []
  /// How it is sent; paths and credentials in it may hold stand-ins and are not used.
  var options = ExportedOptions()
  /// The pause before it, in milliseconds.
  var delayMilliseconds = 0
  /// Its share among the requests of a load test; `nil` where it has none.
  var weight: Int?
  /// How often it is sent.
  var loopCount = 1
  /// Whether `@disabled` switches it off.
  var isDisabled = false
  var checks: [ExportedCheck] = []
  var scripts: [ExportedScript] = []
  /// The responses that `@example` names.
  var examples: [ExportedExample] = []
  /// The places of the requests that have to be sent before.
  var needs: [Int] = []
  /// The file and the line, for notes: `shop.http:12`.
  var place: String
  /// Why it is left out, as a sentence; `nil` where it is not. It keeps its number then.
  var omission: String?
  /// What was told while it was read, for comments in the output.
  var remarks: [String] = []

  /// How people find it: folders and title.
  var path: String { (folder + [title]).joined(separator: " / ") }

  /// The first value of a header.
  func header(_ name: String) -> ExportedText? {
    headers.first { $0.name.literal?.equalsIgnoringASCIICase(name) == true }?.value
  }

  /// The media type of the body, where it is told literally.
  var mediaType: MediaType? { header("Content-Type")?.literal.flatMap { MediaType($0) } }

  /// All texts in it, for who looks for references.
  var texts: [ExportedText] {
    [method, url] + headers.flatMap { [$0.name, $0.value] } + auth.texts
      + body.compactMap { if case .text(let text) = $0 { text } else { nil } }
      + checks.map(\.expected)
  }
}

/// How a request is sent, as far as other tools can be told.
struct ExportedOptions: Sendable, Hashable {
  var followsRedirects = true
  var redirectLimit = 10
  /// The time for all of it, in milliseconds.
  var timeoutMilliseconds: Int?
  var connectTimeoutMilliseconds: Int?
  var verifiesTLS = true
  var usesCookies = true
  var encodes = true
  var httpVersion = HTTPVersion.automatic
  /// A proxy, empty for none; `nil` where the request says nothing.
  var proxy: ExportedText?
  /// Whether a certificate of the client is shown.
  var hasCertificate = false
}

/// A header field.
struct ExportedHeader: Sendable, Hashable {
  var name: ExportedText
  var value: ExportedText
}

/// A piece of a body.
enum ExportedChunk: Sendable, Hashable {
  case text(ExportedText)
  /// A file by its path, seen from where the export is written.
  case file(String)
}

/// A `??` line.
struct ExportedCheck: Sendable, Hashable {
  /// The line without `??`, as it is written.
  var line: String
  var subject: Subject
  var predicate: AssertionForm.Predicate
  /// What it is compared with; empty where there is nothing.
  var expected: ExportedText

  /// What a check is about.
  enum Subject: Sendable, Hashable {
    case part(ExportedPart)
    /// The time of the whole exchange, in milliseconds.
    case duration
    /// What other tools can't be asked, such as JavaScript.
    case other
  }

  /// The name under which results are counted.
  var title: String { "?? " + line }
}

/// A response that is kept with a request.
struct ExportedExample: Sendable, Hashable {
  var name: String
  var status: Int
  var headers: [HeaderField]
  var body: String
}

/// A script of a request.
struct ExportedScript: Sendable, Hashable {
  /// Whether it runs before the request.
  var isBefore: Bool
  /// Its text; empty where it lies in a file that can't be read.
  var text: String
  /// The path of its file as it is written.
  var path: String?
}
