// A request as JSON, the answer of most endpoints.

import PostKitHTTP
import PostKitJSON
import PostKitLoopback

/// Makes JSON of the parts of requests.
enum Echo {
  /// Header fields as an object; the values of one name are joined with commas.
  static func headers(_ headers: HeaderFields) -> JSONValue {
    var members: [JSONMember] = []
    for field in headers.fields
    where !members.contains(where: { $0.key.equalsIgnoringASCIICase(field.name) }) {
      let values = headers.values(field.name).joined(separator: ", ")
      members.append(JSONMember(field.name, .string(values)))
    }
    return .object(members)
  }

  /// Names and values as an object; a name that stands several times has an array.
  static func object(_ fields: [HeaderField]) -> JSONValue {
    var order: [String] = []
    var values: [String: [JSONValue]] = [:]
    for field in fields {
      if values[field.name] == nil { order.append(field.name) }
      values[field.name, default: []].append(.string(field.value))
    }
    return .object(
      order.map { name in
        let all = values[name] ?? []
        return JSONMember(name, all.count == 1 ? all[0] : .array(all))
      })
  }

  /// The cookies of a request in order (RFC 6265, section 4.2).
  static func cookies(_ headers: HeaderFields) -> [HeaderField] {
    headers.values("Cookie").flatMap { $0.split(separator: ";") }.map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return HeaderField(
        String(parts[0]).trimmingASCIIBlanks(),
        parts.count > 1 ? String(parts[1]).trimmingASCIIBlanks() : "")
    }
  }

  /// The body as members: text where it is text, Base64 where not, and what its type makes of it.
  static func body(_ request: LoopbackRequest) -> [JSONMember] {
    let kept = Array(request.body.prefix(ExampleLimits.echoBytes))
    var members: [JSONMember] = []
    let isWhole = kept.count == request.body.count
    if let text = String(validating: kept, as: UTF8.self) {
      members.append(JSONMember("body", .string(text)))
    } else {
      members.append(JSONMember("body", .null))
      members.append(JSONMember("bodyBase64", .string(Base64.encode(kept))))
    }
    members.append(JSONMember("bodyBytes", .int(request.body.count)))
    guard isWhole else { return members + [JSONMember("bodyIsCut", true)] }
    let type = request.headers.mediaType
    if type?.isForm == true {
      let fields = LoopbackRequest.formFields(String(decoding: kept, as: UTF8.self))
      members.append(JSONMember("form", object(fields)))
    } else if type?.isJSON == true {
      members.append(JSONMember("json", json(kept) ?? .null))
    }
    return members
  }

  /// Bytes as a JSON value; `nil` where they are none.
  static func json(_ bytes: [UInt8]) -> JSONValue? {
    do throws(JSONSyntaxError) {
      return try JSONTree(parsing: bytes).root.value
    } catch {
      return nil
    }
  }
}

extension ExampleSite {
  /// A request as the members of a JSON object.
  func echo(_ request: LoopbackRequest) -> [JSONMember] {
    [
      JSONMember("method", .string(request.method)),
      JSONMember("url", .string(request.url(base: base))),
      JSONMember("args", Echo.object(request.arguments)),
      JSONMember("headers", Echo.headers(request.headers)),
    ] + Echo.body(request)
  }
}
