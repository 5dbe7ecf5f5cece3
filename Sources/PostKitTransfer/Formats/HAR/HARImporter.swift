// HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), and single requests in its
// form, as httpsnippet has them.

import PostKitHTTP
import PostKitJSON

/// Reads captures of browsers and proxies: calls become requests, one file for each origin.
enum HARImporter: OriginImporter {
  static let format = OriginFormat.har

  /// Whether a source is an archive, or a request of one.
  static func recognises(_ source: OriginSource) -> Bool {
    guard let look = source.look else { return false }
    if look.look("log")?.isArray("entries") == true { return true }
    guard look.string("method") != nil, look.string("url") != nil else { return false }
    return ["headers", "queryString", "postData"].contains { look.has($0) }
  }

  /// Reads a capture.
  static func read(
    _ sources: [OriginSource], _ context: OriginContext
  ) throws(OriginFailure) -> OriginCollection {
    guard let source = sources.first else { throw OriginFailure("There is no capture to read.") }
    let tree: JSONTree
    do throws(JSONSyntaxError) {
      tree = try JSONTree(parsing: source.bytes)
    } catch {
      throw OriginFailure(
        "\(source.name) is not JSON at byte \(error.offset): \(error.explanation).")
    }
    var reader = HARReader(context: context)
    var place = OriginPlace(file: sources.count > 1 ? source.name : nil)
    var version: String?
    if let log = tree.root["log"] {
      place = place.member("log")
      guard let object = OriginObject(log, at: place, notes: context.notes) else {
        throw OriginFailure("\(source.name) has no list of entries in `log`.")
      }
      version = object.string("version")
      // Who captured it and when say nothing of what is sent.
      object.ignore("creator", "browser", "pages")
      reader.readLog(object)
    } else {
      guard isRequest(tree.root) else {
        throw OriginFailure("\(source.name) is neither an HTTP Archive nor a request of one.")
      }
      reader.readRequest(tree.root, at: place)
    }
    return reader.collection(named: source.nameWithoutEnding ?? "Capture", version: version, place)
  }

  /// Whether an object has the form of a request of an archive.
  private static func isRequest(_ view: JSONView) -> Bool {
    guard view["method"]?.string != nil, view["url"]?.string != nil else { return false }
    return ["headers", "queryString", "postData"].contains { view[$0] != nil }
  }
}
