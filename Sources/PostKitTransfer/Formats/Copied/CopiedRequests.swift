// Requests that browsers copy as scripts: into a collection, or into a request file.

import PostKitEvaluate
import PostKitHTTP

/// A request of a script.
struct CopiedRequest: Sendable, Hashable {
  var sent: CapturedRequest
  /// Tags of ours, without `# @`.
  var metadata: [String] = []
  /// The line at which it begins, counted from 1.
  var line: Int
}

/// Scripts of calls that browsers copy.
protocol CopiedImporter: OriginImporter {
  /// What people call one of the calls.
  static var call: String { get }

  /// The calls of a script, in order.
  static func calls(
    in source: OriginSource, _ notes: ImportNotes
  ) throws(OriginFailure) -> [CopiedRequest]
}

extension CopiedImporter {
  /// Reads scripts of calls.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    var copied = CopiedRequests(format: format, context: context)
    for source in sources {
      for call in try calls(in: source, context.notes) { copied.add(call, of: source) }
    }
    return try copied.collection(of: sources, called: call)
  }
}

/// Gathers the requests of scripts.
struct CopiedRequests {
  let format: OriginFormat
  let context: OriginContext
  private var requests: [OriginRequest] = []
  private var sent: SentRequests
  private var ids = CountedIDs()

  /// Makes an empty collection.
  init(format: OriginFormat, context: OriginContext) {
    self.format = format
    self.context = context
    sent = SentRequests(notes: context.notes)
  }

  /// Adds a request of a script.
  mutating func add(_ copied: CopiedRequest, of source: OriginSource) {
    let place = OriginPlace(file: source.name, line: copied.line)
    let id = ids.next(copied.sent.method, copied.sent.url)
    guard var request = sent.request(copied.sent, id: id, at: place) else {
      context.notes.tell(.itemMalformed, "The URL of this request has no host.", at: place)
      return
    }
    request.metadata = copied.metadata
    requests.append(request)
  }

  /// All requests; a failure where there are none. `what` is one of them.
  func collection(
    of sources: [OriginSource], called what: String
  ) throws(OriginFailure) -> OriginCollection {
    guard let first = sources.first, !requests.isEmpty else {
      throw OriginFailure("\(sources.first?.name ?? "The source") has no \(what) with a URL.")
    }
    var root = OriginFolder(
      name: first.nameWithoutEnding ?? "Requests", place: OriginPlace(file: first.name))
    root.requests = requests
    var collection = OriginCollection(format: format, root: root)
    collection.shared = sent.secrets.variables
    return collection
  }
}

/// Requests that somebody has copied in a browser.
package enum CopiedText {
  /// The first request of a copied call of `fetch` or of PowerShell as a block of a request file;
  /// `nil` for another text. A script that is no literal is a failure with its place.
  package static func block(for text: String) throws(OriginFailure) -> String? {
    let source = OriginSource(name: "text", bytes: Array(text.utf8))
    let found: [CopiedRequest]
    if FetchImporter.recognises(source) {
      found = try FetchImporter.calls(in: source, ImportNotes())
    } else if PowerShellImporter.recognises(source) {
      found = try PowerShellImporter.calls(in: source, ImportNotes())
    } else {
      return nil
    }
    guard let first = found.first else { return nil }
    return CurlConversion.request(for: command(for: first))
  }

  /// The curl command that sends a request. What it becomes is proved there once for all.
  private static func command(for copied: CopiedRequest) -> String {
    var words = ["curl", "-X", copied.sent.method, copied.sent.url]
    for field in copied.sent.headers {
      words += ["-H", field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"]
    }
    switch copied.sent.body {
    case .text(let text): words += ["--data-raw", text.text]
    case .form(let pairs):
      for pair in pairs {
        words += ["--data-urlencode", "\(pair.name.text)=\(pair.value?.text ?? "")"]
      }
    case .file(let path?): words += ["--data-binary", "@" + path]
    default: break
    }
    for tag in copied.metadata {
      switch tag.split(separator: " ").first {
      case "no-redirect": words.append("--no-location")
      case "insecure": words.append("-k")
      case "no-proxy": words += ["--noproxy", "*"]
      case "timeout": words += ["-m", String(tag.split(separator: " ")[1])]
      default: break
      }
    }
    return words.map(ShellText.quote).joined(separator: " ")
  }
}
